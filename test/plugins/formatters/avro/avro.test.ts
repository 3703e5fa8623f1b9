import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import avsc from 'avsc';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import { avroPlugin } from '../../../../src/plugins/formatters/avro/plugin.js';
import { readSchema } from '../../../../src/plugins/formatters/avro/readSchema.js';
import { canonicalForm, fingerprint } from '../../../../src/plugins/formatters/avro/schema.js';
import { right } from '../../../support/either.js';
import { newFolder, removeFolders } from '../../outputs/support.js';
import { built, issuesOf } from '../fields/support.js';
import { samples } from './schemas.js';
import { itemsOf } from './support.js';

afterAll(removeFolders);

const formatterOf = (schema: Json, more: JsonObject = {}) =>
  built(avroPlugin, { schema, encoding: 'raw', ...more });

const encoded = async (schema: Json, event: Json): Promise<Buffer | string> => {
  const formatter = await formatterOf(schema);
  const { batch, failures } = formatter.format(textBatch([JSON.stringify(event)]));
  return itemsOf(batch)[0] ?? failures[0]?.reason ?? '';
};

/** Around the limits of 32 bits, of exact doubles and of what they double to. */
const near = fc
  .tuple(fc.constantFrom(31n, 32n, 50n, 51n, 52n, 53n), fc.bigInt({ min: -3n, max: 3n }), fc.boolean())
  .map(([bits, more, isNegative]) => (isNegative ? -1n : 1n) * (2n ** bits + more));

/** A type of the other implementation, with plain values in unions. */
const typeOf = (schema: Json): avsc.Type =>
  avsc.Type.forSchema(structuredClone(schema) as avsc.Schema, { wrapUnions: 'never' });

describe('avsc, another implementation', () => {
  test('reads any values of any schemas, and writes the same bytes', () =>
    fc.assert(
      fc.asyncProperty(samples, async ({ schema, json, value }) => {
        const bytes = await encoded(schema, json);
        if (typeof bytes === 'string') throw new Error(bytes);
        const type = typeOf(schema);
        expect(type.fromBuffer(bytes)).toEqual(value);
        expect(bytes.equals(type.toBuffer(value))).toBe(true);
      }),
      { numRuns: 500 },
    ));

  test('reads longs of 64 bits, numbers and texts', () => {
    const type = avsc.types.LongType.__with({
      fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
      toBuffer: (value: bigint) => {
        const bytes = Buffer.alloc(8);
        bytes.writeBigInt64LE(value);
        return bytes;
      },
      fromJSON: BigInt,
      toJSON: String,
      isValid: (value: unknown) => typeof value === 'bigint',
      compare: (a: bigint, b: bigint) => Number(a - b),
    });
    return fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), near),
        async (value) => {
          const isSafe = Number.isSafeInteger(Number(value));
          const texts = [
            await encoded('long', String(value)),
            isSafe && (await encoded('long', Number(value))),
          ];
          for (const bytes of texts) {
            if (typeof bytes === 'string') throw new Error(bytes);
            if (bytes !== false) expect(type.fromBuffer(bytes)).toBe(value);
          }
        },
      ),
    );
  });

  test('has the same canonical form', () =>
    fc.assert(
      fc.property(samples, ({ schema }) => {
        const form = canonicalForm(right(readSchema(schema)));
        const sum = createHash('md5').update(form).digest();
        expect(typeOf(schema).fingerprint('md5')).toEqual(sum);
      }),
    ));

  test.each(['null', 'deflate'])('reads a container with codec %s: many events, one file', async (codec) => {
    const schema = { type: 'record', name: 'R', fields: [{ name: 'n', type: 'int' }] };
    const formatter = await formatterOf(schema, { encoding: 'container', codec });
    const events = Array.from({ length: 1_000 }, (_, n) => ({ n }));
    const made = formatter.format(
      textBatch([...events.map((event) => JSON.stringify(event)), '{"n": "x"}', 'no JSON']),
    );
    expect(formatter.joins).toBe(true);
    expect(made).toMatchObject({ eventsPerItem: 1_000, batch: { count: 1 } });
    expect(made.failures.map(({ event }) => event)).toEqual(['{"n": "x"}', 'no JSON']);
    const decoder = new avsc.streams.BlockDecoder();
    const read: unknown[] = [];
    decoder.on('data', (value: unknown) => read.push(value));
    decoder.end(itemsOf(made.batch)[0]);
    await once(decoder, 'end');
    expect(read).toEqual(events);
    expect(itemsOf(formatter.format(textBatch(['{"n":1}'])).batch)).toEqual(
      itemsOf(formatter.format(textBatch(['{"n":1}'])).batch),
    );
    expect(formatter.format(textBatch(['no JSON'])).batch.count).toBe(0);
  });
});

