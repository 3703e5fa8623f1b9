import { MAX_JSON_BYTES, putJsonText } from '../../../domain/text/utf8.js';
import { putPart } from './putPart.js';

/** A body of bytes that grows at its end: events go into it without a string for each. */
export interface BodyWriter {
  /** Appends a part that is made once. */
  readonly put: (part: Uint8Array) => void;
  readonly copy: (source: Buffer, start: number, end: number) => void;
  /** Appends UTF-8 as the inside of a JSON string. */
  readonly putJson: (source: Uint8Array, start: number, end: number) => void;
  readonly size: () => number;
  /** Everything; call it once. */
  readonly take: () => Buffer;
}

/** `bytes`: an estimate of the length. */
export const makeBodyWriter = (bytes: number): BodyWriter => {
  let out = Buffer.allocUnsafe(bytes);
  let at = 0;
  const reserve = (count: number): void => {
    if (at + count <= out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * out.length, at + count));
    out.copy(larger, 0, 0, at);
    out = larger;
  };
  return {
    put: (part) => {
      reserve(part.length);
      at = putPart(out, at, part);
    },
    copy: (source, start, end) => {
      reserve(end - start);
      source.copy(out, at, start, end);
      at += end - start;
    },
    putJson: (source, start, end) => {
      reserve((end - start) * MAX_JSON_BYTES);
      at = putJsonText(out, at, source, start, end);
    },
    size: () => at,
    take: () => out.subarray(0, at),
  };
};
