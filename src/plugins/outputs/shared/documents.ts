import type { EventBatch } from '../../../domain/events/eventBatch.js';

const SPACE = 0x20;
const OPENS_OBJECT = 0x7b;
const OPENS_LIST = 0x5b;

/** Whether an event of UTF-8 may be an object or a list of JSON. */
export const mayBeDocument = (bytes: Uint8Array, start: number, end: number): boolean => {
  let at = start;
  while (at < end && (bytes[at] as number) <= SPACE) at++;
  return at < end && (bytes[at] === OPENS_OBJECT || bytes[at] === OPENS_LIST);
};

/** Whether any event of a batch may be an object or a list of JSON. */
export const hasDocument = (batch: EventBatch): boolean => {
  const { bytes, ends } = batch.encoded();
  let start = 0;
  for (let item = 0; item < batch.count; item++) {
    const end = ends[item] as number;
    if (mayBeDocument(bytes, start, end - 1)) return true;
    start = end;
  }
  return false;
};
