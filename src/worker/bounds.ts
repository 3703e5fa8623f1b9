import { machineMs } from '../adapters/systemClock.js';
import { textBatch } from '../domain/events/eventBatch.js';
import type { Json } from '../domain/json.js';
import type { EventProducer, Output, Produced } from '../plugins/kit.js';
import type { Clock } from '../ports/clock.js';

interface LimitState {
  readonly given: number;
  readonly inner: Json;
}

/** Events of a limited producer up to its snapshot. */
export const eventsGiven = (snapshot: Json): number => (snapshot as unknown as LimitState).given;

/** A limited run ends after this many timestamps in a row without an event: it would never reach its limit. */
export const MAX_BARREN = 100_000;

/**
 * A producer that is exhausted after `limit` events, those before a checkpoint included. Null for no limit. The
 * snapshot is the same either way: the limit may change between runs. `onBarren` is called when the producer ends
 * after `MAX_BARREN` timestamps.
 */
export const limitedProducer = (
  producer: EventProducer,
  limit: number | null,
  onBarren: () => void = () => {},
): EventProducer => {
  let given = 0;
  let barren = 0;
  const cut = (produced: Produced): Produced => {
    const { events } = produced;
    const left = (limit ?? Number.POSITIVE_INFINITY) - given;
    const isLast = events.count >= left;
    const trimmed = events.count > left ? textBatch(events.texts().slice(0, left)) : events;
    given += trimmed.count;
    barren = events.count > 0 || limit === null ? 0 : barren + produced.consumed;
    if (barren >= MAX_BARREN && !produced.exhausted) {
      onBarren();
      return { ...produced, exhausted: true };
    }
    if (!isLast) return produced;
    const templates = produced.templates?.subarray(0, trimmed.count);
    return {
      ...produced,
      events: trimmed,
      exhausted: true,
      ...(templates === undefined ? {} : { templates }),
    };
  };
  return {
    ...producer,
    produce: (request) => {
      // No more timestamps than events left: none is wasted where each gives one event.
      const to = limit === null ? request.to : Math.min(request.to, request.from + limit - given);
      const produced = producer.produce({ ...request, to });
      return produced instanceof Promise ? produced.then(cut) : cut(produced);
    },
    snapshot: () => ({ given, inner: producer.snapshot?.() ?? null }),
    restore: async (state) => {
      const { given: before, inner } = state as unknown as LimitState;
      given = before;
      if (inner !== null) await producer.restore?.(inner);
    },
  };
};

/** How often a write without permission looks again. */
const LOOK_EVERY_MS = 20;

/** Until when outputs of this thread may write; a node of a cluster extends it while it holds its leases. */
export interface Permit {
  /** Moves the deadline. Null for no limit. */
  readonly extend: (until_ms: number | null) => void;
  readonly guard: (output: Output) => Output;
}

/**
 * A process that was frozen wakes up with the deadline in its memory: its outputs wait, until the main thread has
 * looked whether another node took over.
 */
export const makePermit = (clock: Clock): Permit => {
  let until = Number.POSITIVE_INFINITY;
  const isOver = (): boolean => until !== Number.POSITIVE_INFINITY && machineMs() >= until;
  return {
    extend: (until_ms) => {
      until = until_ms ?? Number.POSITIVE_INFINITY;
    },
    guard: (output) => ({
      ...output,
      write: async (items, signal) => {
        while (isOver() && !signal.aborted) await clock.sleepMs(LOOK_EVERY_MS, signal);
        return output.write(items, signal);
      },
    }),
  };
};
