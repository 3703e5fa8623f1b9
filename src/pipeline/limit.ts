import { textBatch } from '../domain/eventBatch.js';
import type { EventProducer, Produced } from '../plugins/kit.js';

/** A producer that is exhausted after `limit` events. */
export const limited = (producer: EventProducer, limit: number): EventProducer => {
  let left = limit;
  const cut = (produced: Produced): Produced => {
    const { events } = produced;
    const isLast = events.count >= left;
    const kept = events.count > left ? textBatch(events.texts().slice(0, left)) : events;
    left -= kept.count;
    return isLast ? { ...produced, events: kept, exhausted: true } : produced;
  };
  return {
    ...producer,
    produce: (request) => {
      // No more timestamps than events are left: where each gives one event, none is used up in vain.
      const produced = producer.produce({ ...request, to: Math.min(request.to, request.from + left) });
      return produced instanceof Promise ? produced.then(cut) : cut(produced);
    },
  };
};
