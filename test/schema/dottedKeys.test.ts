import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../src/domain/json.js';
import { expandDotted } from '../../src/schema/index.js';
import { config } from './support.js';

const expanded = (value: Json): Json => {
  const result = expandDotted(value, config);
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const conflicts = (value: Json): readonly string[] => {
  const result = expandDotted(value, config);
  return E.isLeft(result)
    ? result.left.map((issue) => `${issue.type} ${issue.path.join(' ')}: ${issue.message}`)
    : [];
};

describe('dotted keys', () => {
  test.each<[string, Json, Json]>([
    ['one level', { 'output.mode': 'append' }, { output: { mode: 'append' } }],
    ['in lists', { input: [{ 'static.count': 1 }] }, { input: [{ static: { count: 1 } }] }],
    [
      'several levels',
      { 'output.formatter.format': 'json', 'output.formatter.indent': 2 },
      { output: { formatter: { format: 'json', indent: 2 } } },
    ],
    [
      'both spellings merged',
      { output: { mode: 'append' }, 'output.formatter': { format: 'json' }, 'output.formatter.indent': 2 },
      { output: { mode: 'append', formatter: { format: 'json', indent: 2 } } },
    ],
    [
      'dotted inside nested, merged',
      { output: { 'formatter.format': 'json' }, 'output.formatter': { indent: 2 } },
      { output: { formatter: { indent: 2, format: 'json' } } },
    ],
    ['empty objects stay', { output: {} }, { output: {} }],
    [
      'empty parts stay',
      { 'output.': 1, '.output': 1, 'output..mode': 1 },
      { 'output.': 1, '.output': 1, 'output..mode': 1 },
    ],
    ['unknown prefixes stay', { 'outptu.mode': 1, 'a.b': 1 }, { 'outptu.mode': 1, 'a.b': 1 }],
    [
      'an unknown last part is expanded, so that its place is named',
      { 'output.mdoe': 1 },
      { output: { mdoe: 1 } },
    ],
    ['nothing below a scalar', { 'output.mode.x': 1 }, { output: { 'mode.x': 1 } }],
    ['not through a list', { 'input.0': 1 }, { 'input.0': 1 }],
    ['keys of free objects stay', { params: { 'a.b': { 'c.d': 1 } } }, { params: { 'a.b': { 'c.d': 1 } } }],
    ['the rest of a key below a free object stays whole', { 'params.a.b': 1 }, { params: { 'a.b': 1 } }],
    ['header names stay', { 'output.headers.X.Y': 'v' }, { output: { headers: { 'X.Y': 'v' } } }],
    [
      'keys of a map stay, those of its declared values are expanded',
      { output: { targets: { 'a.b': { level: 1 } } } },
      { output: { targets: { 'a.b': { level: 1 } } } },
    ],
    [
      'different keys of a free object are merged',
      { params: { a: 1 }, 'params.b': 2 },
      { params: { a: 1, b: 2 } },
    ],
  ])('%s', (_, value, expected) => {
    expect(expanded(value)).toEqual(expected);
  });

  test.each<[Json, string]>([
    [
      { input: [{ static: { count: 1 }, 'static.count': 1 }] },
      "conflict input 0 static count: 'input[0].static.count'",
    ],
    [{ output: 1, 'output.mode': 1 }, "conflict output: 'output'"],
    [{ 'output.mode': 'a', output: { mode: 'a' } }, "conflict output mode: 'output.mode'"],
    [{ params: { a: { b: 1 } }, 'params.a': { c: 1 } }, "conflict params a: 'params.a'"],
  ])('%p is a conflict that names the full path', (value, expected) => {
    expect(conflicts(value)).toEqual([`${expected} is set twice, or once as a value and once as an object`]);
  });

  test('a prototype name is a key like any other', () => {
    const value: Json = JSON.parse('{"__proto__.x": 1, "params.__proto__": 2, "constructor.name": 3}');
    expect(JSON.stringify(expanded(value))).toBe(
      '{"__proto__.x":1,"params":{"__proto__":2},"constructor.name":3}',
    );
  });

  test('never throws, and changes nothing the second time', () => {
    const key = fc.constantFrom(
      'output',
      'output.mode',
      'params.a',
      'params',
      'input',
      'output.formatter.indent',
      'a.b',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })), (raw) => {
        const result = expandDotted(JSON.parse(JSON.stringify(raw)), config);
        if (E.isRight(result)) expect(expandDotted(result.right, config)).toEqual(result);
      }),
      { numRuns: 300 },
    );
  });
});
