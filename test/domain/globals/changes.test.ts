import { describe, expect, test } from '@jest/globals';
import { applyChange, changesOf, parseChanges } from '../../../src/domain/globals/globals.js';
import type { JsonObject } from '../../../src/domain/json.js';

const shown = (value: unknown) => ({ value, is_cut: false });

describe('what a change did to globals', () => {
  test('names the keys that have another value, with both values', () => {
    const before: JsonObject = { same: [1], changed: 1, gone: null };
    expect(changesOf(before, { same: [1], changed: { a: 1 }, made: false })).toEqual({
      keys: [
        { key: 'changed', old: shown(1), new: shown({ a: 1 }) },
        { key: 'gone', old: shown(null), new: null },
        { key: 'made', old: null, new: shown(false) },
      ],
      more_keys: 0,
    });
  });

  test('is not changed by what a script does to the values later', () => {
    const before = { list: [1] };
    const after = applyChange(before, { kind: 'shallow', values: { list: [2] } });
    const changes = changesOf(before, after);
    before.list.push(3);
    (after['list'] as number[]).push(4);
    expect(changes.keys).toEqual([{ key: 'list', old: shown([1]), new: shown([2]) }]);
  });

  test('cuts long values and counts keys beyond a limit', () => {
    const long = 'x'.repeat(5_000);
    const [change] = changesOf({}, { long }).keys;
    expect(change?.new).toEqual({ value: `"${long.slice(0, 199)}`, is_cut: true });
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, n]));
    const { keys, more_keys } = changesOf({}, many);
    expect([keys.length, more_keys]).toEqual([32, 68]);
  });

  test('passes a thread as text, which is checked', () => {
    const changes = changesOf({ a: 1 }, { b: 'x'.repeat(5_000) });
    expect(parseChanges(JSON.stringify(changes))).toEqual(changes);
    for (const text of [
      '',
      'null',
      '{}',
      '{"keys":[],"more_keys":"1"}',
      '{"keys":[{"key":1,"old":null,"new":null}],"more_keys":0}',
      '{"keys":[{"key":"a","old":1,"new":null}],"more_keys":0}',
      '{"keys":[{"key":"a","old":null}],"more_keys":0}',
      ' '.repeat(1_000_000),
    ])
      expect(parseChanges(text)).toBeNull();
  });
});
