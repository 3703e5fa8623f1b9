import type { EventBatch } from '../../../domain/events/eventBatch.js';

/** Body of one request, with the items `from <= i < to` of the batch. */
export interface Body {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly Uint8Array[];
}

/** One body for each item. Does not copy items. */
export const itemBodies = (batch: EventBatch): readonly Body[] => {
  const { bytes, ends } = batch.encoded();
  const bodies: Body[] = [];
  let start = 0;
  for (let item = 0; item < batch.count; item++) {
    const end = ends[item] as number;
    bodies.push({ from: item, to: item + 1, pieces: [bytes.subarray(start, end - 1)] });
    start = end;
  }
  return bodies;
};

/**
 * Bodies of at most `max_bytes`, each with as many items as fit, in order, each followed by the separator. A longer
 * item has a body of its own.
 */
export const joinedBodies = (batch: EventBatch, separator: string, max_bytes: number): readonly Body[] => {
  const { bytes, ends } = batch.encoded();
  const end = Buffer.from(separator, 'utf8');
  const bodies: Body[] = [];
  let from = 0;
  let start = 0;
  let size = 0;
  const close = (to: number): void => {
    bodies.push({ from, to, pieces: piecesOf(bytes, ends, from, to, end) });
  };
  for (let item = 0; item < batch.count; item++) {
    const length = (ends[item] as number) - start - 1 + end.byteLength;
    if (item > from && size + length > max_bytes) {
      close(item);
      from = item;
      size = 0;
    }
    size += length;
    start = ends[item] as number;
  }
  if (batch.count > from) close(batch.count);
  return bodies;
};

const LINE_END = '\n'.charCodeAt(0);

const piecesOf = (
  bytes: Uint8Array,
  ends: Uint32Array,
  from: number,
  to: number,
  separator: Uint8Array,
): readonly Uint8Array[] => {
  let start = from === 0 ? 0 : (ends[from - 1] as number);
  // The batch already has line ends.
  if (separator.byteLength === 1 && separator[0] === LINE_END) {
    return [bytes.subarray(start, ends[to - 1])];
  }
  const parts: Uint8Array[] = [];
  for (let item = from; item < to; item++) {
    parts.push(bytes.subarray(start, (ends[item] as number) - 1), separator);
    start = ends[item] as number;
  }
  return [Buffer.concat(parts)];
};
