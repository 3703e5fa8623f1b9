import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json.js';

/** A schema, a value of it as an event has it, and as `avsc` decodes it. */
export interface Sample {
  readonly schema: Json;
  readonly json: Json;
  readonly value: unknown;
}

/** Kinds of JSON: a union of these has one branch for a value. */
type Kind = 'null' | 'boolean' | 'number' | 'text' | 'array' | 'object';

let names = 0;
/** Types of a schema have names of their own. */
const newName = (): string => `T${names++}`;

const scalar = (schema: Json, values: fc.Arbitrary<Json>, decoded: (value: Json) => unknown = (v) => v) =>
  values.map((json): Sample => ({ schema, json, value: decoded(json) }));

const latin = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 6,
});
const anyText = fc.string({ unit: fc.constantFrom(...'aZ0 "\\\u0000é€🎈'), maxLength: 40 });
const real = fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number));
const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number));
/** avsc adds up longs as doubles, and is exact up to here. */
const EXACT = 2 ** 52 - 1;
const exact = fc.oneof(fc.integer({ min: -EXACT, max: EXACT }), fc.integer({ min: -70, max: 70 }));
const asBytes = (json: Json): unknown => Buffer.from(json as string, 'latin1');

const SCALARS: Readonly<Record<'null' | 'boolean' | 'number' | 'text', fc.Arbitrary<Sample>>> = {
  null: scalar('null', fc.constant(null)),
  boolean: scalar('boolean', fc.boolean()),
  number: fc.oneof(
    scalar('int', fc.integer()),
    scalar({ type: 'long', doc: 'left out of the canonical form' }, exact),
    scalar('float', float),
    scalar('double', real),
  ),
  text: fc.oneof(
    scalar('string', anyText),
    scalar('bytes', latin, asBytes),
    fc.nat(6).chain((size) => {
      const type = { type: 'fixed', name: newName(), namespace: 'org.example', size };
      const unit = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
      return scalar(type, fc.string({ unit, minLength: size, maxLength: size }), asBytes);
    }),
    fc.constantFrom('A', 'B', 'C').map(
      (json): Sample => ({
        schema: { type: 'enum', name: newName(), symbols: ['A', 'B', 'C'], default: 'A' },
        json,
        value: json,
      }),
    ),
  ),
};

const member = fc.stringMatching(/^[a-z]{1,5}$/);

/** Several values of one schema: the values are those of one sample, repeated. */
const repeated = (item: fc.Arbitrary<Sample>) => fc.tuple(item, fc.nat(3));

const { any } = fc.letrec<Readonly<Record<'any' | 'array' | 'map' | 'record' | 'union', Sample>>>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'schema' },
    fc.oneof(...Object.values(SCALARS)),
    tie('array'),
    tie('map'),
    tie('record'),
    tie('union'),
  ),
  array: repeated(tie('any')).map(([{ schema, json, value }, count]) => ({
    schema: { type: 'array', items: schema },
    json: Array.from({ length: count }, () => json),
    value: Array.from({ length: count }, () => value),
  })),
  map: fc.tuple(tie('any'), fc.uniqueArray(anyText, { maxLength: 3 })).map(([item, keys]) => ({
    schema: { type: 'map', values: item.schema },
    json: Object.fromEntries(keys.map((key) => [key, item.json])),
    value: Object.fromEntries(keys.map((key) => [key, item.value])),
  })),
  record: fc.tuple(fc.array(tie('any'), { maxLength: 4 }), fc.uniqueArray(member, { minLength: 4 })).map(
    ([items, keys]): Sample => ({
      schema: {
        type: 'record',
        name: newName(),
        fields: items.map(({ schema }, index) => ({ name: keys[index] as string, type: schema })),
      },
      json: {
        ...Object.fromEntries(items.map(({ json }, index) => [keys[index], json])),
        'not in the schema': 1,
      },
      value: Object.fromEntries(items.map(({ value }, index) => [keys[index], value])),
    }),
  ),
  union: fc
    .tuple(
      fc.record<Record<Kind, Sample>>({
        ...SCALARS,
        array: tie('array'),
        object: fc.oneof(tie('map'), tie('record')),
      }),
      fc.shuffledSubarray<Kind>(['null', 'boolean', 'number', 'text', 'array', 'object'], { minLength: 1 }),
      fc.nat(),
    )
    .map(([branches, kinds, pick]): Sample => {
      const { json, value } = branches[kinds[pick % kinds.length] as Kind];
      return { schema: kinds.map((kind) => branches[kind].schema), json, value };
    }),
}));

/** A union as an item of a union is no schema. */
export const samples: fc.Arbitrary<Sample> = any;
