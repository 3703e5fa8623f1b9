import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  anyJson,
  decode,
  decodeStored,
  defaulted,
  freeObject,
  integer,
  listOf,
  MAX_FREE_DEPTH,
  mapOf,
  oneKeyOf,
  oneOf,
  optional,
  record,
  required,
  taggedBy,
  text,
} from '../../src/schema/index.js';
import { config, decoded, firstIssue, storedVerdict, verdict } from './support.js';

const help = 'x';
const minimal = { input: [{ static: { count: 1 } }] };
const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'];
const withKey = (key: string, value: unknown) =>
  JSON.parse(`{${JSON.stringify(key)}: ${JSON.stringify(value)}}`);

const nest = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

describe('records', () => {
  test('all problems are reported, in the order of the document, absent keys last, but not one that an unknown key stands for', () => {
    const value = {
      extar: 1,
      input: [{ static: { tags: [1, ''], cuont: 2 } }, { cron: null }, {}],
      params: 5,
    };
    expect(verdict(config, value)).toBe(
      [
        'extar unknown_key',
        'input 0 static tags 0 wrong_type',
        'input 0 static tags 1 too_short',
        'input 0 static cuont unknown_key',
        'input 1 cron wrong_type',
        'input 2 missing',
        'params wrong_type',
      ].join('; '),
    );
  });

  test('a list position is a number in the path, a key that looks like one is text', () => {
    const shape = record({ a: required(mapOf(listOf(integer())), { help }) });
    expect(firstIssue(shape, { a: { 0: [1, 'x'] } })?.path).toEqual(['a', '0', 1]);
  });

  test('an unknown key is named with the nearest known one', () => {
    const issue = firstIssue(record({ count: optional(integer(), { help }) }), { cuont: 1 });
    expect(issue).toEqual({
      path: ['cuont'],
      type: 'unknown_key',
      message: "unknown key 'cuont'",
      hint: "Did you mean 'count'?",
    });
    expect(firstIssue(record({ count: optional(integer(), { help }) }), { xyz: 1 })?.hint).toBe(
      'Known: count.',
    );
    expect(firstIssue(record({}), { xyz: 1 })?.hint).toBe('No key is known here.');
  });

  test.each(PROTOTYPE_NAMES)('%s is an unknown key like any other', (name) => {
    expect(verdict(record({ a: optional(text(), { help }) }), withKey(name, {}))).toBe(`${name} unknown_key`);
    expect(verdict(oneKeyOf({ a: record({}) }), withKey(name, {}))).toBe(`${name} unknown_kind`);
    expect(verdict(taggedBy('format', { a: record({}) }), { format: name })).toBe('format unknown_kind');
  });

  test.each(PROTOTYPE_NAMES)('%s is a key like any other in free objects and maps', (name) => {
    const value = withKey(name, 'v');
    for (const result of [decoded(freeObject(), value), decoded(mapOf(text()), value)]) {
      expect(Object.entries(result)).toEqual([[name, 'v']]);
      expect(Object.getPrototypeOf(result)).toBe(Object.getPrototypeOf({}));
    }
    expect(JSON.stringify(decoded(config, { ...minimal, params: value }).params)).toBe(JSON.stringify(value));
  });

  test('a required field that is inherited is still missing', () => {
    const shape = record({ toString: required(anyJson(), { help }) });
    expect(verdict(shape, {})).toBe('toString missing');
  });

  test('absent and null mean the default or null, and a required null is missing', () => {
    const shape = record({
      a: defaulted(integer(), 7, { help }),
      b: optional(integer(), { help }),
      c: required(integer(), { help }),
    });
    expect(decoded(shape, { c: 1 })).toEqual({ a: 7, b: null, c: 1 });
    expect(decoded(shape, { a: null, b: null, c: 1 })).toEqual({ a: 7, b: null, c: 1 });
    expect(decoded(shape, { a: undefined, c: 1 })).toEqual({ a: 7, b: null, c: 1 });
    expect(verdict(shape, { c: null })).toBe('c missing');
  });

  test('null is a value where the shape takes any JSON', () => {
    expect(decoded(record({ a: required(anyJson(), { help }) }), { a: null })).toEqual({ a: null });
    expect(verdict(record({ a: required(anyJson(), { help }) }), {})).toBe('a missing');
  });

  test.each([null, 1, 'x', [], new Date(0), new Map()])('%p is no object', (value) => {
    expect(verdict(record({}), value)).toBe('wrong_type');
    expect(verdict(freeObject(), value)).toBe('wrong_type');
    expect(verdict(mapOf(text()), value)).toBe('wrong_type');
  });
});

