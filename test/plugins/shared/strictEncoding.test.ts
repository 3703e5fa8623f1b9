import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { ENCODING_NAMES, type Encoding, encodingOf } from '../../../src/domain/text/encodings.js';
import { keepsAscii, type StrictDecoder, strictDecoder } from '../../../src/plugins/shared/strictEncoding.js';

const encoding = (name: string): Encoding => {
  const found = encodingOf(name);
  if (found === null) throw new Error(name);
  return found;
};

const decoder = (name: string, order: 'little' | 'big' = 'little'): StrictDecoder => {
  const made = strictDecoder(encoding(name), order);
  if (E.isLeft(made)) throw new Error(made.left);
  return made.right;
};

const decodeHex = (name: string, hex: string): string | null => decoder(name)(Buffer.from(hex, 'hex'));

describe('strict decoding', () => {
  test.each([
    ['utf_8', 'c3a9e6bca2f09f9880', 'é漢😀'],
    ['utf_8', 'efbfbd', '\ufffd'],
    ['latin_1', 'e980', 'é\x80'],
    ['cp1252', '80e9', '€é'],
    ['cp437', '82', 'é'],
    ['koi8_r', 'd0d2', 'пр'],
    ['gbk', 'c4e3bac3', '你好'],
    ['shift_jis', '93fa967b', '日本'],
    ['euc_kr', 'c7d1', '한'],
    ['gb18030', '8431a437', '\ufffd'],
    ['utf_16_le', '3dd800de', '😀'],
    ['utf_16_be', 'd83dde00', '😀'],
    ['utf_32_le', '00f60100', '😀'],
    ['utf_7', '2b414f6b2d', 'é'],
    ['cp037', 'c18193', 'Aal'],
    ['mac_latin2', '8e', 'é'],
  ])('%s %s is %j', (name, hex, text) => {
    expect(decodeHex(name, hex)).toBe(text);
  });

  test.each([
    ['utf_8', 'c3'],
    ['utf_8', 'eda080'],
    ['ascii', '80'],
    ['cp1252', '81'],
    ['gbk', 'c4'],
    ['shift_jis', '93'],
    ['utf_16_le', '3dd8'],
    ['utf_16_le', '610062'],
    ['utf_32_le', '00001100'],
    ['cp424', '70'],
  ])('%s %s is refused', (name, hex) => {
    expect(decodeHex(name, hex)).toBeNull();
  });

  test('every encoding decodes or says that it is not supported', () => {
    const unsupported = ENCODING_NAMES.filter((name) => {
      const made = strictDecoder(encoding(name), 'little');
      if (E.isRight(made)) {
        expect(made.right(Buffer.alloc(0))).toBe('');
        return false;
      }
      expect(made.left).toContain(`${name} is not supported`);
      return true;
    });
    expect(unsupported).toHaveLength(13);
  });

  test('only encodings in which ASCII bytes are ASCII keep lines as bytes', () => {
    const keeping = (name: string): boolean => keepsAscii(encoding(name), decoder(name));
    expect(['utf_8', 'ascii', 'latin_1', 'cp1252', 'gbk', 'shift_jis'].map(keeping)).toEqual(
      new Array(6).fill(true),
    );
    expect(['utf_16', 'utf_7', 'cp037', 'cp864'].map(keeping)).toEqual(new Array(4).fill(false));
  });
});
