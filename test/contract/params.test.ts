import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  booleanParam,
  filePathParam,
  integerParam,
  keyParam,
  nameParam,
  percentDecode,
  spanParam,
  textsParam,
  zoneParam,
} from '../../src/contract/params.js';

describe('query parameters', () => {
  test.each([
    ['true', true],
    ['1', true],
    ['YES', true],
    ['false', false],
    ['0', false],
    ['no', false],
  ])('boolean %s', (text, value) => {
    expect(booleanParam(true, '').decode([text])).toEqual(E.right(value));
  });

  test.each(['', '2', 'maybe', 'null', 'constructor', '__proto__'])('boolean %j is refused', (text) => {
    expect(booleanParam(true, '').decode([text])).toMatchObject({ left: { type: 'wrong_type' } });
  });

  test.each([
    ['1', 1],
    ['1000000', 1_000_000],
    ['+5', 5],
    ['007', 7],
  ])('integer %s', (text, value) => {
    expect(integerParam(1, 1, 1_000_000, '').decode([text])).toEqual(E.right(value));
  });

  test.each([
    ['0', 'out_of_range'],
    ['-1', 'out_of_range'],
    ['1000001', 'out_of_range'],
    ['9'.repeat(400), 'wrong_type'],
    ['', 'wrong_type'],
    ['1.5', 'wrong_type'],
    ['1e3', 'wrong_type'],
    ['0x10', 'wrong_type'],
    ['Infinity', 'wrong_type'],
    ['ten', 'wrong_type'],
  ])('integer %s is refused', (text, type) => {
    expect(integerParam(1, 1, 1_000_000, '').decode([text])).toMatchObject({ left: { type } });
  });

  test('a missing parameter has its default', () => {
    expect(integerParam(7, 1, 9, '').decode([])).toEqual(E.right(7));
    expect(spanParam('').decode([])).toEqual(E.right(null));
    expect(textsParam('').decode([])).toEqual(E.right([]));
  });

  test('a parameter that may not repeat is refused when it does', () => {
    expect(zoneParam('UTC', '').decode(['UTC', 'UTC'])).toMatchObject({ left: { type: 'duplicate' } });
    expect(textsParam('').decode(['a', 'b'])).toEqual(E.right(['a', 'b']));
  });

  test.each(['UTC', 'Europe/Berlin', 'America/New_York'])('zone %s', (zone) => {
    expect(zoneParam('UTC', '').decode([zone])).toEqual(E.right(zone));
  });

  test.each(['', 'Mars/Base', 'europe/berlin', '../../etc/passwd', ' UTC'])('zone %j is refused', (zone) => {
    expect(zoneParam('UTC', '').decode([zone])).toMatchObject({ left: { type: 'not_allowed' } });
  });

  test('a span is passed on as it was written, or refused with how to write one', () => {
    expect(spanParam('').decode(['1h30m'])).toEqual(E.right('1h30m'));
    expect(spanParam('').decode(['soon'])).toMatchObject({
      left: { msg: expect.stringContaining("like '30s'") },
    });
  });
});

describe('names', () => {
  test.each(['web', 'a b', 'ä', 'a..b', '100%', '-x', 'CON', 'x'.repeat(255)])('%j is a name', (name) => {
    expect(nameParam('').decode([name])).toEqual(E.right(name));
  });

  test.each([
    ['', 'too_short'],
    ['.', 'not_allowed'],
    ['..', 'not_allowed'],
    ['.hidden', 'not_allowed'],
    ['a/b', 'not_allowed'],
    ['a\\b', 'not_allowed'],
    ['a\u0000', 'not_allowed'],
    ['a\nb', 'not_allowed'],
    ['%2e%2e', 'not_allowed'],
    ['x'.repeat(256), 'too_long'],
    ['ä'.repeat(128), 'too_long'],
  ])('%j is none', (name, type) => {
    expect(nameParam('').decode([name])).toMatchObject({ left: { type } });
  });

  test('a key of the globals can be any text', () => {
    expect(keyParam('').decode(['../a\u0000%2e'])).toEqual(E.right('../a\u0000%2e'));
  });
});

describe('paths of files', () => {
  test.each(['a', 'a/b/c.txt', '.git/config', 'a b', 'ä', '...', '100%'])('%j is one', (path) => {
    expect(filePathParam('').decode([path])).toEqual(E.right(path));
  });

  test.each([
    ['', 'too_short'],
    ['/a', 'not_allowed'],
    ['a/', 'not_allowed'],
    ['a//b', 'not_allowed'],
    ['a/../b', 'not_allowed'],
    ['./a', 'not_allowed'],
    ['a\\b', 'not_allowed'],
    ['a\u0000', 'not_allowed'],
    ['a%2fb', 'not_allowed'],
    ['x'.repeat(256), 'too_long'],
    ['ä/'.repeat(400), 'too_long'],
    [`${'a/'.repeat(32)}a`, 'too_deep'],
  ])('%j is none', (path, type) => {
    expect(filePathParam('').decode([path])).toMatchObject({ left: { type } });
  });

  test('one is needed, and only one', () => {
    expect(filePathParam('').decode([])).toMatchObject({ left: { type: 'missing' } });
    expect(filePathParam('').decode(['a', 'b'])).toMatchObject({ left: { type: 'duplicate' } });
  });
});

test.each([
  ['a%20b', 'a b'],
  ['%252e', '%2e'],
  ['%', null],
  ['%zz', null],
  ['%ff', null],
  ['%c0%ae', null],
  ['%ed%a0%80', null],
])('percent-decoding %s gives %j, once', (written, decoded) => {
  expect(percentDecode(written)).toBe(decoded);
});
