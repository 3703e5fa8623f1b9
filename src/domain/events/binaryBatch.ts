import { type EncodedEvents, pickEncoded } from './encodedEvents.js';
import type { Container, EventBatch } from './eventBatch.js';
import { headsOfTexts } from './eventHead.js';

const LINE_END = '\n';

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/**
 * Items of any bytes, each followed by a line end. Their texts are Base64, for people. `documents`: the events that they
 * were made of, one each; empty: an item holds many.
 */
export const binaryBatch = (
  encoded: EncodedEvents,
  documents: readonly string[],
  container?: Container,
): EventBatch => {
  const { bytes, ends } = encoded;
  const whole = bufferOf(bytes);
  const itemAt = (index: number): Buffer =>
    whole.subarray(index === 0 ? 0 : ends[index - 1], (ends[index] as number) - 1);
  const first = (most: number): readonly string[] =>
    Array.from({ length: Math.min(most, ends.length) }, (_, index) => itemAt(index).toString('base64'));
  return {
    count: ends.length,
    texts: () => first(ends.length),
    documents: () => documents,
    ...(container === undefined ? {} : { container }),
    bytes: (separator) => {
      if (separator === LINE_END) return bytes;
      const end = Buffer.from(separator);
      return Buffer.concat(Array.from(ends, (_, index) => [itemAt(index), end]).flat());
    },
    encoded: () => encoded,
    heads: (limits) => headsOfTexts(first(limits.count), limits),
    pick: (positions) =>
      binaryBatch(
        pickEncoded(encoded, positions),
        documents.length === 0 ? documents : positions.map((position) => documents[position] as string),
        container,
      ),
  };
};
