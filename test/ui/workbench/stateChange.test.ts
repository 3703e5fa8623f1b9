import { expect, test } from '@jest/globals';
import {
  parsedState,
  stateAliasesOf,
  stateChange,
} from '../../../src/ui/pages/workbench/preview/stateChange.js';

test('only keys with other values change; missing ones are removed', () => {
  expect(stateChange({ a: 1, b: { c: [1] }, d: 0 }, { a: 2, b: { c: [1] }, e: null })).toEqual({
    values: { a: 2, e: null },
    removed: ['d'],
  });
});

test('a state is a JSON object; an empty text is an empty one', () => {
  expect(parsedState('{"a": 1}')).toEqual({ a: 1 });
  expect(parsedState(' ')).toEqual({});
  expect(parsedState('[1]')).toMatch(/Write a JSON object/);
  expect(parsedState('{')).toMatch(/not JSON/);
});

test('templates have their aliases, other plugins none', () => {
  const templates = [{ ok: { template: 'a.jinja' } }, { failed: { template: 'b.jinja' } }];
  expect(stateAliasesOf({ template: { mode: 'all', templates } })).toEqual(['ok', 'failed']);
  expect(stateAliasesOf({ script: { path: 'x.mjs' } })).toEqual([]);
  expect(stateAliasesOf(null)).toEqual([]);
});
