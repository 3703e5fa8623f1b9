import type { EventBatch } from '../../domain/events/eventBatch.js';
import type { TimestampBatch } from '../../domain/events/timestampBatch.js';
import type { Input } from '../../plugins/kit.js';

/** Tells the sizes of events to the inputs with a target in bytes. */
export interface Sizes {
  /** `events` were made of the timestamps `from <= i < to` of a batch. True: a block ended, so its input goes on. */
  readonly add: (batch: TimestampBatch, from: number, to: number, events: EventBatch) => boolean;
}

export const sizesFor = (inputs: readonly Input[]): Sizes => {
  const meters = inputs.map(({ sizes }) => sizes);
  for (const meter of meters) meter?.attach();
  if (meters.every((meter) => meter === undefined)) return { add: () => false };
  return {
    add: (batch, from, to, events) => {
      // As lines: the form that most outputs need, too.
      const bytes = events.bytes('\n').length;
      for (const meter of meters) meter?.add(to - from, bytes);
      if (batch.endsBlockOf === null || to < batch.length) return false;
      meters[batch.endsBlockOf]?.endBlock();
      return true;
    },
  };
};
