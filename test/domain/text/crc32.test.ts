import zlib from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CRC_START, crcOf, feedByte, feedBytes, feedText } from '../../../src/domain/text/crc32.js';
import { codePoint } from '../../support/codePoint.js';

/** Any text, with lone surrogates. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});

/** The checksum in a gzip file (RFC 1952, 2.3.1). */
const gzipCrc = (bytes: Buffer): number => zlib.gzipSync(bytes).readUInt32LE(zlib.gzipSync(bytes).length - 8);

describe('CRC-32', () => {
  test('of the check text is the check value of its catalogues', () => {
    expect(crcOf(feedText(CRC_START, '123456789'))).toBe(0xcbf43926);
    expect(crcOf(CRC_START)).toBe(0);
  });

  test('of any bytes is that of zlib, in one part or several', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), (bytes, cut) => {
        const at = bytes.length === 0 ? 0 : cut % bytes.length;
        const first = feedBytes(CRC_START, bytes, 0, at);
        const expected = gzipCrc(Buffer.from(bytes));
        expect(crcOf(feedBytes(first, bytes, at, bytes.length))).toBe(expected);
        const single = bytes.reduce((state, byte) => feedByte(state, byte), CRC_START);
        expect(crcOf(single)).toBe(expected);
      }),
      { seed: 1 },
    );
  });

  test('of any text is that of the UTF-8 that outputs write, also with lone surrogates', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: codePoint })), (text) => {
        expect(crcOf(feedText(CRC_START, text))).toBe(gzipCrc(Buffer.from(text, 'utf8')));
      }),
      { seed: 1 },
    );
  });
});
