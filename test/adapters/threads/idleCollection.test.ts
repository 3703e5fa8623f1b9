import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { collectGarbage, idleCollector } from '../../../src/adapters/threadMemory.js';
import { execFileSync } from '../../support/programs.js';

const MB = 1024 * 1024;

const BUILT = pathToFileURL(join(process.cwd(), 'dist', 'src', 'adapters', 'threadMemory.js')).href;

/** Four threads that collect at the same time, again and again. */
const THREADS = `
const { isMainThread, Worker } = require('node:worker_threads');
if (isMainThread) for (let i = 0; i < 3; i++) new Worker(process.env.PROGRAM, { eval: true });
import('${BUILT}').then(async ({ collectGarbage }) => {
  for (let i = 0; i < 40; i++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
});
`;

/** A heap that holds 10 MB, grows as told, and is busy as told. */
const heapOf = () => {
  const state = { usedMb: 10, busy: 0.01, collections: 0, canCollect: true };
  const look = idleCollector({
    usedBytes: () => state.usedMb * MB,
    utilization: () => state.busy,
    collect: () => {
      state.collections++;
      if (state.canCollect) state.usedMb = Math.min(state.usedMb, 10);
      return state.canCollect;
    },
  });
  return {
    state,
    /** Collections after a look at a heap of this size. */
    collectionsAt: (usedMb: number, busy = 0.01): number => {
      state.usedMb = usedMb;
      state.busy = busy;
      look();
      return state.collections;
    },
  };
};

describe('the heap of an idle thread', () => {
  test('is collected after the start, and whenever it has grown by 4 MB since', () => {
    const { collectionsAt } = heapOf();
    expect([15, 11, 13.9, 14, 12, 15].map((mb) => collectionsAt(mb))).toEqual([1, 1, 1, 2, 2, 3]);
  });

  test('is left alone while the process is at work, and while it is large', () => {
    const { collectionsAt } = heapOf();
    expect([collectionsAt(20, 0.5), collectionsAt(31, 0.051), collectionsAt(33), collectionsAt(500)]).toEqual(
      [0, 0, 0, 0],
    );
    expect(collectionsAt(20, 0.05)).toBe(1);
  });

  test('is measured from what a collection of V8 itself left', () => {
    const { collectionsAt } = heapOf();
    expect([20, 5, 8.9, 9].map((mb) => collectionsAt(mb))).toEqual([1, 1, 1, 2]);
  });

  test('is collected at the next look where it could not be at this one', () => {
    const { state, collectionsAt } = heapOf();
    state.canCollect = false;
    expect(collectionsAt(20)).toBe(1);
    state.canCollect = true;
    expect([20, 20].map((mb) => collectionsAt(mb - 8))).toEqual([2, 2]);
  });

  test('frees unreachable memory, and does not expose gc to scripts', async () => {
    const lost = new WeakRef({ text: 'x'.repeat(1000) });
    // What a reference was made of stays until the end of the turn.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect(lost.deref()).toBeUndefined();
    expect('gc' in globalThis).toBe(false);
  });

  test('is collected by several threads at once, though the flag for it is one for all', () => {
    const env = { ...process.env, PROGRAM: THREADS };
    expect(execFileSync(process.execPath, ['-e', THREADS], { env, encoding: 'utf8' })).toBe('');
  });
});
