import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json } from '../../src/domain/json.js';
import { generatorShape } from '../../src/plugins/generatorShape.js';
import type { JsonSchema } from '../../src/schema/index.js';
import { withDefinitions } from '../../src/schema/jsonSchema.js';

const LONG = 'a help text that is long enough for a definition of its own. '.repeat(6);

const resolved = (value: Json, defs: Readonly<Record<string, Json>>): Json => {
  if (Array.isArray(value)) return (value as readonly Json[]).map((inner) => resolved(inner, defs));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Readonly<Record<string, Json>>;
  if (typeof $ref === 'string') return resolved(defs[$ref.slice('#/$defs/'.length)] ?? null, defs);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, defs)]));
};

const restored = ({ $defs, ...rest }: JsonSchema): Json =>
  resolved(rest, ($defs ?? {}) as Readonly<Record<string, Json>>);

const tls = (field: string): JsonSchema => ({
  type: 'object',
  properties: { [field]: { type: 'string', description: `${field}: ${LONG}` } },
});

describe('a schema with definitions', () => {
  test('is the same schema once its references are resolved', () => {
    const shared = withDefinitions(generatorShape.schema);
    expect(restored(shared)).toEqual(generatorShape.schema);
    expect(JSON.stringify(shared).length).toBeLessThan(JSON.stringify(generatorShape.schema).length / 2);
  });

  test('compiles', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false });
    const isGenerator = ajv.compile(withDefinitions(generatorShape.schema));
    expect(isGenerator({ input: [{ timer: { seconds: 1, count: 1 } }] })).toBe(false);
  });

  test('writes a part that it repeats once, named after its property', () => {
    const schema = { type: 'object', properties: { in: tls('a'), out: { anyOf: [tls('a'), tls('b')] } } };
    const shared = withDefinitions(schema);
    expect(shared['$defs']).toEqual({ in: tls('a') });
    expect(shared['properties']).toEqual({
      in: { $ref: '#/$defs/in' },
      out: { anyOf: [{ $ref: '#/$defs/in' }, tls('b')] },
    });
  });

  test('numbers the names of different parts under the same property', () => {
    const [a, b] = [tls('a'), tls('b')];
    const schema = { anyOf: [{ properties: { tls: a } }, { properties: { tls: b } }, { items: [] }, a, b] };
    expect(Object.keys(withDefinitions(schema)['$defs'] as object)).toEqual(['tls', 'tls_2']);
  });

  test('leaves a schema without repeated parts as it is', () => {
    expect(withDefinitions(tls('a'))).toEqual(tls('a'));
  });
});
