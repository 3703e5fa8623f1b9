import type { EventBatch } from '../../../domain/events/eventBatch.js';

export interface BulkBody {
  readonly bytes: Uint8Array;
  /** Positions in the batch of the events in `bytes`, in order. */
  readonly items: readonly number[];
  /** Positions of empty events and of those with a line break: the server would read other lines. */
  readonly broken: readonly number[];
}

const LINE_FEED = 0x0a;

/** A line of the action, then the line of the event, for each event. */
export const bulkBody = (batch: EventBatch, action: Uint8Array): BulkBody => {
  const { bytes, ends } = batch.encoded();
  const out = Buffer.allocUnsafe(bytes.byteLength + action.byteLength * batch.count);
  const items: number[] = [];
  const broken: number[] = [];
  let start = 0;
  let used = 0;
  for (let item = 0; item < batch.count; item++) {
    const end = ends[item] as number;
    if (isBroken(bytes, start, end - 1)) broken.push(item);
    else {
      out.set(action, used);
      out.set(bytes.subarray(start, end), used + action.byteLength);
      used += action.byteLength + end - start;
      items.push(item);
    }
    start = end;
  }
  return { bytes: out.subarray(0, used), items, broken };
};

/** `end` is the position of the line end after the event. An empty line would be an event without a body. */
const isBroken = (bytes: Uint8Array, start: number, end: number): boolean =>
  start === end || bytes.indexOf(LINE_FEED, start) < end;

/** The line before each event. The index is in the address of the request. */
export const actionLine = (op_type: 'index' | 'create'): Uint8Array =>
  Buffer.from(`{"${op_type}":{}}\n`, 'utf8');
