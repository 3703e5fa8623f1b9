import type { EventBatch } from '../../../domain/events/eventBatch.js';

/** Code units that open a JSON object or list. */
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const SPACE = 0x20;

/** Whether an event of UTF-8 may be an object or a list of JSON. */
export const mayBeDocument = (bytes: Uint8Array, start: number, end: number): boolean => {
  let at = start;
  while (at < end && (bytes[at] as number) <= SPACE) at++;
  return at < end && OPENING.has(bytes[at] as number);
};

/** Whether any event of a batch may be an object or a list of JSON. */
export const hasDocument = (batch: EventBatch): boolean => {
  const { bytes, ends } = batch.encoded();
  let start = 0;
  return ends.some((end) => {
    const from = start;
    start = end;
    return mayBeDocument(bytes, from, end - 1);
  });
};
