import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { decode, decodeStored, expandDotted } from '../../../../../../src/schema/index.js';
import { shape } from './support.js';

const verdict = (samples: unknown): readonly string[] => {
  const result = decode(shape, { samples });
  return E.isRight(result)
    ? ['ok']
    : result.left.map(({ path, type, message }) => `${path.join(' ')}: ${type}: ${message}`);
};

test('without samples there are none', () => {
  expect(decode(shape, {})).toEqual(E.right({ samples: {} }));
});

test('each type is read with its defaults and written back as it was read', () => {
  const samples = {
    a: { type: 'items', source: [{ 'deep.key': 1 }, 'x', null] },
    b: { type: 'csv', source: 'b.csv' },
    c: { type: 'json', source: '/data/c.json' },
  };
  const result = decode(shape, { samples });
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  expect(result.right.samples['b']).toMatchObject({
    kind: 'csv',
    params: { source: 'b.csv', header: false, delimiter: ',', quotechar: '"' },
  });
  expect(shape.codec.encode(result.right)).toEqual({
    samples: { ...samples, b: { ...samples.b, header: false, delimiter: ',', quotechar: '"' } },
  });
});

describe('a config is refused, at its place, for', () => {
  test.each([
    ['no type', { source: [1] }, 'samples x type: missing: is required'],
    ['an unknown type', { type: 'xml', source: 'x' }, "samples x type: unknown_kind: unknown type 'xml'"],
    [
      'a key of another type',
      { type: 'json', source: 'x.json', header: true },
      "samples x header: unknown_key: unknown key 'header'",
    ],
    ['no source', { type: 'csv' }, 'samples x source: missing: is required'],
    ['no items', { type: 'items', source: [] }, 'samples x source: too_short: must have at least 1 item'],
    [
      'items that are no list',
      { type: 'items', source: 'a,b' },
      'samples x source: wrong_type: must be a list, not text',
    ],
    [
      'CSV with another ending',
      { type: 'csv', source: 'x.txt' },
      'samples x source: bad_format: must be path ending in .csv',
    ],
    [
      'JSON with another ending',
      { type: 'json', source: 'x.json.bak' },
      'samples x source: bad_format: must be path ending in .json',
    ],
    [
      'a NUL character in a path',
      { type: 'csv', source: 'x\0.csv' },
      'samples x source: not_allowed: must not contain a NUL character',
    ],
    [
      'a delimiter of two characters',
      { type: 'csv', source: 'x.csv', delimiter: '||' },
      'samples x delimiter: bad_format: must be one character, not a line break',
    ],
    [
      'an empty quotechar',
      { type: 'csv', source: 'x.csv', quotechar: '' },
      'samples x quotechar: bad_format: must be one character, not a line break',
    ],
    [
      'a line break as delimiter',
      { type: 'csv', source: 'x.csv', delimiter: '\n' },
      'samples x delimiter: bad_format: must be one character, not a line break',
    ],
    [
      'delimiter and quotechar alike',
      { type: 'csv', source: 'x.csv', delimiter: '"' },
      'samples x quotechar: not_allowed: must differ from delimiter',
    ],
  ])('%s', (_, config, problem) => {
    expect(verdict({ x: config })).toEqual([problem]);
  });
});

test('a character beyond the first plane of Unicode is one character', () => {
  expect(verdict({ x: { type: 'csv', source: 'x.csv', delimiter: '😀' } })).toEqual(['ok']);
});

test('dotted keys of names and items are not expanded', () => {
  const document = {
    samples: { 'a.b': { type: 'items', source: [{ 'x.y': { 'z.w': 1 } }] } },
  };
  expect(expandDotted(document, shape)).toEqual(E.right(document));
});

test('stored configs may hold placeholders', () => {
  const samples = {
    x: { type: 'csv', source: '${params.file}', header: true, delimiter: '${params.delimiter}' },
  };
  const result = decodeStored(shape, { samples });
  expect(E.isRight(result) ? result.right : null).toMatchObject({ samples });
});
