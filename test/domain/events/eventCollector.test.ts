import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { textBatch } from '../../../src/domain/events/eventBatch.js';
import { eventCollector } from '../../../src/domain/events/eventCollector.js';
import { codePoint } from '../../support/codePoint.js';

/** Well-formed: a lone surrogate has no UTF-8 form. */
const text = fc.string({ unit: codePoint }).map((one) => Buffer.from(one).toString());
const LIMITS = { count: 3, max_bytes: 5, total_bytes: 12 };

const batchOf = (texts: readonly string[], collector = eventCollector()) => {
  for (const one of texts) collector.add(one);
  return collector.take();
};

describe('collected events', () => {
  test('are the added texts, whether texts or bytes are read first', () => {
    fc.assert(
      fc.property(fc.array(text), fc.boolean(), (texts, readsTextsFirst) => {
        const batch = batchOf(texts);
        const plain = textBatch(texts);
        expect(batch.count).toBe(texts.length);
        if (readsTextsFirst) expect(batch.texts()).toEqual(texts);
        for (const separator of ['\n', '', '\r\n', '\n'])
          expect(Buffer.from(batch.bytes(separator)).equals(Buffer.from(plain.bytes(separator)))).toBe(true);
        expect(batch.texts()).toEqual(texts);
        expect(batch.heads(LIMITS)).toEqual(plain.heads(LIMITS));
      }),
    );
  });

  test('with line ends in them stay one event each', () => {
    const batch = batchOf(['a\nb', '', '\n']);
    expect(batch.texts()).toEqual(['a\nb', '', '\n']);
    expect(Buffer.from(batch.bytes('\n')).toString()).toBe('a\nb\n\n\n\n');
  });

  test('are those since the last batch; later ones do not change a batch', () => {
    const collector = eventCollector();
    const first = batchOf(['a', 'b'.repeat(100_000)], collector);
    const second = batchOf(['c'], collector);
    expect(Buffer.from(first.bytes('\n')).toString()).toBe(`a\n${'b'.repeat(100_000)}\n`);
    expect(second.texts()).toEqual(['c']);
    expect(collector.take().count).toBe(0);
  });

  test('continue after a call of texts, in the middle of a batch too', () => {
    const collector = eventCollector();
    const first = batchOf(['a'], collector);
    collector.add('b');
    expect(first.texts()).toEqual(['a']);
    collector.add('c');
    expect(collector.take().texts()).toEqual(['b', 'c']);
    expect(batchOf(['d'], collector).texts()).toEqual(['d']);
  });

  test('reuse the memory of released batches only', () => {
    const collector = eventCollector();
    const kept = batchOf(['kept'], collector);
    const released = batchOf(['released'], collector);
    const memory = released.bytes('\n').buffer;
    released.release?.();
    const next = batchOf(['next'], eventCollector());
    expect(next.bytes('\n').buffer).toBe(memory);
    expect(Buffer.from(next.bytes('\n')).toString()).toBe('next\n');
    expect(kept.texts()).toEqual(['kept']);
    for (const use of [released.texts, () => released.bytes('\n'), () => released.heads(LIMITS)])
      expect(use).toThrow('released');
  });

  test('of any size and in any script have room', () => {
    const texts = ['é'.repeat(200_000), '😀'.repeat(100_000), 'x'.repeat(2_000_000), '日本'];
    expect(batchOf(texts).texts()).toEqual(texts);
  });
});
