import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../src/domain/json.js';
import {
  decode,
  decodeStored,
  type JsonSchema,
  readBack,
  schemaDocument,
  schemaWithPlaceholders,
} from '../../src/schema/index.js';
import { config } from './support.js';

const X = '${params.x}';
const compile = (schema: JsonSchema) =>
  new Ajv2020({ strict: true, strictTypes: false, validateFormats: false, allErrors: true }).compile(schema);
const plainSchema = schemaDocument('Config', config.schema);
const isPlain = compile(plainSchema);
const isFile = compile(schemaDocument('Config', schemaWithPlaceholders(config.schema)));

const entry = fc.oneof(
  fc.record({ static: fc.record({ count: fc.constantFrom<Json>(1, 2, '3', X, ' 4.0 ') }) }),
  fc.record({
    schedule: fc.record({
      count: fc.constant(1),
      expression: fc.string(),
      tags: fc.constantFrom<Json>(X, ['a'], [X]),
    }),
  }),
  fc.constant(X),
);
const document = fc.record(
  {
    input: fc.oneof(fc.array(entry, { minLength: 1, maxLength: 3 }), fc.constant(X)),
    output: fc.record(
      {
        formatter: fc.constantFrom<Json>(
          { format: 'plain' },
          { format: 'json', indent: '2' },
          { format: 'old-relay' },
          null,
          X,
        ),
        mode: fc.constantFrom<Json>('append', null, X),
        headers: fc.dictionary(fc.string(), fc.string()),
        targets: fc.constantFrom<Json>({ a: { level: 1 }, b: X }, { c: { level: X } }, {}),
        url: fc.constantFrom<Json>('http://x/', null, X),
        delay: fc.constantFrom<Json>(1, '2.5', null, X),
        isOn: fc.constantFrom<Json>('Yes', 'oFF', 1, 0, true, null, X),
      },
      { requiredKeys: [] },
    ),
    params: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
    extra: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['input'] },
);

describe('JSON Schema', () => {
  test('accepts everything that encoding gives', () => {
    fc.assert(
      fc.property(document, (value) => {
        const result = decode(config, value);
        if (E.isLeft(result)) return;
        expect([isPlain(config.codec.encode(result.right)), isPlain.errors]).toEqual([true, null]);
      }),
      { numRuns: 300 },
    );
  });

  test('of files accepts every stored value that decodes, as written and as read back', () => {
    fc.assert(
      fc.property(document, (raw) => {
        const value: Json = JSON.parse(JSON.stringify(raw));
        expect(decodeStored(config, value)._tag).toBe('Right');
        expect([isFile(value), isFile.errors]).toEqual([true, null]);
        expect([isFile(readBack(config, value)), isFile.errors]).toEqual([true, null]);
      }),
      { numRuns: 300 },
    );
  });

  test.each<[string, Json]>([
    ['an unknown key', { input: [X], cuont: 1 }],
    ['a missing key', {}],
    ['an empty list', { input: [] }],
    ['an unknown kind', { input: [{ nope: {} }] }],
    ['two kinds in one entry', { input: [{ static: { count: 1 }, cron: { count: 1, expression: '' } }] }],
    ['an entry without parameters', { input: [{ static: null }] }],
    ['a number out of range', { input: [{ static: { count: 0 } }] }],
    ['a text that is no number', { input: [{ static: { count: 'x' } }] }],
    ['an escaped placeholder', { input: [{ static: { count: `$${X}` } }] }],
    ['a key of another tag', { input: [X], output: { formatter: { format: 'plain', indent: 1 } } }],
    ['a name outside an enum', { input: [X], output: { mode: 'create' } }],
  ])('refuses %s like decode does', (_, value) => {
    expect(decode(config, value)._tag).toBe('Left');
    expect(isPlain(value)).toBe(false);
    expect(decodeStored(config, value)._tag).toBe('Left');
    expect(isFile(value)).toBe(false);
  });

  test('carries help, unit, default, example and secrecy of each field', () => {
    const output = config.fields?.['output']?.fields;
    expect(output?.['delay']?.schema).toEqual({
      description: 'Wait. Unit: seconds.',
      type: ['number', 'null'],
      exclusiveMinimum: 0,
      default: 0.5,
    });
    expect(output?.['mode']?.schema).toEqual({
      description: 'How to open.',
      type: ['string', 'null'],
      enum: ['append', 'overwrite', null],
      default: 'append',
    });
    expect(output?.['password']?.schema).toMatchObject({ writeOnly: true, default: '' });
  });

  test('with placeholders keeps notes beside the alternatives, where editors look for them', () => {
    const widened = schemaWithPlaceholders({
      type: 'object',
      properties: { a: { type: 'integer', description: 'd' } },
    });
    expect(widened).toMatchObject({
      properties: { a: { description: 'd', anyOf: [{ type: 'integer' }, { type: 'string' }] } },
    });
  });
});
