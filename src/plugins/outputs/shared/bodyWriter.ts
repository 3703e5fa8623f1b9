import { MAX_JSON_BYTES, putJsonText } from '../../../domain/text/jsonBytes.js';

/** Parts up to this length are copied in a loop: a native call costs as much as forty bytes. */
const SHORT = 48;

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
      const { length } = part;
      reserve(length);
      if (length > SHORT) out.set(part, at);
      else for (let index = 0; index < length; index++) out[at + index] = part[index] as number;
      at += length;
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
