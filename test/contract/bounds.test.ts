import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { settingsShape } from '../../src/config/settings/shape.js';
import { generatorParamsShape, startupEntryShape } from '../../src/config/startup/startup.js';
import { makeContract } from '../../src/contract/contract.js';
import type { Json, JsonObject } from '../../src/domain/json.js';
import {
  eventShape,
  formatterShape,
  generatorPatchShape,
  generatorShape,
  inputShape,
  outputShape,
} from '../../src/plugins/generatorShape.js';
import {
  anyJson,
  decode,
  decodeStored,
  freeObject,
  listOf,
  MAX_FREE_VALUES,
  MAX_TEXT_LENGTH,
  mapOf,
  text,
} from '../../src/schema/index.js';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typesOf = ({ type }: JsonObject): readonly string[] =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? (type as readonly string[]) : [];

const has = (schema: JsonObject, ...keys: readonly string[]): boolean => keys.some((key) => key in schema);

/** What a schema leaves open by itself, without what lies inside. */
const openParts = (schema: JsonObject): readonly string[] => {
  const types = typesOf(schema);
  // Bytes of a file: their limit is that of the body.
  const isText = types.includes('string') && schema['format'] !== 'binary';
  const isFixed = has(schema, 'enum', 'const', 'oneOf', '$ref');
  const isClosed = schema['additionalProperties'] === false;
  return [
    ...(isText && !isFixed && !has(schema, 'maxLength') ? ['a text without maxLength'] : []),
    ...(types.includes('array') && !has(schema, 'maxItems') ? ['a list without maxItems'] : []),
    ...(types.includes('object') && !isClosed && !isFixed && !has(schema, 'maxProperties', 'minProperties')
      ? ['an object without maxProperties']
      : []),
  ];
};

/** Every place of a schema that takes a text, list or object of any size. */
const unbounded = (schema: Json, at: string): readonly string[] => {
  if (Array.isArray(schema))
    return (schema as readonly Json[]).flatMap((one, i) => unbounded(one, `${at}/${i}`));
  if (!isObject(schema)) return [];
  const inner = Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties' && isObject(value))
      return Object.entries(value).flatMap(([name, one]) => unbounded(one, `${at}.${name}`));
    return ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].includes(key)
      ? unbounded(value, `${at}/${key}`)
      : [];
  });
  return [...openParts(schema).map((part) => `${at}: ${part}`), ...inner];
};

const shapes = {
  generatorConfig: generatorShape,
  generatorPatch: generatorPatchShape,
  output: outputShape,
  generatorParams: generatorParamsShape,
  startupEntry: startupEntryShape,
  settings: settingsShape,
  inputs: listOf(inputShape),
  event: eventShape,
  formatter: formatterShape,
};
const contract = makeContract(shapes, '1.0.0');
const schemas = (contract.openapi()['components'] as JsonObject)['schemas'] as JsonObject;

describe('every field of every declaration is bounded', () => {
  test.each(Object.entries(shapes))('of %s', (name, shape) => {
    expect(unbounded(shape.schema, name)).toEqual([]);
  });

  test.each(
    contract.routes.flatMap((route) =>
      route.body?.kind === 'json' ? [[route.id, route.body.schemaName] as const] : [],
    ),
  )('of the body of %s, as the OpenAPI document shows it', (_id, schemaName) => {
    expect(unbounded(schemas[schemaName] as Json, schemaName)).toEqual([]);
  });

  test.each(contract.routes.map((route) => [route.id, route] as const))(
    'of the parameters of %s',
    (_id, { params, query }) => {
      const found = Object.entries({ ...params, ...query }).flatMap(([name, { schema }]) =>
        unbounded(schema, name),
      );
      expect(found).toEqual([]);
    },
  );

  test('and the walk finds what is not bounded', () => {
    const open = {
      type: 'object',
      additionalProperties: { type: ['string', 'null'] },
      properties: { a: { anyOf: [{ type: 'array', items: { type: 'string' } }] } },
    };
    expect(unbounded(open, 'x')).toHaveLength(4);
  });
});

const long = 'x'.repeat(MAX_TEXT_LENGTH + 1);
const typesOfIssues = (result: E.Either<readonly { readonly type: string }[], unknown>): readonly string[] =>
  E.isLeft(result) ? result.left.map(({ type }) => type) : [];

describe('a declaration that names no limit', () => {
  test('refuses a text, a list and an object above the common one, before any check of its own', () => {
    const shape = text({
      check: () => {
        throw new Error('was checked');
      },
    });
    expect(typesOfIssues(decode(shape, long))).toEqual(['too_long']);
    expect(typesOfIssues(decode(listOf(text()), new Array(1_001).fill('a')))).toEqual(['too_long']);
    const keys = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`k${i}`, 'a']));
    expect(typesOfIssues(decode(mapOf(text()), keys))).toEqual(['too_long']);
    expect(typesOfIssues(decode(mapOf(text()), { [long]: 'a' }))).toEqual(['too_long']);
  });

  test('counts characters as people do', () => {
    expect(E.isRight(decode(text(), '😀'.repeat(MAX_TEXT_LENGTH)))).toBe(true);
    expect(typesOfIssues(decode(text(), '😀'.repeat(MAX_TEXT_LENGTH + 1)))).toEqual(['too_long']);
  });

  test('bounds a text with a placeholder too, at least at that limit', () => {
    const short = text({ maxLength: 1 });
    expect(E.isRight(decodeStored(short, '${params.separator}'))).toBe(true);
    expect(typesOfIssues(decodeStored(short, `\${params.separator}${long}`))).toEqual(['too_long']);
    expect(E.isRight(decodeStored(text({ maxLength: 9_999 }), `\${params.a}${long}`))).toBe(true);
  });

  test('counts every value of free JSON', () => {
    const many = { list: new Array(MAX_FREE_VALUES).fill(1) };
    expect(typesOfIssues(decode(freeObject(), many))).toEqual(['too_many']);
    expect(typesOfIssues(decode(anyJson(), many))).toEqual(['too_many']);
    expect(typesOfIssues(decode(anyJson(), [{ [long]: 1 }]))).toEqual(['too_long']);
    expect(E.isRight(decode(anyJson(), { list: new Array(MAX_FREE_VALUES - 2).fill(1) }))).toBe(true);
  });
});