/** Fingerprints of the project's own tests (share/test/data/schema-tests.txt). */
test.each<[Json, bigint]>([
  ['null', 7195948357588979594n],
  ['boolean', -6970731678124411036n],
  [{ type: 'int' }, 8247732601305521295n],
  ['long', -3434872931120570953n],
  ['float', 5583340709985441680n],
  ['double', -8181574048448539266n],
  ['bytes', 5746618253357095269n],
  ['string', -8142146995180207161n],
  [
    { name: 'foo', type: 'record', fields: [{ name: 'f1', type: { type: 'boolean' } }], doc: 'x' },
    7843277075252814651n,
  ],
])('the CRC-64-AVRO fingerprint of %j', (schema, published) => {
  const form = canonicalForm(right(readSchema(schema)));
  expect(BigInt.asIntN(64, fingerprint(Buffer.from(form)))).toBe(published);
});

test('what stands before each event: fingerprint, ID of the registry, nothing', async () => {
  const written = async (more: JsonObject) => {
    const formatter = await built(avroPlugin, { schema: 'int', ...more });
    return itemsOf(formatter.format(textBatch(['1', '"x"', '-1'])).batch).map((item) => item.toString('hex'));
  };
  const sum = Buffer.alloc(8);
  sum.writeBigInt64LE(8247732601305521295n);
  expect(await written({})).toEqual([`c301${sum.toString('hex')}02`, `c301${sum.toString('hex')}01`]);
  expect(await written({ encoding: 'confluent', schema_id: 258 })).toEqual(['000000010202', '000000010201']);
  expect(await written({ encoding: 'raw' })).toEqual(['02', '01']);
});

