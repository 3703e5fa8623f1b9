import { describe, expect, test } from '@jest/globals';
import { globalsView, makeOwnedGlobals, ownedGlobalsText } from '../../../src/domain/globals/owned.js';
import type { Json, JsonObject } from '../../../src/domain/json.js';

const home = (values: JsonObject = {}) => makeOwnedGlobals('home', values, 0);
const viewOf = (values: JsonObject, ...others: readonly JsonObject[]) => {
  const owned = home(values);
  const rest = others.map((other, index) => makeOwnedGlobals(`other${index}`, other, 0));
  return { owned, view: globalsView(owned, rest), rest };
};

describe('globals at home', () => {
  test('get returns the value, the fallback or null; null is a value', () => {
    const { view } = viewOf({ a: 1, nothing: null });
    expect([view.get('a'), view.get('b'), view.get('b', 7), view.get('nothing', 7)]).toEqual([
      1,
      null,
      7,
      null,
    ]);
    expect([view.has('nothing'), view.has('b')]).toEqual([true, false]);
  });

  test('set, update and delete change it and mark it for saving', () => {
    for (const change of ['set', 'update', 'delete', 'increment'] as const) {
      const { owned, view } = viewOf({ a: 1 });
      expect(owned.isDirty).toBe(false);
      if (change === 'set') view.set('a', 2);
      if (change === 'update') view.update({ a: 2, b: 3 });
      if (change === 'delete') expect(view.delete('a')).toBe(true);
      if (change === 'increment') expect(view.increment('a')).toBe(2);
      expect([change, owned.isDirty]).toEqual([change, true]);
    }
  });

  test('reading a plain value or deleting what is not there marks nothing', () => {
    const { owned, view } = viewOf({ a: 1 });
    view.get('a');
    view.snapshot();
    expect(view.delete('b')).toBe(false);
    expect(owned.isDirty).toBe(false);
  });

  test('a returned object is the stored one, and marks the globals as changed', () => {
    const { owned, view } = viewOf({ list: [1] });
    (view.get('list') as number[]).push(2);
    expect(owned.isDirty).toBe(true);
    expect(view.get('list')).toEqual([1, 2]);
  });

  test('increment starts at 0, adds, and refuses values that are no numbers', () => {
    const { view } = viewOf({ word: 'x' });
    expect([view.increment('n'), view.increment('n', 4), view.increment('n', -2)]).toEqual([1, 5, 3]);
    expect(() => view.increment('word')).toThrow('increment("word"): the value there is string');
  });

  test.each([undefined, () => 1, Symbol('x')])('refuses what JSON has no word for: %p', (value) => {
    const { view, owned } = viewOf({});
    expect(() => view.set('k', value as unknown as Json)).toThrow('JSON values only');
    expect(ownedGlobalsText(owned).text).toBe('{}');
  });

  test('a full state refuses new values and lets keys go', () => {
    const { view, owned } = viewOf({ a: 1, b: 2 });
    owned.isFull = true;
    expect(() => view.set('a', 2)).toThrow('delete keys first');
    expect(() => view.increment('a')).toThrow('delete keys first');
    expect(view.delete('a')).toBe(true);
    expect(view.get('b')).toBe(2);
  });

  test('"__proto__" and "constructor" are keys like any others', () => {
    const { view } = viewOf({});
    expect([view.has('constructor'), view.has('__proto__'), view.get('toString')]).toEqual([
      false,
      false,
      null,
    ]);
    view.set('__proto__', { x: 1 });
    expect(JSON.stringify(view.snapshot())).toBe('{"__proto__":{"x":1}}');
  });
});

describe('globals of other scenarios', () => {
  test('provide keys missing at home, in order', () => {
    const { view } = viewOf({ a: 'home' }, { a: 'no', b: 'first' }, { b: 'no', c: 'second' });
    expect(['a', 'b', 'c', 'd'].map((key) => view.get(key))).toEqual(['home', 'first', 'second', null]);
    expect([view.has('c'), view.has('d')]).toEqual([true, false]);
  });

  test('are available by name; others are undefined', () => {
    const { view } = viewOf({ a: 'home' }, { a: 'other' });
    expect(view.scenario('other0')?.get('a')).toBe('other');
    expect(view.scenario('home')?.get('a')).toBe('home');
    expect(view.scenario('else')).toBeUndefined();
  });

  test('are returned as copies and never written', () => {
    const { view, rest } = viewOf({}, { list: [1] });
    (view.get('list') as number[]).push(2);
    view.set('list', 'mine');
    expect(rest[0]).toMatchObject({ values: { list: [1] }, isDirty: false });
    expect(view.get('list')).toBe('mine');
    expect(view.delete('list')).toBe(true);
    expect(view.get('list')).toEqual([1]);
    expect(view.delete('list')).toBe(false);
  });
});

describe('text of globals', () => {
  test('follows JSON: dates become ISO text, what is no JSON inside an object is left out', () => {
    const owned = home();
    owned.values['date'] = new Date(0) as unknown as Json;
    owned.values['inside'] = { skip: undefined, kept: Number.NaN } as unknown as Json;
    expect(ownedGlobalsText(owned)).toEqual({
      text: '{"date":"1970-01-01T00:00:00.000Z","inside":{"kept":null}}',
      unsaved: [],
    });
  });

  test('names values that cannot be saved and keeps the rest', () => {
    const owned = home({ a: 1 });
    owned.values['big'] = 1n as unknown as Json;
    owned.values['b'] = 2;
    expect(ownedGlobalsText(owned)).toEqual({ text: '{"a":1,"b":2}', unsaved: ['big'] });
  });

  test('globals do not share values with their initial state', () => {
    const values = { list: [1] };
    const owned = home(values);
    values.list.push(2);
    expect(ownedGlobalsText(owned).text).toBe('{"list":[1]}');
  });
});
