import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { keyPartition, murmur2 } from '../../../../src/plugins/outputs/kafka/partitioner.js';
import { brokerError } from '../../../../src/plugins/outputs/kafka/protocol/errorCodes.js';
import {
  addedSize,
  crc32c,
  encodeBatch,
  encodeHeaders,
  putVarint,
  type RecordMessages,
  singleSize,
  varintSize,
} from '../../../../src/plugins/outputs/kafka/protocol/recordBatch.js';
import { readBatch, slowCrc32c } from '../../../support/servers/kafka/recordBatches.js';

const require = createRequire(import.meta.url);
/** The second implementation: kafkajs, which has no types for these files. */
const theirs = {
  murmur2: require('kafkajs/src/producer/partitioners/default/murmur2') as (key: Buffer) => number,
  Decoder: require('kafkajs/src/protocol/decoder') as new (bytes: Buffer) => unknown,
  readBatch: require('kafkajs/src/protocol/recordBatch/v0/decoder') as (decoder: unknown) => Promise<{
    readonly records: readonly {
      key: Buffer | null;
      value: Buffer;
      headers: Readonly<Record<string, unknown>>;
    }[];
    readonly producerId: string;
    readonly firstSequence: number;
    readonly maxTimestamp: string;
  }>,
};

describe('checks and hashes', () => {
  test('CRC-32C of the vectors of RFC 3720, B.4', () => {
    const ascending = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(crc32c(new Uint8Array(32), 0, 32)).toBe(0x8a91_36aa);
    expect(crc32c(new Uint8Array(32).fill(0xff), 0, 32)).toBe(0x62a8_ab43);
    expect(crc32c(ascending, 0, 32)).toBe(0x46dd_794e);
    expect(crc32c(ascending.toReversed(), 0, 32)).toBe(0x113f_db5c);
  });

  test('CRC-32C of any range is what bit by bit gives', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(20), (bytes, from) => {
        const start = Math.min(from, bytes.length);
        expect(crc32c(bytes, start, bytes.length)).toBe(slowCrc32c(bytes.subarray(start)));
      }),
    );
  });

  test('murmur2 gives the numbers of the tests of the Java client', () => {
    const rows = {
      '21': -973_932_308,
      foobar: -790_332_482,
      'a-little-bit-long-string': -985_981_536,
      abc: 479_470_107,
    };
    for (const [text, hash] of Object.entries(rows)) expect(murmur2(Buffer.from(text))).toBe(hash);
  });

  test('murmur2 and the partition of any key are those of kafkajs', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 100 }), (bytes, partitions) => {
        const key = Buffer.from(bytes);
        expect(murmur2(key)).toBe(theirs.murmur2(key));
        expect(keyPartition(key, partitions)).toBe((theirs.murmur2(key) & 0x7fff_ffff) % partitions);
      }),
    );
  });

  test('a varint has the size that is said', () => {
    for (const value of [
      0, 63, 64, 8_191, 8_192, 1_048_575, 1_048_576, 134_217_727, 134_217_728, 2_147_483_647,
    ]) {
      expect(putVarint(Buffer.alloc(8), value, 0)).toBe(varintSize(value));
    }
  });
});

const messagesOf = (
  values: readonly string[],
  keys: readonly (string | null)[],
  headers: readonly (readonly [string, string | null])[],
): RecordMessages => {
  const encoded = encodeHeaders(
    headers.map(([name, value]) => [name, value === null ? null : Buffer.from(value)]),
  );
  return {
    ...textBatch(values).encoded(),
    count: values.length,
    gap: 1,
    keyOf: (index) => {
      const key = keys[index] ?? null;
      return key === null ? null : Buffer.from(key);
    },
    headersOf: () => encoded,
  };
};

describe('a record batch', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  const entries = fc.array(fc.record({ value: text, key: fc.option(text) }), {
    minLength: 1,
    maxLength: 200,
  });
  const headerList = fc.uniqueArray(fc.tuple(fc.string({ maxLength: 20 }), fc.option(text)), {
    maxLength: 3,
    selector: ([name]) => name,
  });

  test('of any events is read the same by a broker and by kafkajs, plain and gzipped', async () => {
    await fc.assert(
      fc.asyncProperty(
        entries,
        headerList,
        fc.boolean(),
        fc.nat(10),
        async (rows, headers, isGzip, skipped) => {
          const from = Math.min(skipped, rows.length - 1);
          const messages = messagesOf(
            rows.map(({ value }) => value),
            rows.map(({ key }) => key),
            headers,
          );
          const items = rows.map((_, index) => index);
          const sizes = items.slice(from).map((item, delta) => addedSize(messages, item, delta));
          const bytes = await encodeBatch(
            messages,
            items,
            from,
            rows.length,
            sizes.reduce((a, b) => a + b),
            {
              timestamp_ms: 1_700_000_000_123,
              identity: { producer_id: 77n, producer_epoch: 3, sequence: 2_147_483_000 },
              compression: isGzip ? 'gzip' : 'none',
              compress: isGzip ? async (plain) => gzipSync(plain) : null,
            },
          );
          if (!isGzip && rows.length - from === 1) expect(bytes).toHaveLength(singleSize(messages, from));
          const wanted = rows.slice(from);
          const own = readBatch(bytes, 0);
          expect(own).toMatchObject({ producer_id: 77n, producer_epoch: 3, sequence: 2_147_483_000 });
          expect(own.messages).toEqual(
            wanted.map(({ key, value }) => ({
              partition: 0,
              key,
              value,
              headers: Object.fromEntries(headers),
              timestamp_ms: 1_700_000_000_123,
            })),
          );
          // Its decoder starts behind offset, length, epoch and magic.
          const read = await theirs.readBatch(new theirs.Decoder(bytes));
          expect(read.records.map(({ key, value }) => [key?.toString() ?? null, value.toString()])).toEqual(
            wanted.map(({ key, value }) => [key, value]),
          );
          expect(read).toMatchObject({
            producerId: '77',
            firstSequence: 2_147_483_000,
            maxTimestamp: '1700000000123',
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('errors of brokers', () => {
  test.each([
    [-1, true],
    [3, true],
    [5, true],
    [6, true],
    [7, true],
    [10, false],
    [19, true],
    [29, false],
    [45, true],
    [56, true],
    [58, false],
    [76, false],
    [87, false],
    [999, true],
  ])('%i is retryable: %s', (code, isRetryable) => {
    const error = brokerError(code, 'said.');
    expect(error).toMatchObject({ isRetryable, code });
    expect(error.what).toMatch(/\(said\)$/);
    expect(error.origin).toContain(`error ${code}`);
  });
});
