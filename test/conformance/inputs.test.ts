import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../src/domain/json.js';
import type { Input } from '../../src/plugins/kit.js';
import { registry } from '../../src/plugins/registry.js';
import {
  contextIn,
  declarationTests,
  decoded,
  inFolder,
  NOW,
  openDescriptors,
  right,
  rowsOf,
  setUpOf,
} from './support.js';

/** Takes up to `count` timestamps, at most `step` at a time. */
const take = (input: Input, count: number, step = 16): readonly number[] => {
  const taken: number[] = [];
  while (taken.length < count) {
    const out = new Float64Array(Math.min(step, count - taken.length));
    const got = input.fill(out);
    expect(got).toBeLessThanOrEqual(out.length);
    if (got === 0) break;
    taken.push(...out.subarray(0, got));
  }
  return taken;
};

describe.each(rowsOf('input'))('input %s', (name, spec) => {
  declarationTests('input', name, spec);

  const build = async (folder: string, index: number, skipPast = false): Promise<Input> => {
    const params = spec.examples[index]?.params ?? {};
    (await setUpOf('input', name)).prepare?.(folder, params);
    const plugin = await registry.input(name);
    return right(await plugin.build(decoded(spec, params), { ...contextIn(folder), now: NOW, skipPast }));
  };

  const each = (work: (index: number, folder: string) => Promise<void>): Promise<void> =>
    inFolder(async (folder) => {
      for (const index of spec.examples.keys()) await work(index, folder);
    });

  test('timestamps are whole microseconds in ascending order, in pieces of any size', () =>
    each(async (index, folder) => {
      const all = take(await build(folder, index), 300);
      expect(all.length > 0).toBe((await setUpOf('input', name)).isInteractive !== true);
      expect(all.every(Number.isSafeInteger)).toBe(true);
      expect(all).toEqual([...all].sort((a, b) => a - b));
      expect(take(await build(folder, index), all.length, 1)).toEqual(all);
    }));

  test('the same seed gives the same timestamps', () =>
    each(async (index, folder) => {
      const [one, two] = [await build(folder, index), await build(folder, index)];
      expect(take(one, 300)).toEqual(take(two, 300));
    }));

  test('a restored input goes on with the very next timestamp', () =>
    each(async (index, folder) => {
      const original = await build(folder, index);
      take(original, 7);
      const state = JSON.parse(JSON.stringify(original.snapshot())) as Json;
      const restored = await build(folder, index);
      restored.restore(state);
      expect(take(restored, 100)).toEqual(take(original, 100));
    }));

  test('an input that has ended stays ended', () =>
    each(async (index, folder) => {
      const input = await build(folder, index);
      if (take(input, 2_000, 500).length === 2_000) return;
      expect(input.fill(new Float64Array(4))).toBe(0);
      expect(input.fill(new Float64Array(4))).toBe(0);
    }));

  test('with skip_past nothing lies before the start of generation', () =>
    each(async (index, folder) => {
      const input = await build(folder, index, true);
      for (const micros of take(input, 100)) expect(micros).toBeGreaterThanOrEqual(NOW);
    }));

  test('building it twice and dropping it in the middle leaves nothing open', () =>
    each(async (index, folder) => {
      const before = openDescriptors();
      take(await build(folder, index), 10);
      take(await build(folder, index), 10);
      expect(openDescriptors()).toEqual(before);
    }));
});