describe('rules', () => {
  const range = (start: unknown, end: unknown) => ({
    cron: { expression: '* * * * *', count: 1, start, end },
  });

  test('a breach is reported at the field that the rule names, beside other problems', () => {
    const value = { input: [{ cron: { ...range('b', 'a').cron, cuont: 1 } }] };
    expect(verdict(config, value)).toBe('input 0 cron cuont unknown_key; input 0 cron start start_after_end');
  });

  test('a rule is not checked when one of its fields could not be read', () => {
    expect(verdict(config, { input: [range('b', 5)] })).toBe('input 0 cron end wrong_type');
  });

  test('a rule is skipped for a stored value only while one of its own fields holds a placeholder', () => {
    const placeholder = '${params.x}';
    expect(storedVerdict(config, { input: [range('b', placeholder)] })).toBe('ok');
    const elsewhere = { cron: { ...range('b', 'a').cron, expression: placeholder, tags: placeholder } };
    expect(storedVerdict(config, { input: [elsewhere] })).toBe('input 0 cron start start_after_end');
  });

  test('a rule sees decoded values, defaults included, and only the fields it names', () => {
    const seen: unknown[] = [];
    const shape = record(
      {
        a: defaulted(integer(), 1, { help }),
        b: optional(integer(), { help }),
        c: optional(integer(), { help }),
      },
      {
        rules: [
          {
            fields: ['a', 'b'],
            check: (value) => {
              seen.push(value);
              return null;
            },
          },
        ],
      },
    );
    decode(shape, { b: '2' });
    decodeStored(shape, { b: '2' });
    expect(seen).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ]);
  });

  test('a breach at the empty name is reported at the object itself', () => {
    const rules = [{ fields: [], check: () => ({ at: '', type: 'nothing', message: 'm' }) }];
    expect(verdict(listOf(record({}, { rules })), [{}])).toBe('0 nothing');
  });
});

describe('unions', () => {
  const shape = oneKeyOf({
    clickhouse: { shape: record({ host: required(text(), { help }) }), aliases: ['columnar_db'] },
    stdout: record({}),
  });

  test('an entry decodes to its kind and the key as written, and encodes back with that key', () => {
    const value = { columnar_db: { host: 'h' } };
    const entry = decoded(shape, value);
    expect(entry).toEqual({ kind: 'clickhouse', alias: 'columnar_db', params: { host: 'h' } });
    expect(shape.codec.encode(entry)).toEqual(value);
    expect(decoded(shape, { stdout: {} })).toEqual({ kind: 'stdout', alias: 'stdout', params: {} });
  });

  test.each([
    [{ stdout: null }, 'stdout wrong_type'],
    [{}, 'missing'],
    [{ stdout: {}, clickhouse: {} }, 'not_one_key'],
    [{ sdtout: {} }, 'sdtout unknown_kind'],
    ['stdout', 'wrong_type'],
    [{ clickhouse: {} }, 'clickhouse host missing'],
  ])('%p is refused as %p', (value, expected) => {
    expect(verdict(shape, value)).toBe(expected);
  });

  test('an unknown kind is answered with the nearest one, aliases included', () => {
    expect(firstIssue(shape, { colmunar_db: {} })?.hint).toBe("Did you mean 'columnar_db'?");
    expect(firstIssue(shape, { stdout: null })?.hint).toBe('Write {} for no keys.');
  });

  const formatter = taggedBy('format', {
    plain: record({}),
    json: record({ indent: defaulted(integer({ min: 0 }), 0, { help }) }),
    relay: { shape: record({}), aliases: ['old-relay'] },
  });

  test('a tagged object decodes by its tag and encodes back, defaults filled', () => {
    const entry = decoded(formatter, { indent: '2', format: 'json' });
    expect(entry).toEqual({ kind: 'json', alias: 'json', params: { indent: 2 } });
    expect(formatter.codec.encode(entry)).toEqual({ format: 'json', indent: 2 });
    const relay = decoded(formatter, { format: 'old-relay' });
    expect(relay).toEqual({ kind: 'relay', alias: 'old-relay', params: {} });
    expect(formatter.codec.encode(relay)).toEqual({ format: 'old-relay' });
  });

  test.each([
    [{}, 'format missing'],
    [{ format: null }, 'format missing'],
    [{ format: 1 }, 'format wrong_type'],
    [{ format: 'jsn' }, 'format unknown_kind'],
    [{ format: 'plain', indent: 1 }, 'indent unknown_key'],
    [{ format: 'json', indent: -1 }, 'indent out_of_range'],
    ['json', 'wrong_type'],
  ])('%p is refused as %p', (value, expected) => {
    expect(verdict(formatter, value)).toBe(expected);
  });
});

