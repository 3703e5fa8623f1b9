import { describe, expect, test } from '@jest/globals';
import { changesOf } from '../../../src/domain/globals/globals.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { GlobalsPatch } from '../../../src/messages/scenarios.js';
import {
  changedSince,
  shownChange,
  steadyKeys,
  toRemove,
  undoFlaw,
  undoOf,
} from '../../../src/ui/pages/scenarios/patches.js';

const patch = (before: JsonObject, after: JsonObject): GlobalsPatch => ({
  number: 1,
  at: '2026-01-01T00:00:00Z',
  user: 'ann',
  kind: 'patch',
  ...changesOf(before, after),
});

describe('undoing a change of globals', () => {
  const change = patch({ rate: 1, gone: [1] }, { rate: 5, made: true });

  test('sets the old values and removes the keys that were missing', () => {
    expect(undoOf(change)).toEqual({ values: { rate: 1, gone: [1] }, remove: ['made'] });
    expect(toRemove(undoOf(change), { made: true, other: 1 })).toEqual(['made']);
    expect(toRemove(undoOf(change), { other: 1 })).toEqual([]);
  });

  test('names the keys that something else has changed since', () => {
    expect(changedSince(change, { rate: 5, made: true, other: 9 })).toEqual([]);
    expect(changedSince(change, { rate: 6, made: true })).toEqual(['rate']);
    expect(changedSince(change, { rate: 5, gone: null })).toEqual(['gone', 'made']);
  });

  test('is not offered where an old value is cut or a key is not named', () => {
    const long = 'x'.repeat(5_000);
    expect(undoFlaw(change)).toBeNull();
    expect(undoFlaw(patch({}, { long }))).toBeNull();
    expect(undoFlaw(patch({ long }, {}))).toContain('long');
    expect(undoFlaw({ ...change, more_keys: 1 })).not.toBeNull();
  });

  test('does not take a new value that was cut for another one', () => {
    const long = 'x'.repeat(5_000);
    const cut = patch({ long: 1 }, { long });
    expect(changedSince(cut, { long })).toEqual([]);
    expect(changedSince(cut, {})).toEqual(['long']);
  });
});

test('a value is shown on one line, a cut one with a mark', () => {
  expect(shownChange({ value: { a: [1] }, is_cut: false })).toBe('{"a":[1]}');
  expect(shownChange({ value: 'x'.repeat(200), is_cut: true })).toBe(`${'x'.repeat(60)}…`);
});

test('values that clients have set and nothing else has changed since are steady', () => {
  const set = (after: JsonObject) => patch({}, after);
  const history = [set({ sale: 20 }), set({ sale: 10, orders: 0 }), set({ note: 'x' })];
  expect(steadyKeys(history, { sale: 20, orders: 0, note: 'x', other: 1 })).toEqual([
    'sale',
    'orders',
    'note',
  ]);
  // A script counts on after a reset.
  expect(steadyKeys(history, { sale: 20, orders: 3, note: 'x' })).toEqual(['sale', 'note']);
  expect(steadyKeys(history, {})).toEqual([]);
  expect(steadyKeys([{ ...set({ orders: 5 }), kind: 'replace' }], { orders: 5 })).toEqual([]);
});
