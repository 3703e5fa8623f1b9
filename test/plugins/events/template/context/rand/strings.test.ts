import { describe, expect, test } from '@jest/globals';
import { bounded, MAX_CACHED } from '../../../../../../src/plugins/events/template/context/rand/calls.js';
import type { Value } from '../../../../../../src/template/index.js';
import { even, faultOf, seeded, surprise, texts } from './support.js';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const KINDS: readonly (readonly [string, string])[] = [
  ['letters_lowercase', LOWER],
  ['letters_uppercase', LOWER.toUpperCase()],
  ['letters', LOWER + LOWER.toUpperCase()],
  ['digits', DIGITS],
  ['punctuation', PUNCTUATION],
  ['hex', `${DIGITS}abcdef`],
];

describe.each(KINDS)('string.%s', (name, characters) => {
  test('draws characters uniformly at each position', () => {
    const rand = seeded();
    const drawn = texts(8_000, () => rand(`string.${name}`, [11]));
    for (const place of [0, 1, 2, 5, 7, 8, 10]) {
      const column = drawn.map((text) => text.charAt(place));
      expect(surprise(column, even(characters))).toBeLessThan(5);
    }
  });

  test.each([
    [0, 1],
    [1, 2],
    [0, 2],
  ])('has characters at places %d and %d that do not depend on each other', (first, second) => {
    const rand = seeded();
    const pairs = texts(40_000, () => rand(`string.${name}`, [4])).map(
      (text) => text.charAt(first) + text.charAt(second),
    );
    const all = [...characters].flatMap((a) => [...characters].map((b) => a + b));
    expect(surprise(pairs, even(all))).toBeLessThan(5);
  });

  test('has the requested length', () => {
    const rand = seeded();
    for (const n of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33, 1_000]) {
      expect(rand(`string.${name}`, [n])).toHaveLength(n);
    }
    expect(rand(`string.${name}`, [], { n: 4 })).toHaveLength(4);
    expect(rand(`string.${name}`, [1_000_000])).toHaveLength(1_000_000);
  });

  test.each<[Value, RegExp]>([
    [-1, /^ValueError: rand\.string\.\w+: n must be from 0 to 1000000, not -1$/],
    [1_000_001, /^ValueError: .*not 1000001$/],
    ['4', /^TypeError: .*n must be an integer, not str \('4'\)$/],
    [4.5, /^TypeError: .*n must be an integer/],
    [null, /^TypeError: .*n must be an integer, not NoneType$/],
  ])('refuses n = %p', (n, message) => {
    expect(faultOf(() => seeded()(`string.${name}`, [n]))).toMatch(message);
  });
});

describe('string.pattern', () => {
  test.each<[string, RegExp]>([
    ['%a%A%l', /^[a-z][A-Z][a-zA-Z]$/],
    ['%d{5}-%n', /^\d{5}-[1-9]$/],
    ['%h{8}/%H{8}', /^[0-9a-f]{8}\/[0-9A-F]{8}$/],
    ['%p%w{3}', /^[!-/:-@[-`{-~][a-zA-Z0-9]{3}$/],
    ['%%{3}x%%', /^%%%x%$/],
    ['a%d{0}b%%{0}c', /^abc$/],
    ['{3}%d{2}{3}', /^\{3\}\d\d\{3\}$/],
    ['%d%d{2}%d', /^\d{4}$/],
    ['', /^$/],
    ['no specifier } { é😀', /^no specifier \} \{ é😀$/],
    ['%d{0002}', /^\d\d$/],
  ])('makes of %j', (format, expected) => {
    const rand = seeded();
    for (const text of texts(50, () => rand('string.pattern', [format]))) expect(text).toMatch(expected);
    expect(rand('string.pattern', [], { format })).toMatch(expected);
  });

  test.each<[string, string]>([
    ['%a', LOWER],
    ['%A', LOWER.toUpperCase()],
    ['%l', LOWER + LOWER.toUpperCase()],
    ['%d', DIGITS],
    ['%n', DIGITS.slice(1)],
    ['%h', `${DIGITS}abcdef`],
    ['%H', `${DIGITS}ABCDEF`],
    ['%p', PUNCTUATION],
    ['%w', LOWER + LOWER.toUpperCase() + DIGITS],
  ])('%s has each of its characters as often', (specifier, characters) => {
    const rand = seeded();
    const drawn = texts(30_000, () => rand('string.pattern', [specifier]));
    expect(surprise(drawn, even(characters))).toBeLessThan(5);
  });

  test.each<[Value, string]>([
    [
      'ab%z',
      "ValueError: rand.string.pattern: '%z' is unknown: the codes are %a %A %l %d %n %h %H %p %w %%, at character 3 of 'ab%z'",
    ],
    [
      '%😀',
      "ValueError: rand.string.pattern: '%😀' is unknown: the codes are %a %A %l %d %n %h %H %p %w %%, at character 1 of '%😀'",
    ],
    [
      '100%',
      "ValueError: rand.string.pattern: '%' stands at the end: write a specifier behind it, or %% for a percent sign, at character 4 of '100%'",
    ],
    [
      '%d{3',
      "ValueError: rand.string.pattern: the brace is not closed: write a number and '}' behind it, at character 3 of '%d{3'",
    ],
    [
      '%d{x}',
      "ValueError: rand.string.pattern: 'x' in braces is not an integer: write 0 or more, such as {3}, at character 3 of '%d{x}'",
    ],
    [
      '%d{}',
      "ValueError: rand.string.pattern: '' in braces is not an integer: write 0 or more, such as {3}, at character 3 of '%d{}'",
    ],
    [
      '%%{-1}',
      "ValueError: rand.string.pattern: '-1' in braces is not an integer: write 0 or more, such as {3}, at character 3 of '%%{-1}'",
    ],
    [
      'x%d{1000000}',
      "ValueError: rand.string.pattern: the result would have more than 1000000 characters, at character 2 of 'x%d{1000000}'",
    ],
    [5, 'TypeError: rand.string.pattern: format must be a string, not int (5)'],
    [null, 'TypeError: rand.string.pattern: format must be a string, not NoneType'],
  ])('refuses %j', (format, message) => {
    const rand = seeded();
    expect(faultOf(() => rand('string.pattern', [format]))).toBe(message);
    // Twice: errors are not cached.
    expect(faultOf(() => rand('string.pattern', [format]))).toBe(message);
  });

  test('refuses a huge number in braces', () => {
    const format = `%%{${'9'.repeat(400)}}`;
    expect(faultOf(() => seeded()('string.pattern', [format]))).toMatch(/more than 1000000 characters/);
  });

  test('shows only the beginning of a long pattern', () => {
    const message = faultOf(() => seeded()('string.pattern', [`%z${'x'.repeat(5_000)}`]));
    expect(message.length).toBeLessThan(250);
  });
});

describe('the cache', () => {
  test('creates each entry once and evicts the oldest', () => {
    const made: string[] = [];
    const cached = bounded((key) => {
      made.push(key);
      return { key };
    });
    expect(cached('first')).toBe(cached('first'));
    expect(made).toEqual(['first']);
    for (let i = 1; i < MAX_CACHED; i++) cached(`k${i}`);
    cached('first');
    expect(made).toHaveLength(MAX_CACHED);
    cached('one more');
    cached('first');
    expect(made.slice(-2)).toEqual(['one more', 'first']);
  });

  test('keeps no long keys', () => {
    let count = 0;
    const cached = bounded(() => ({ count: ++count }));
    cached('x'.repeat(5_000));
    expect(cached('x'.repeat(5_000))).toEqual({ count: 2 });
  });
});
