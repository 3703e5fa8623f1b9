import type { FileHandle } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { chunkReader, pageMaker } from '../../../../src/plugins/events/replay/chunks.js';

const CHUNK = 64 * 1024;

/** A file of `size` bytes; reads end on release, or at once. */
const fakeFile = (size: number) => {
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  let isSlow = false;
  let failing = -1;
  const bytesAt = (length: number, position: number): number =>
    Math.max(0, Math.min(length, size - position));
  const read = async (_: Buffer, __: number, length: number, position: number) => {
    asked.push(position);
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
    if (position === failing) throw new Error('the disk is tired');
    return { bytesRead: bytesAt(length, position) };
  };
  return {
    handle: { read, stat: async () => ({ size }) } as unknown as FileHandle,
    asked,
    slow: (): void => {
      isSlow = true;
    },
    letGo: (): void => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    failAt: (position: number): void => {
      failing = position;
    },
    grow: (bytes: number): void => {
      size += bytes;
    },
  };
};

const readerOf = (file: ReturnType<typeof fakeFile>, chunk_size = CHUNK, monotonicMs = () => 0) =>
  chunkReader(file.handle, { chunk_size, takePage: pageMaker(), spare_bytes: 1, monotonicMs });

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('reading a file in chunks', () => {
  test('reads one chunk ahead while it is ready in time', async () => {
    const file = fakeFile(10 * CHUNK);
    const reader = readerOf(file);
    for (let i = 0; i < 4; i++) {
      expect((await reader.read(i * CHUNK, 0)).bytesRead).toBe(CHUNK);
      await turn();
      expect(file.asked).toEqual(Array.from({ length: i + 2 }, (_, place) => place * CHUNK));
    }
  });

  test('reads up to three in advance once it had to wait, each place once', async () => {
    const file = fakeFile(20 * CHUNK);
    const reader = readerOf(file);
    await reader.read(0, 0);
    await turn();
    file.slow();
    const most: number[] = [];
    for (let i = 1; i < 8; i++) {
      const reading = reader.read(i * CHUNK, 0);
      await turn();
      file.letGo();
      await reading;
      most.push(file.asked.length - 1 - i);
    }
    // The first of them had been read before it was slow.
    expect(most).toEqual([1, 2, 3, 3, 3, 3, 3]);
    expect(file.asked).toEqual(file.asked.map((_, place) => place * CHUNK));
  });

  test('reads more at once only while what was read is used up within a second', async () => {
    const file = fakeFile(1000 * CHUNK);
    let now = 0;
    const reader = readerOf(file, 8 * CHUNK, () => now);
    const sizes: number[] = [];
    let position = 0;
    for (const pause_ms of [0, 2_000, 1_000, 60_000, 999, 2_000, 500]) {
      now += pause_ms;
      const { bytesRead } = await reader.read(position, 0);
      position += bytesRead;
      sizes.push(bytesRead / CHUNK);
    }
    expect(sizes).toEqual([1, 1, 1, 1, 2, 2, 4]);
  });

  test('drops a read-ahead of another position', async () => {
    const file = fakeFile(10 * CHUNK);
    const reader = readerOf(file);
    await reader.read(0, 0);
    await reader.read(5 * CHUNK, 0);
    await turn();
    await reader.read(6 * CHUNK, 0);
    expect(file.asked).toEqual([0, CHUNK, 5 * CHUNK, 6 * CHUNK, 7 * CHUNK]);
  });

  test('tries a failed read again when it is asked again', async () => {
    const file = fakeFile(10 * CHUNK);
    const reader = readerOf(file);
    file.failAt(CHUNK);
    await reader.read(0, 0);
    await expect(reader.read(CHUNK, 0)).rejects.toThrow('tired');
    file.failAt(-1);
    expect((await reader.read(CHUNK, 0)).bytesRead).toBe(CHUNK);
  });

  test('looks again at the end of a file that may have grown', async () => {
    const file = fakeFile(CHUNK);
    const reader = readerOf(file);
    await reader.read(0, 0);
    await turn();
    file.grow(100);
    expect((await reader.read(CHUNK, 0)).bytesRead).toBe(100);
  });

  test('reads chunks that are large one at a time in advance', async () => {
    const large = 16 * 1024 * 1024;
    const file = fakeFile(20 * large);
    const reader = readerOf(file, large);
    // The first reads are small: they grow.
    let position = 0;
    for (let bytes = 0; bytes < large; position += bytes) bytes = (await reader.read(position, 0)).bytesRead;
    file.slow();
    for (let i = 0; i < 3; i++) {
      const before = file.asked.length;
      const reading = reader.read(position, 0);
      await turn();
      file.letGo();
      await reading;
      position += large;
      expect(file.asked.length - before).toBe(1);
    }
  });
});
