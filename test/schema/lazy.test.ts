import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { decode, oneKeyOf, optionTable, record, required, text } from '../../src/schema/index.js';
import { lazily } from '../../src/schema/shape.js';

const help = 'x';

describe('a lazy object', () => {
  test('is made at the first look, once', () => {
    let made = 0;
    const object = lazily(() => {
      made++;
      return { a: 1, b: 2 };
    });
    expect(made).toBe(0);
    expect(object.a).toBe(1);
    expect({ ...object, c: 3 }).toEqual({ a: 1, b: 2, c: 3 });
    expect([Object.keys(object), Object.hasOwn(object, 'b'), 'x' in object]).toEqual([
      ['a', 'b'],
      true,
      false,
    ]);
    expect(made).toBe(1);
  });

  test('works for frozen objects, too', () => {
    expect(Object.entries(lazily(() => Object.freeze({ a: 1 })))).toEqual([['a', 1]]);
  });
});

describe('a union', () => {
  const made: string[] = [];
  const kind = (name: string) =>
    record(
      lazily(() => {
        made.push(name);
        return { value: required(text(), { help }) };
      }),
    );
  const union = oneKeyOf({ one: kind('one'), two: kind('two') });

  test('makes the fields of the kinds that it reads, and no others', () => {
    expect(union.label).toBe('one of one, two');
    expect(decode(union, { one: { value: 'x' } })).toEqual(
      E.right({ kind: 'one', alias: 'one', params: { value: 'x' } }),
    );
    expect(E.isLeft(decode(union, { three: {} }))).toBe(true);
    expect(made).toEqual(['one']);
  });

  test('makes those of all for its schema', () => {
    expect(Object.keys(union.schema['properties'] as object)).toEqual(['one', 'two']);
    expect(made).toEqual(['one', 'two']);
    expect(optionTable(kind('three').fields ?? {})).toContain('`value`');
  });
});
