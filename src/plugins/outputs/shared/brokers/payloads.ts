import type { EventBatch } from '../../../../domain/events/eventBatch.js';

/** Payloads of a batch as views of its bytes. */
export const payloadsOf = (batch: EventBatch): ((item: number) => Uint8Array) => {
  const { bytes, ends } = batch.encoded();
  return (item) => bytes.subarray(item === 0 ? 0 : (ends[item - 1] ?? 0), (ends[item] ?? 1) - 1);
};
