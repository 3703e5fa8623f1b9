import { describe, expect, test } from '@jest/globals';
import { uuidOf } from '../../../../../../src/plugins/events/template/context/rand/crypto.js';
import { even, faultOf, seeded, surprise, texts } from './support.js';

describe('crypto.uuid4', () => {
  test('has version 4 and the variant of RFC 9562 for any bits', () => {
    expect(uuidOf(0, 0, 0, 0)).toBe('00000000-0000-4000-8000-000000000000');
    const ones = 0xffff_ffff;
    expect(uuidOf(ones, ones, ones, ones)).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
    expect(uuidOf(0x0123_4567, 0x89ab_cdef, 0x0123_4567, 0x89ab_cdef)).toBe(
      '01234567-89ab-4def-8123-456789abcdef',
    );
  });

  test('has uniform random digits and no duplicates', () => {
    const rand = seeded();
    const drawn = texts(16_000, () => rand('crypto.uuid4'));
    expect(new Set(drawn).size).toBe(drawn.length);
    const fixed = new Map([
      [8, '-'],
      [13, '-'],
      [14, '4'],
      [18, '-'],
      [19, '89ab'],
      [23, '-'],
    ]);
    for (let place = 0; place < 36; place++) {
      const column = drawn.map((uuid) => uuid.charAt(place));
      const characters = fixed.get(place) ?? '0123456789abcdef';
      if (characters.length === 1) expect(new Set(column)).toEqual(new Set([characters]));
      else expect(surprise(column, even(characters))).toBeLessThan(5);
    }
  });
});

describe.each([
  ['md5', 32],
  ['sha1', 40],
  ['sha256', 64],
])('crypto.%s', (name, length) => {
  test(`is ${length} hexadecimal digits, other ones each time`, () => {
    const rand = seeded();
    const drawn = texts(500, () => rand(`crypto.${name}`));
    for (const text of drawn) expect(text).toMatch(new RegExp(`^[0-9a-f]{${length}}$`));
    expect(new Set(drawn).size).toBe(500);
    expect(surprise(drawn.join('').split(''), even('0123456789abcdef'))).toBeLessThan(5);
  });

  test('takes no arguments', () => {
    expect(faultOf(() => seeded()(`crypto.${name}`, ['text']))).toMatch(/^TypeError: .*takes no arguments/);
  });
});
