import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  custom,
  decode,
  decodeStored,
  listOf,
  record,
  required,
  respelled,
  text,
} from '../../src/schema/index.js';
import { left, right } from '../support/either.js';

interface Version {
  readonly major: number;
}

const version = custom<string, Version>({
  base: text({ pattern: /^v/, label: 'version' }),
  label: 'version',
  schema: { type: 'string', pattern: '^v' },
  is: (value): value is Version => typeof value === 'object' && value !== null && 'major' in value,
  decode: (written) =>
    /^v\d+$/.test(written)
      ? E.right({ major: Number(written.slice(1)) })
      : E.left({ type: 'bad_format', message: 'must be v and a number' }),
  encode: ({ major }) => `v${major}`,
});
const shape = record({ since: required(version, { help: 'x' }) });

describe('a custom shape', () => {
  test('decodes to its own type and encodes to what files hold', () => {
    const decoded = right(decode(shape, { since: 'v3' }));
    expect(decoded).toEqual({ since: { major: 3 } });
    expect(shape.codec.encode(decoded)).toEqual({ since: 'v3' });
    expect(shape.codec.is(decoded)).toBe(true);
    expect(shape.codec.is({ since: 'v3' })).toBe(false);
  });

  test.each([
    ['x', 'bad_format', /version/],
    ['vx', 'bad_format', /v and a number/],
    ['v'.repeat(5_000), 'too_long', /4096/],
    [3, 'wrong_type', /must be text/],
  ])('reports %j at its path, with the errors of its base or its own', (since, type, message) => {
    for (const result of [decode(shape, { since }), decodeStored(shape, { since })]) {
      expect(left(result)).toEqual([
        expect.objectContaining({ path: ['since'], type, message: expect.stringMatching(message) }),
      ]);
    }
  });

  test('keeps a placeholder that a file stores, and reads the value that replaces it', () => {
    const since = '${params.since}';
    expect(right(decodeStored(shape, { since }))).toEqual({ since });
    expect(right(decodeStored(shape, { since: 'v4' }))).toEqual({ since: 'v4' });
  });

  test('may be read by another base for another kind of value', () => {
    const either = custom<string | readonly string[], readonly string[]>({
      base: (value) => (Array.isArray(value) ? listOf(text()) : text()) as never,
      label: 'names',
      schema: {},
      is: (value): value is readonly string[] => Array.isArray(value),
      decode: (given) => E.right(typeof given === 'string' ? given.split(' ') : given),
      encode: (names) => names,
    });
    expect([right(decode(either, 'a b')), right(decode(either, ['c']))]).toEqual([['a', 'b'], ['c']]);
    expect(left(decode(either, ['c', 1]))).toMatchObject([{ path: [1] }]);
    expect(right(decodeStored(either, 'a b'))).toEqual(['a', 'b']);
  });
});

describe('a shape with one more spelling', () => {
  const names = respelled(listOf(text()), (value) => (typeof value === 'string' ? [value] : value), {
    label: 'name, or list of names',
  });

  test('accepts both and gives one', () => {
    expect([right(decode(names, 'a')), right(decode(names, ['a']))]).toEqual([['a'], ['a']]);
    expect(right(decodeStored(names, 'a'))).toEqual(['a']);
    expect(names.label).toBe('name, or list of names');
  });
});
