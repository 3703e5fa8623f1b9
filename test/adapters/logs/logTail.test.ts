import { describe, expect, test } from '@jest/globals';
import { memoryLogTail } from '../../../src/adapters/logs/instanceLog.js';

const reading = (from_bytes = 1_000_000, source: string | null = null) => {
  const tail = memoryLogTail();
  const counts = { wakes: 0 };
  const open = () => tail.open(source, { from_bytes, onMore: () => void counts.wakes++ });
  return { tail, counts, open };
};

describe('the tail of a log', () => {
  test('gives what was there, then what comes', () => {
    const { tail, open } = reading();
    tail.add(null, 'one\n');
    tail.add('a', 'other\n');
    const reader = open();
    expect(reader.take()).toEqual({ lines: ['one\n'], missed: 0 });
    expect(reader.take()).toEqual({ lines: [], missed: 0 });
    tail.add(null, 'two\n');
    tail.add(null, 'three\n');
    expect(reader.take()).toEqual({ lines: ['two\n', 'three\n'], missed: 0 });
  });

  test('knows which sources have lines', () => {
    const { tail, open } = reading();
    open();
    expect([tail.has(null), tail.has('a')]).toEqual([false, false]);
    tail.add('a', 'one\n');
    expect([tail.has(null), tail.has('a')]).toEqual([false, true]);
  });

  test.each([
    [0, []],
    [3, []],
    [4, ['fé\n']],
    [7, ['fé\n']],
    [8, ['two\n', 'fé\n']],
    [100, ['one\n', 'two\n', 'fé\n']],
  ])('begins with the whole lines of the last %i bytes', (from_bytes, expected) => {
    const { tail, open } = reading(from_bytes);
    for (const line of ['one\n', 'two\n', 'fé\n']) tail.add(null, line);
    expect(open().take().lines).toEqual(expected);
  });

  test('wakes a reader once until it looks, and a closed one never', () => {
    const { tail, open, counts } = reading();
    const reader = open();
    for (let count = 0; count < 100; count++) tail.add(null, 'x\n');
    expect(counts.wakes).toBe(1);
    expect(reader.take().lines).toHaveLength(100);
    tail.add(null, 'x\n');
    expect(counts.wakes).toBe(2);
    reader.take();
    reader.close();
    reader.close();
    tail.add(null, 'x\n');
    expect(counts.wakes).toBe(2);
  });

  test('tells a slow reader how many lines it missed, and keeps no more for it', () => {
    const { tail, open } = reading();
    const reader = open();
    for (let count = 0; count < 2_500; count++) tail.add(null, `${count}\n`);
    const { lines, missed } = reader.take();
    expect([lines.length, missed]).toEqual([1_000, 1_500]);
    expect(lines[0]).toBe('1500\n');
    tail.add(null, 'next\n');
    expect(reader.take()).toEqual({ lines: ['next\n'], missed: 0 });
  });

  test('keeps a bounded number of characters, and at least the last line', () => {
    const { tail, open } = reading();
    for (let count = 0; count < 100; count++) tail.add(null, `${'x'.repeat(9_999)}\n`);
    expect(open().take().lines).toHaveLength(6);
    tail.add(null, `${'x'.repeat(200_000)}\n`);
    expect(
      open()
        .take()
        .lines.map(({ length }) => length),
    ).toEqual([200_001]);
  });

  test('forgets the sources that were silent for longest, but none that is read, nor the instance', () => {
    const { tail, open } = reading(0, 'read');
    tail.add(null, 'x\n');
    const reader = open();
    for (let count = 0; count < 1_000; count++) tail.add(`g${count}`, 'x\n');
    expect([tail.has(null), tail.has('g0'), tail.has('g999')]).toEqual([true, false, true]);
    tail.add('read', 'here\n');
    expect(reader.take().lines).toEqual(['here\n']);
  });
});
