import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { bytesBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import {
  bareName,
  bodyMaker,
  clickhouseIdentifier,
  insertStatement,
} from '../../../../src/plugins/outputs/clickhouse/statement.js';

describe('names', () => {
  test.each([
    ['events', '`events`', 'events'],
    ['a b', '`a b`', 'a b'],
    ['a`b\\c', '`a\\`b\\\\c`', 'a`b\\c'],
    ['`quoted`', '`quoted`', 'quoted'],
    ['"quo\\"ted"', '"quo\\"ted"', 'quo"ted'],
    ['`', '`\\``', '`'],
    ['``', '`\\`\\``', '``'],
    ['`half', '`\\`half`', '`half'],
  ])('%s is %s in SQL and %s in an address', (name, inSql, inAddress) => {
    expect(clickhouseIdentifier(name)).toBe(inSql);
    expect(bareName(name)).toBe(inAddress);
  });

  test('the statement has them both', () => {
    expect(insertStatement('d', 't x', 'CSV')).toBe('INSERT INTO `d`.`t x` FORMAT CSV');
  });
});

describe('the body of an insert', () => {
  test('is header, events joined by the separator, footer, for texts and bytes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const lines = fc.array(
      text.map((line) => line.replaceAll('\n', ' ')),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(
        lines,
        text,
        fc.oneof(text, fc.constant('\n')),
        text,
        (events, header, separator, footer) => {
          const expected = Buffer.from(header + events.join(separator) + footer, 'utf8');
          const held = bytesBatch(Buffer.from(`${events.join('\n')}\n`, 'utf8'), events.length);
          for (const batch of [textBatch(events), held]) {
            const { pieces, bytes } = bodyMaker(header, separator, footer)(batch);
            expect(Buffer.concat(pieces).equals(expected)).toBe(true);
            expect(bytes).toBe(expected.length);
          }
        },
      ),
    );
  });

  test('is made of pieces of the bytes of the batch, without a copy', () => {
    const bytes = Buffer.alloc(1_000_000, 'x');
    bytes[bytes.length - 1] = 10;
    const { pieces } = bodyMaker('', '\n', '')(bytesBatch(bytes, 1));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.every(({ buffer }) => buffer === bytes.buffer)).toBe(true);
  });
});
