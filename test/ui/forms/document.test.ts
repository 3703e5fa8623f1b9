import { describe, expect, test } from '@jest/globals';
import { settingsShape } from '../../../src/config/settings/shape.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';
import {
  type FieldLocation,
  fieldDifferences,
  layered,
  maskedValue,
  moved,
  valueAt,
  withoutDefaults,
  withValue,
} from '../../../src/ui/forms/document.js';

const document: JsonObject = { a: 1, b: { c: [1, { d: 2 }], e: null } };

describe('a value', () => {
  test.each<[FieldLocation, Json | undefined, Json]>([
    [['a'], 2, { a: 2, b: document['b'] as Json }],
    [['a'], undefined, { b: document['b'] as Json }],
    [['b', 'c', 1, 'd'], 3, { a: 1, b: { c: [1, { d: 3 }], e: null } }],
    [['b', 'c', 0], undefined, { a: 1, b: { c: [{ d: 2 }], e: null } }],
    [['b', 'c', 2], 'new', { a: 1, b: { c: [1, { d: 2 }, 'new'], e: null } }],
    [['b', 'e', 'x', 'y'], true, { a: 1, b: { c: [1, { d: 2 }], e: { x: { y: true } } } }],
    [['new', 'x'], 1, { a: 1, b: document['b'] as Json, new: { x: 1 } }],
  ])('is set at %j', (place, value, expected) => {
    const next = withValue(document, place, value);
    expect(next).toEqual(expected);
    if (value !== undefined) expect(valueAt(next, place)).toEqual(value);
  });

  test('keeps the order of keys', () => {
    expect(Object.keys(withValue({ x: 1, y: 2 }, ['x'], 3) as JsonObject)).toEqual(['x', 'y']);
  });
});

test('items move within their list', () => {
  expect(moved([1, 2, 3], 0, 1)).toEqual([2, 1, 3]);
  expect(moved([1, 2, 3], 2, 0)).toEqual([3, 1, 2]);
  expect(moved([1, 2], 1, 2)).toEqual([1, 2]);
  expect(moved([1, 2], 0, -1)).toEqual([1, 2]);
});

test('differences are the smallest parts of objects, and lead from one document to the other', () => {
  const before: JsonObject = { same: [1], gone: 1, list: [1, 2], deep: { a: 1, b: 2 } };
  const after: JsonObject = { same: [1], list: [2], deep: { a: 1, b: 3 }, added: null };
  const found = fieldDifferences(before, after);
  expect(found).toEqual([
    { location: ['gone'], before: 1, after: undefined },
    { location: ['list'], before: [1, 2], after: [2] },
    { location: ['deep', 'b'], before: 2, after: 3 },
    { location: ['added'], before: undefined, after: null },
  ]);
  expect(
    found.reduce<Json>((value, { location, after: next }) => withValue(value, location, next), before),
  ).toEqual(after);
});

test('differences never show a secret', () => {
  const base: JsonObject = { server: { auth: { user: null, password: null } } };
  const value: JsonObject = { server: { auth: { user: 'ann', password: 'hunter22' } } };
  expect(maskedValue(settingsShape, fieldDifferences(base, value), { base, value })).toEqual([
    { location: ['server', 'auth', 'user'], before: null, after: 'ann' },
    { location: ['server', 'auth', 'password'], before: null, after: '********' },
  ]);
});

test('a document without its defaults is the same over them', () => {
  const defaults: JsonObject = { zone: 'UTC', batch: { size: 10, delay: 1 }, seed: null };
  const value: JsonObject = { path: 'x', zone: 'UTC', batch: { size: 10, delay: null }, seed: null };
  const own = withoutDefaults(value, defaults);
  expect(own).toEqual({ path: 'x', batch: { delay: null } });
  expect(layered(own, defaults)).toEqual(value);
});
