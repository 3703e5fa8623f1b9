import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  bytesBatch,
  type EventBatch,
  emptyBatch,
  joinBatches,
  textBatch,
} from '../../../src/domain/events/eventBatch.js';
import { eventCollector } from '../../../src/domain/events/eventCollector.js';
import { codePoint } from '../../support/codePoint.js';

/** The events that `encoded` frames, each without its line end. */
const framed = (batch: EventBatch): readonly string[] => {
  const { bytes, ends } = batch.encoded();
  return Array.from(ends, (end, index) => {
    const event = bytes.subarray(ends[index - 1] ?? 0, end);
    expect(event.at(-1)).toBe(0x0a);
    return Buffer.from(event.subarray(0, -1)).toString('utf8');
  });
};

const collected = (texts: readonly string[]): EventBatch => {
  const collector = eventCollector();
  for (const text of texts) collector.add(text);
  return collector.take();
};

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: codePoint, maxLength: 20 }),
    fc.string({ maxLength: 20 }),
    fc.constantFrom('', '\n', 'a\nb', 'é', '€', '😀', '😀\n😀'),
  ),
  { maxLength: 8 },
);

describe('encoded events', () => {
  test('are framed with their ends in bytes, whatever they contain', () => {
    fc.assert(
      fc.property(texts, (events) => {
        expect(framed(textBatch(events))).toEqual(events);
        expect(framed(collected(events))).toEqual(events);
      }),
    );
  });

  test('keep their frames when batches are joined', () => {
    fc.assert(
      fc.property(texts, texts, (first, second) => {
        const joined = joinBatches([textBatch(first), emptyBatch, collected(second)]);
        expect(framed(joined)).toEqual([...first, ...second]);
      }),
    );
  });

  test('of bytes are cut at line ends, or at another separator', () => {
    expect(framed(bytesBatch(Buffer.from('a\n\né\n'), 3))).toEqual(['a', '', 'é']);
    expect(framed(bytesBatch(Buffer.from('a\n;é;'), 2, ';'))).toEqual(['a\n', 'é']);
  });

  test('a lone surrogate is one replacement character, as in every output', () => {
    for (const batch of [textBatch(['a\ud83d', 'b']), collected(['a\ud83d', 'b'])]) {
      expect(framed(batch)).toEqual(['a\ufffd', 'b']);
    }
  });
});
