import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  bytesBatch,
  type EventBatch,
  emptyBatch,
  encodedBatch,
  joinBatches,
  textBatch,
} from '../../../src/domain/events/eventBatch.js';
import { eventCollector } from '../../../src/domain/events/eventCollector.js';

const textIn = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

describe('event batches', () => {
  test('texts become UTF-8 with the separator after each event, made once per separator', () => {
    const batch = textBatch(['a', 'é漢😀', '']);
    expect(batch.count).toBe(3);
    expect(textIn(batch.bytes('\n'))).toBe('a\né漢😀\n\n');
    expect(batch.bytes('\n')).toBe(batch.bytes('\n'));
    expect(textIn(batch.bytes('<>'))).toBe('a<>é漢😀<><>');
    expect(textIn(batch.bytes(''))).toBe('aé漢😀');
  });

  test('bytes are handed on uncopied with their own separator and become texts once', () => {
    const bytes = Buffer.from('a\n\né\n');
    const batch = bytesBatch(bytes, 3);
    expect(batch.bytes('\n')).toBe(bytes);
    expect(batch.texts()).toEqual(['a', '', 'é']);
    expect(batch.texts()).toBe(batch.texts());
    expect(textIn(batch.bytes('\r\n'))).toBe('a\r\n\r\né\r\n');
  });

  test('bytes may be a part of a larger buffer and begin with a byte order mark', () => {
    const part = Buffer.from('xx\ufeffa\r\nb\r\nyy').subarray(2, -2);
    expect(bytesBatch(part, 2, '\r\n').texts()).toEqual(['\ufeffa', 'b']);
  });

  test('a single empty event is an event', () => {
    expect(bytesBatch(Buffer.from('\n'), 1).texts()).toEqual(['']);
    expect(textIn(textBatch(['']).bytes('\n'))).toBe('\n');
  });

  test('no events are no texts and no bytes', () => {
    for (const batch of [
      emptyBatch,
      textBatch([]),
      bytesBatch(new Uint8Array(0), 0),
      joinBatches([emptyBatch]),
    ]) {
      expect([batch.count, batch.texts(), batch.bytes('\n').length]).toEqual([0, [], 0]);
    }
  });

  test('joined batches keep the order and convert lazily', () => {
    const forbidden = () => {
      throw new Error('converted');
    };
    const lazy = joinBatches([
      { count: 1, texts: forbidden, bytes: forbidden, encoded: forbidden, heads: forbidden, pick: forbidden },
      { count: 2, texts: forbidden, bytes: forbidden, encoded: forbidden, heads: forbidden, pick: forbidden },
    ]);
    expect(lazy.count).toBe(3);
    const joined = joinBatches([textBatch(['a', 'b']), emptyBatch, bytesBatch(Buffer.from('c\n'), 1)]);
    expect(joined.texts()).toEqual(['a', 'b', 'c']);
    expect(textIn(joined.bytes(';'))).toBe('a;b;c;');
    expect(joined.texts()).toBe(joined.texts());
  });

  test('neighbours in memory are joined without a copy, others with one', () => {
    const memory = Uint8Array.from(Buffer.from('_a\nb\nc\n'));
    const view = (from: number, to: number) => bytesBatch(memory.subarray(from, to), 1);
    const near = joinBatches([view(1, 3), view(3, 5), view(5, 7)]).bytes('\n');
    expect(near.buffer).toBe(memory.buffer);
    expect(textIn(near)).toBe('a\nb\nc\n');
    for (const apart of [joinBatches([view(1, 3), view(5, 7)]), joinBatches([view(5, 7), view(3, 5)])])
      expect(apart.bytes('\n').buffer).not.toBe(memory.buffer);
    expect(textIn(joinBatches([view(5, 7), view(3, 5)]).bytes('\n'))).toBe('c\nb\n');
    expect(textIn(joinBatches([view(1, 3), bytesBatch(Buffer.from('z\n'), 1)]).bytes('\n'))).toBe('a\nz\n');
  });

  test('joined batches release the memory of all their parts', () => {
    let released = 0;
    const part = { ...textBatch(['a']), release: () => released++ };
    joinBatches([part, textBatch(['b']), part]).release?.();
    expect(released).toBe(2);
  });

  test('a single batch is joined as itself', () => {
    const only = textBatch(['a']);
    expect(joinBatches([emptyBatch, only])).toBe(only);
  });
});

describe('picked events', () => {
  const collected = (texts: readonly string[]): EventBatch => {
    const collector = eventCollector();
    for (const text of texts) collector.add(text);
    return collector.take();
  };
  const lines = (texts: readonly string[], separator = '\n'): EventBatch =>
    bytesBatch(Buffer.from(texts.map((text) => text + separator).join('')), texts.length, separator);
  /** Each form of a batch; only some may hold events with line ends. */
  const FORMS: Readonly<Record<string, (texts: readonly string[]) => EventBatch>> = {
    texts: textBatch,
    collected,
    encoded: (texts) => encodedBatch(textBatch(texts).encoded()),
    lines,
    'other lines': (texts) => lines(texts, '<>'),
    joined: (texts) =>
      joinBatches([textBatch(texts.slice(0, 2)), lines(texts.slice(2, 5)), collected(texts.slice(5))]),
  };

  test('heads of joined batches end at the limit, also before an event that would fit', () => {
    const limits = { count: 9, max_bytes: 9, total_bytes: 7 };
    const joined = joinBatches([textBatch(['four', 'four']), textBatch([''])]);
    expect(joined.heads(limits)).toEqual(textBatch(['four', 'four', '']).heads(limits));
    expect(joined.heads(limits)).toHaveLength(1);
  });

  test.each(Object.entries(FORMS))('of %s are those at the positions, in every form', (_, make) => {
    const text = fc.string({ unit: 'grapheme', maxLength: 6 }).map((one) => one.replace(/[\n<>]/g, ''));
    const event =
      make === lines || make === FORMS['other lines'] || make === FORMS['joined']
        ? text
        : fc.oneof(text, fc.constant('a\nb'));
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 9 }),
        fc.infiniteStream(fc.boolean()),
        fc.boolean(),
        (texts, isPicked, readsFirst) => {
          const batch = make(texts);
          if (readsFirst) batch.texts();
          const positions = [...texts.keys()].filter(() => isPicked.next().value);
          const picked = batch.pick(positions);
          const expected = textBatch(positions.map((position) => texts[position] as string));
          expect(picked.count).toBe(expected.count);
          for (const separator of ['\n', ';'])
            expect(textIn(picked.bytes(separator))).toBe(textIn(expected.bytes(separator)));
          expect([...picked.encoded().ends]).toEqual([...expected.encoded().ends]);
          expect(textIn(picked.encoded().bytes)).toBe(textIn(expected.encoded().bytes));
          const limits = { count: 2, max_bytes: 4, total_bytes: 7 };
          expect(picked.heads(limits)).toEqual(expected.heads(limits));
          expect(picked.texts()).toEqual(expected.texts());
          const others = [...expected.texts().keys()].filter((position) => position % 2 === 0);
          expect(picked.pick(others).texts()).toEqual(expected.pick(others).texts());
        },
      ),
    );
  });

  test('that follow each other are a view of the bytes, and no text is made of them', () => {
    const bytes = Buffer.from('a\nb\nc\nd\n');
    const picked = bytesBatch(bytes, 4).pick([1, 2]).bytes('\n');
    expect([picked.buffer, picked.byteOffset, textIn(picked)]).toEqual([
      bytes.buffer,
      bytes.byteOffset + 2,
      'b\nc\n',
    ]);
  });
});