describe('logical types', () => {
  const long = (bytes: Buffer | string): unknown =>
    typeof bytes === 'string' ? bytes : avsc.Type.forSchema('long').fromBuffer(bytes);

  test.each<[string, string, Json, number]>([
    ['int', 'date', '1970-01-11', 10],
    ['int', 'date', '1969-12-31T23:00:00+05:00', -1],
    ['int', 'date', 20_000, 20_000],
    ['int', 'time-millis', '01:02:03.004', 3_723_004],
    ['long', 'time-micros', '23:59', 86_340_000_000],
    ['long', 'timestamp-millis', '2026-03-05T07:08:09.123456+02:00', Date.UTC(2026, 2, 5, 5, 8, 9, 123)],
    [
      'long',
      'timestamp-micros',
      '2026-03-05T07:08:09.123456Z',
      Date.UTC(2026, 2, 5, 7, 8, 9) * 1e3 + 123_456,
    ],
    ['long', 'timestamp-millis', -5, -5],
    ['long', 'local-timestamp-millis', '1970-01-01T00:00:01+09:00', 1_000],
    ['long', 'local-timestamp-micros', '1970-01-01T00:00:01', 1_000_000],
    ['long', 'unknown', 7, 7],
    ['int', 'timestamp-millis', 7, 7],
  ])('%s %s of %j', async (type, logicalType, json, expected) => {
    expect(long(await encoded({ type, logicalType }, json))).toBe(expected);
  });

  test("decimal: two's complement of the unscaled number, as Java's BigInteger writes it", () => {
    const toBytes = (value: bigint): string => {
      let size = 1;
      while (BigInt.asIntN(size * 8, value) !== value) size++;
      return BigInt.asUintN(size * 8, value)
        .toString(16)
        .padStart(size * 2, '0');
    };
    return fc.assert(
      fc.asyncProperty(fc.bigInt({ min: -(10n ** 20n) + 1n, max: 10n ** 20n - 1n }), async (unscaled) => {
        const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(4, '0');
        const json = `${unscaled < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
        const decimal = { logicalType: 'decimal', precision: 20, scale: 3 };
        const bytes = await encoded({ type: 'bytes', ...decimal }, json);
        expect(bytes.slice(1).toString('hex' as never)).toBe(toBytes(unscaled));
        const fixed = await encoded({ type: 'fixed', name: 'D', size: 12, ...decimal }, json);
        expect(BigInt.asIntN(96, BigInt(`0x${fixed.toString('hex' as never)}`))).toBe(unscaled);
      }),
    );
  });

  test('decimal: numbers, exponents, and what would need rounding', async () => {
    const schema = { type: 'bytes', logicalType: 'decimal', precision: 4, scale: 2 };
    const hex = async (json: Json) => (await encoded(schema, json)).toString('hex' as never);
    expect(await Promise.all([12.5, '1e1', '-0.01', 0, '1.20e-1'].map(hex))).toEqual([
      ...['0404e2', '0403e8', '02ff', '0200', '020c'],
    ]);
    const why = 'the event must be a number, or one in a text, of up to 4 digits, 2 of them behind the point';
    expect(await Promise.all([1.234, 100, 'x', null].map(hex))).toEqual([why, why, why, why]);
  });

  test('uuid in a string and in fixed', async () => {
    const uuid = '123e4567-e89b-12d3-a456-426614174000';
    expect((await encoded({ type: 'string', logicalType: 'uuid' }, uuid)).toString()).toBe(`H${uuid}`);
    const fixed = await encoded({ type: 'fixed', size: 16, name: 'U', logicalType: 'uuid' }, uuid);
    expect(fixed.toString('hex' as never)).toBe(uuid.replaceAll('-', ''));
    expect(await encoded({ type: 'string', logicalType: 'uuid' }, 'x')).toBe('the event must be a UUID');
  });
});

const SHOP = {
  type: 'record',
  name: 'Order',
  namespace: 'shop',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'state', type: { type: 'enum', name: 'State', symbols: ['open', 'paid'] }, default: 'open' },
    {
      name: 'lines',
      type: {
        type: 'array',
        items: {
          type: 'record',
          name: 'Line',
          fields: [{ name: 'price', type: 'double' }],
        },
      },
      default: [{ price: 1.5 }],
    },
    { name: 'note', type: ['null', 'string'], default: null },
    { name: 'parent', type: ['null', 'Order'], default: null },
    { name: 'blob', type: 'bytes', default: '\u00ff' },
    { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' }, default: 5 },
  ],
};

describe('values and their schema', () => {
  test('missing members take their defaults; a record contains itself', async () => {
    const bytes = await encoded(SHOP, { id: 1, parent: { id: 2, state: 'paid', note: 'x' } });
    if (typeof bytes === 'string') throw new Error(bytes);
    const defaults = { state: 'open', lines: [{ price: 1.5 }], note: null, blob: Buffer.of(255), at: 5 };
    expect(typeOf(SHOP).fromBuffer(bytes)).toEqual({
      ...{ ...defaults, id: 1 },
      parent: { ...defaults, id: 2, state: 'paid', note: 'x', parent: null },
    });
  });

  test.each<[string, JsonObject, string]>([
    ['a missing member', {}, '/id is missing and has no default'],
    ['a fraction', { id: 1.5 }, '/id must be an integer of 64 bits'],
    ['a number that JSON has rounded', { id: 2 ** 53 }, '/id must be an integer of 64 bits'],
    ['a symbol', { id: 1, state: 'lost' }, '/state must be one of open, paid'],
    ['a deep value', { id: 1, lines: [{ price: 1 }, { price: 'x' }] }, '/lines/1/price must be a number'],
    ['a branch', { id: 1, note: 5 }, '/note must be a string, not a number'],
    ['a record in a record', { id: 1, parent: { id: 'x' } }, '/parent/id must be an integer'],
    ['a character above U+00FF', { id: 1, blob: '€' }, '/blob must be a text with a character up to U+00FF'],
    ['an object for an array', { id: 1, lines: {} }, '/lines must be an array, not an object'],
    ['a time', { id: 1, at: 'soon' }, '/at must be a time in ISO 8601'],
  ])('%s that does not fit fails with its place', async (_, event, reason) => {
    expect(await encoded(SHOP, event)).toContain(reason);
  });

  test('unions: the first branch of the JSON type, named branches, texts for numbers', async () => {
    const other = (name: string, field: string) => ({
      type: 'record',
      name,
      fields: [{ name: field, type: 'int' }],
    });
    const schema = [
      'null',
      'long',
      'string',
      other('A', 'a'),
      other('B', 'b'),
      { type: 'map', values: 'int' },
    ];
    const branchOf = async (json: Json) => {
      const bytes = await encoded(schema, json);
      return typeof bytes === 'string' ? bytes : schema.at((bytes[0] as number) / 2);
    };
    expect(await Promise.all([null, 5, '5', { b: 1 }, { c: 1 }, { B: { b: 2 } }].map(branchOf))).toEqual([
      ...['null', 'long', 'string', schema[4], schema[5], schema[4]],
    ]);
    expect(await branchOf(true)).toBe(
      'the event must be null or long or string or A or B or map, not a boolean',
    );
    expect((await encoded(['null', 'long'], '9007199254740993')).toString('hex' as never)).toBe(
      '028280808080808020',
    );
    expect((await encoded(['int', 'double'], 'NaN')).toString('hex' as never)).toBe('02000000000000f87f');
  });

  test('nesting beyond the limit fails without a full stack', async () => {
    const schema = { type: 'record', name: 'N', fields: [{ name: 'n', type: ['null', 'N'], default: null }] };
    const nested = (depth: number): Json => (depth === 0 ? {} : { n: nested(depth - 1) });
    expect(await encoded(schema, nested(199))).toBeInstanceOf(Buffer);
    expect(await encoded(schema, nested(200))).toContain('is nested deeper than 200 records');
    const two = [
      { type: 'record', name: 'A', fields: [{ name: 'n', type: ['null', 'A', 'boolean'] }] },
      { type: 'record', name: 'B', fields: [{ name: 'n', type: ['null', 'A', 'B', 'int'] }] },
    ];
    expect(await encoded(two, nested(1_000))).toEqual(expect.any(String));
  });

  test('an item that fails leaves nothing behind; the events of the others are its documents', async () => {
    const formatter = await formatterOf(['null', { type: 'array', items: 'int' }]);
    const { batch, failures } = formatter.format(textBatch(['[1]', '[1, 2, "x"]', '[2]']));
    expect(itemsOf(batch).map((item) => item.toString('hex'))).toEqual(['02020200', '02020400']);
    expect(failures).toEqual([{ event: '[1, 2, "x"]', reason: '/2 must be an integer of 32 bits' }]);
    expect(batch.documents?.()).toEqual(['[1]', '[2]']);
  });
});

describe('schemas that are refused', () => {
  test.each<[Json, string]>([
    ['str', 'the schema names a type that is not declared before: "str"'],
    [{ type: 'record', name: 'R' }, 'fields must be a list'],
    [{ type: 'record', name: 'R', fields: [{ name: 'a', type: 'nil' }] }, 'fields[0].type names a type'],
    [{ type: 'record', name: 'R', fields: [{ name: 'a b', type: 'int' }] }, 'fields[0].name is not a name'],
    [{ type: 'enum', name: 'E', symbols: ['a', 'a'] }, 'symbols have the same one twice: "a"'],
    [['int', 'int'], 'the schema has the same branch twice: "int"'],
    [['int', ['null']], '[1] must not be a union in a union'],
    [{ type: 'fixed', name: 'F', size: -1 }, 'size must be an integer'],
    [{ type: 'array' }, 'items is missing'],
    [5, 'the schema must be a name, an object or a list'],
  ])('%j', (schema, reason) => {
    const read = readSchema(schema);
    expect(E.isLeft(read) ? read.left : '').toContain(reason);
  });

  test('a default that does not fit, a nesting without end, a text that is no JSON', async () => {
    const bad = {
      type: 'record',
      name: 'R',
      fields: [{ name: 'a', type: 'int', default: 'x' }],
    };
    await expect(formatterOf(bad)).rejects.toThrow(
      'formatter avro: schema: the default of field a of R: the event must be an integer of 32 bits. Correct it.',
    );
    let deep: Json = 'int';
    for (let level = 0; level < 99; level++) deep = [{ type: 'array', items: deep }];
    expect(E.isLeft(readSchema(deep))).toBe(true);
    await expect(formatterOf('{')).rejects.toThrow('formatter avro: schema is not JSON');
  });

  test('options that do not go together', () => {
    expect(issuesOf(avroPlugin, {})).toEqual(['is required without `schema_file`']);
    expect(issuesOf(avroPlugin, { schema: 'int', schema_file: 'x' })).toEqual([
      'must not be set together with `schema`',
    ]);
    expect(issuesOf(avroPlugin, { schema: 'int', encoding: 'confluent' })).toEqual([
      'is required with `encoding: confluent`',
    ]);
    expect(issuesOf(avroPlugin, { schema: 'int', schema_id: 1 })).toEqual(['needs `encoding: confluent`']);
    expect(issuesOf(avroPlugin, { schema: 'int', codec: 'deflate' })).toEqual([
      'needs `encoding: container`',
    ]);
  });
});

test('schema_file: relative to the folder of the generator, with a byte order mark; a missing one is named', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'a.avsc'), '\ufeff{"type": "int"}');
  const formatter = await built(avroPlugin, { schema_file: 'a.avsc', encoding: 'raw' }, folder);
  expect(itemsOf(formatter.format(textBatch(['3'])).batch)).toEqual([Buffer.of(6)]);
  await expect(built(avroPlugin, { schema_file: 'b.avsc' }, folder)).rejects.toThrow(
    /schema_file .*b\.avsc cannot be read: .*ENOENT/,
  );
});
