import { describe, expect, test } from '@jest/globals';
import { applyChange } from '../../../src/domain/globals/globals.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import {
  changed,
  edited,
  type GlobalEdit,
  globalAt,
  globalsPatchOf,
} from '../../../src/ui/pages/scenarios/edits.js';

const globals: JsonObject = {
  sale: 20,
  banner: { text: 'Sale', sizes: [1, { a: null }], deep: { x: 1 } },
  list: [1, 2, 3],
};

/** What the service makes of an edit; a rewrite sends the whole top-level value. */
const served = (edit: GlobalEdit): JsonObject => {
  const patch = globalsPatchOf(edit);
  const [key] = edit.path;
  const values = { [key]: globalAt(changed(globals, edit.path, edit.value), [key]) as Json };
  return applyChange(globals, patch.kind === 'rewrite' ? { kind: 'shallow', values } : patch);
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

describe('an edit', () => {
  test.each<[string, GlobalEdit, Json]>([
    ['sets a key', { path: ['sale'], value: 30 }, { ...globals, sale: 30 }],
    ['sets a key to null', { path: ['sale'], value: null }, { ...globals, sale: null }],
    ['adds a key', { path: ['new'], value: { a: [] } }, { ...globals, new: { a: [] } }],
    ['removes a key', { path: ['list'] }, { sale: 20, banner: globals['banner'] as Json }],
    [
      'sets a nested value',
      { path: ['banner', 'text'], value: 'Now' },
      { ...globals, banner: { text: 'Now', sizes: [1, { a: null }], deep: { x: 1 } } },
    ],
    [
      'replaces a nested object as a whole',
      { path: ['banner', 'deep'], value: { y: 2 } },
      { ...globals, banner: { text: 'Sale', sizes: [1, { a: null }], deep: { y: 2 } } },
    ],
    [
      'sets a nested value to null',
      { path: ['banner', 'deep', 'x'], value: null },
      { ...globals, banner: { text: 'Sale', sizes: [1, { a: null }], deep: { x: null } } },
    ],
    [
      'removes a nested value',
      { path: ['banner', 'deep', 'x'] },
      { ...globals, banner: { text: 'Sale', sizes: [1, { a: null }], deep: {} } },
    ],
    [
      'sets an item of a list',
      { path: ['banner', 'sizes', 1, 'a'], value: 5 },
      { ...globals, banner: { text: 'Sale', sizes: [1, { a: 5 }], deep: { x: 1 } } },
    ],
    ['removes an item of a list', { path: ['list', 1] }, { ...globals, list: [1, 3] }],
  ])('%s, in the service as on the page', (_, edit, expected) => {
    expect(plain(served(edit))).toEqual(expected);
    expect(plain(edited(globals, edit))).toEqual(expected);
  });

  test('leaves the keys beside a nested one out of the request', () => {
    expect(globalsPatchOf({ path: ['banner', 'text'], value: 'x' })).toEqual({
      kind: 'rfc7386',
      values: { banner: { text: 'x' } },
    });
  });

  test('keeps __proto__ an ordinary key', () => {
    const own = JSON.parse('{"__proto__": 1}') as JsonObject;
    expect(Object.keys(changed({}, ['__proto__'], 1) as object)).toEqual(Object.keys(own));
  });

  test('of a part whose parent is gone changes nothing', () => {
    expect(changed(globals, ['gone', 'x'], 1)).toEqual(globals);
    expect(changed(globals, ['list', 9], 1)).toEqual(globals);
    expect(changed(globals, ['sale', 'x'], 1)).toEqual(globals);
  });
});
