import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytesBatch, emptyBatch, joinBatches, textBatch } from '../../../src/domain/events/eventBatch.js';
import { headOf } from '../../../src/domain/events/eventHead.js';
import { codePoint } from '../../support/codePoint.js';

const ALL = { count: 100, max_bytes: 1_000, total_bytes: 1_000_000 };

describe('the head of an event', () => {
  test('is the whole event if it is short enough', () => {
    expect(headOf('grün', 5)).toEqual({ text: 'grün', bytes: 5, is_cut: false });
  });

  test('never ends within a character', () => {
    expect(headOf('grün', 4)).toEqual({ text: 'grü', bytes: 4, is_cut: true });
    expect(headOf('grün', 3)).toEqual({ text: 'gr', bytes: 2, is_cut: true });
    expect(headOf('a😀', 4)).toEqual({ text: 'a', bytes: 1, is_cut: true });
  });

  test('is a beginning of at most so many bytes, and the longest there is', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.integer({ min: 1, max: 40 }), (event, max_bytes) => {
        const { text, bytes, is_cut } = headOf(event, max_bytes);
        expect(event.startsWith(text)).toBe(true);
        expect(Buffer.byteLength(text)).toBe(bytes);
        expect(bytes).toBeLessThanOrEqual(max_bytes);
        expect(is_cut).toBe(text !== event);
        const [next = ''] = event.slice(text.length);
        if (is_cut) expect(bytes + Buffer.byteLength(next)).toBeGreaterThan(max_bytes);
      }),
    );
  });
});

describe('heads of a batch', () => {
  const texts = ['one', 'zwei €', '', 'three'];
  const bytes = Buffer.from(`${texts.join('\n')}\n`);

  test('are the same for texts, bytes and both joined', () => {
    const whole = texts.map((text) => ({ text, bytes: Buffer.byteLength(text), is_cut: false }));
    expect(textBatch(texts).heads(ALL)).toEqual(whole);
    expect(bytesBatch(bytes, 4).heads(ALL)).toEqual(whole);
    const read = bytesBatch(bytes, 4);
    read.texts();
    expect(read.heads(ALL)).toEqual(whole);
    expect(joinBatches([textBatch(texts), bytesBatch(bytes, 4)]).heads(ALL)).toEqual([...whole, ...whole]);
    expect(emptyBatch.heads(ALL)).toEqual([]);
  });

  test('stay within the limits in number and in bytes', () => {
    const joined = joinBatches([textBatch(['aaaa', 'bbbb']), bytesBatch(Buffer.from('cccc\ndddd\n'), 2)]);
    const taken = (limits: Partial<typeof ALL>): readonly string[] =>
      joined.heads({ ...ALL, ...limits }).map(({ text }) => text);
    expect(taken({ count: 3 })).toEqual(['aaaa', 'bbbb', 'cccc']);
    expect(taken({ max_bytes: 2, count: 3 })).toEqual(['aa', 'bb', 'cc']);
    expect(taken({ total_bytes: 11 })).toEqual(['aaaa', 'bbbb']);
    expect(taken({ total_bytes: 3 })).toEqual([]);
  });

  test('leave the rest of a batch of bytes as it is', () => {
    const many = Buffer.from('x\n'.repeat(1_000));
    const batch = bytesBatch(many, 1_000);
    expect(batch.heads({ ...ALL, count: 2 })).toHaveLength(2);
    expect(batch.bytes('\n')).toBe(many);
  });
});