describe('lists, maps and free JSON', () => {
  test.each([
    [listOf(integer()), ['1', 2], 'ok'],
    [listOf(integer()), 1, 'wrong_type'],
    [listOf(integer()), null, 'wrong_type'],
    [listOf(integer(), { min: 1 }), [], 'too_short'],
    [listOf(integer()), [1, 'x', null], '1 wrong_type; 2 wrong_type'],
    [mapOf(integer()), { a: 1, b: 'x' }, 'b wrong_type'],
    [freeObject(), { a: [null, { b: 'c' }] }, 'ok'],
    [freeObject(), { a: [0, Number.NaN] }, 'a 1 wrong_type'],
    [freeObject(), { a: undefined }, 'a wrong_type'],
    [anyJson(), 10n, 'wrong_type'],
    [anyJson(), () => 1, 'wrong_type'],
    [anyJson(), null, 'ok'],
  ])('%#: %p is %p', (shape, value, expected) => {
    expect(verdict<unknown>(shape as never, value)).toBe(expected);
  });

  test('free JSON may be as deep as the limit and no deeper', () => {
    expect(verdict(anyJson(), nest(MAX_FREE_DEPTH))).toBe('ok');
    expect(verdict(anyJson(), nest(MAX_FREE_DEPTH + 1))).toBe('too_deep');
  });

  test('a value nested a hundred thousand times is refused, not thrown at', () => {
    const deep = nest(100_000);
    expect(verdict(config, { ...minimal, extra: deep, params: { deep } })).toBe(
      'extra too_deep; params too_deep',
    );
    expect(verdict(config, deep)).toBe('a unknown_key; input missing');
    expect(storedVerdict(config, { ...minimal, extra: deep })).toBe('extra too_deep');
  });

  test('a value that holds itself is refused as too deep', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(verdict(freeObject(), loop)).toBe('too_deep');
  });

  test('a report is limited and its last entry counts the rest', () => {
    const result = decode(listOf(integer(), { max: 200_000 }), Array(200_000).fill('x'));
    if (E.isRight(result)) throw new Error('decodes');
    expect(result.left).toHaveLength(1001);
    expect(result.left.at(-1)).toEqual({ path: [], type: 'too_many', message: 'has 199000 more problems' });
  });
});

describe('secrets in messages', () => {
  test('a secret field reports only what it should be', () => {
    const leaky = text({ check: (s) => ({ type: 'bad', message: `'${s}' is bad`, hint: `not ${s}` }) });
    const shape = record({ key: required(leaky, { help, secret: true }) });
    expect(firstIssue(shape, { key: 'hunter2' })).toEqual({
      path: ['key'],
      type: 'bad',
      message: 'must be text',
    });
    const inner = record({
      auth: required(record({ key: required(oneOf(['a']), { help }) }), { help, secret: true }),
    });
    expect(JSON.stringify(firstIssue(inner, { auth: { key: 'hunter2' } }))).not.toContain('hunter2');
  });
});
