import { describe, expect, test } from '@jest/globals';
import { CHARMAPS } from '../../../src/domain/text/charmaps.js';
import { ENCODING_NAMES, encodingOf } from '../../../src/domain/text/encodings.js';

describe('names of encodings', () => {
  test.each([
    ['utf-8', 'utf_8'],
    ['UTF_8', 'utf_8'],
    ['utf8', 'utf_8'],
    ['UTF 8 SIG', 'utf_8_sig'],
    ['latin-1', 'latin_1'],
    ['ISO-8859-1', 'latin_1'],
    ['iso8859_15', 'iso8859_15'],
    ['ISO_8859-15', 'iso8859_15'],
    ['windows-1252', 'cp1252'],
    ['IBM437', 'cp437'],
    ['Shift-JIS', 'shift_jis'],
    ['US-ASCII', 'ascii'],
    ['utf-16le', 'utf_16_le'],
    ['KOI8-R', 'koi8_r'],
  ])('%s is %s', (spelling, name) => {
    expect(encodingOf(spelling)?.name).toBe(name);
  });

  test('every name of the list is itself', () => {
    for (const name of ENCODING_NAMES) expect(encodingOf(name)?.name).toBe(name);
    expect(ENCODING_NAMES.length).toBe(new Set(ENCODING_NAMES).size);
  });

  test.each(['', 'utf', 'utf_9', 'cp', 'nonsense', '__proto__', 'constructor', 'rot13'])(
    '%j is none',
    (name) => {
      expect(encodingOf(name)).toBeNull();
    },
  );

  test('the tables of single bytes have 256 characters and a line feed', () => {
    for (const [name, characters] of Object.entries(CHARMAPS)) {
      expect([name, characters.length, characters.includes('\n')]).toEqual([name, 256, true]);
      expect(encodingOf(name)?.decoder).toBe('charmap');
    }
    expect(CHARMAPS.cp037[0xc1]).toBe('A');
    expect(CHARMAPS.cp1140[0x9f]).toBe('€');
  });
});
