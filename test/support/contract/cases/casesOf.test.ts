import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../../src/domain/json.js';
import { type Operation, operationsOf, resolveIn, type Schema } from '../document.js';
import { withNeeds } from '../values/beyondSchema.js';
import { jsonText } from '../values/jsonText.js';
import { makeValidators } from '../values/validators.js';
import { casesOf } from './casesOf.js';
import type { RequestCase } from './requestCase.js';

const kind = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const TICK = kind(
  {
    every: { type: 'integer', minimum: 1, maximum: 60, examples: [5] },
    tags: { type: ['array', 'null'], items: { type: 'string' }, default: [] },
    mode: { type: 'string', enum: ['fast', 'slow'] },
  },
  ['every'],
);

const DOCUMENT: JsonObject = {
  paths: {
    '/things/{name}': {
      put: {
        operationId: 'putThing',
        parameters: [
          { name: 'name', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]+$' } },
          { name: 'size', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9, default: 3 } },
          { name: 'If-Match', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: { '200': {} },
      },
      get: {
        operationId: 'readThing',
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { '200': {} },
      },
    },
  },
  components: {
    schemas: {
      Thing: kind(
        {
          sources: {
            type: 'array',
            minItems: 1,
            items: {
              ...kind({ tick: TICK, none: kind({}, []) }, []),
              minProperties: 1,
              maxProperties: 1,
            },
          },
          params: { type: 'object' },
        },
        ['sources'],
      ),
    },
  },
};

const all = operationsOf(DOCUMENT);
const [PUT, GET] = all as readonly [Operation, Operation];

const enumerate = (operation: Operation): readonly RequestCase[] =>
  casesOf(operation, {
    all,
    resolve: (schema) => resolveIn(DOCUMENT, schema),
    ...makeValidators(DOCUMENT),
    pick: (from, count) => from.slice(0, count),
    query: {},
  });

const put = enumerate(PUT);
const bodies = put.map(({ body, ...rest }) => ({ ...rest, text: String(body?.() ?? '') }));
const sent = (text: string) => bodies.find((each) => each.text === text);
const things = (tick: Json): string => jsonText({ sources: [{ tick }] });

describe('the requests made from a document', () => {
  test('are the same every time', () => {
    expect(enumerate(PUT).map(({ label }) => label)).toEqual(put.map(({ label }) => label));
  });

  test.each([
    ['an example', things({ every: 5 })],
    ['the least', things({ every: 1 })],
    ['the greatest', things({ every: 60 })],
    ['every name', things({ every: 5, mode: 'slow' })],
    ['null where it is taken', things({ every: 5, tags: null })],
    ['every alternative', jsonText({ sources: [{ none: {} }] })],
  ])('hold %s as a valid body', (_, text) => {
    expect(sent(text)).toMatchObject({ isBroken: false, expected: { kind: 'taken' } });
  });

  test.each([
    ['without what is required', things({}), ['sources', '0', 'tick', 'every']],
    ['below the least', things({ every: 0 }), ['sources', '0', 'tick', 'every']],
    ['above the greatest', things({ every: 61 }), ['sources', '0', 'tick', 'every']],
    ['of another type', things({ every: 'text' }), ['sources', '0', 'tick', 'every']],
    [
      'an infinite number',
      things({ every: Number.POSITIVE_INFINITY as never }),
      ['sources', '0', 'tick', 'every'],
    ],
    ['a near miss of a name', things({ every: 5, mode: 'FAST' }), ['sources', '0', 'tick', 'mode']],
    ['a wrong item', things({ every: 5, tags: [{ a: 1 }] }), ['sources', '0', 'tick', 'tags', '0']],
    ['too few', jsonText({ sources: [] }), ['sources']],
    ['an unknown kind', '{"sources":[{"__proto__":{}}]}', ['sources', '0', '__proto__']],
    ['an unknown key', '{"sources":[{"tick":{"every":5}}],"no_such_key":{"polluted":true}}', ['no_such_key']],
    ['not JSON', '{', []],
    ['nothing', '', []],
  ])('hold a body %s, and where the fault is', (_, text, path) => {
    const found = bodies.filter((each) => each.text === text && each.expected.kind === 'refused');
    expect(found).toContainEqual(
      expect.objectContaining({
        isBroken: true,
        expected: { kind: 'refused', fault: { where: 'body', path } },
      }),
    );
  });

  test('an unknown key of a free object is not called wrong', () => {
    const free = bodies.filter(({ label }) => label.startsWith('params: extra key'));
    expect(free.length).toBeGreaterThan(3);
    expect(free.filter(({ isBroken }) => isBroken)).toEqual([]);
  });

  test('no body is sent twice among the valid ones', () => {
    const texts = bodies.filter(({ isBroken, text }) => !isBroken && text !== '').map(({ text }) => text);
    const ofPlaces = texts.filter((text) => text.length < 5_000);
    expect(new Set(ofPlaces).size).toBeGreaterThan(ofPlaces.length - 12);
  });

  test.each([
    ['size=1', 'taken', false],
    ['size=9', 'taken', false],
    ['size=0', 'refused', true],
    ['size=10', 'refused', true],
    ['size=NaN', 'refused', true],
    ['size=3&size=3', 'refused', true],
    ['no_such_parameter=1', 'refused', true],
    ['__proto__=1', 'refused', true],
  ])('the query %s is %s', (query, expected, isBroken) => {
    expect(put.find((each) => each.query === query)).toMatchObject({
      isBroken,
      expected: { kind: expected },
    });
  });

  test.each([
    ['..', 'refused'],
    ['%2e%2e', 'refused'],
    ['%00', 'refused'],
    ['%zz', 'refused'],
    ['%ff', 'refused'],
    ['constructor', 'open'],
  ])('the name %s in a path is %s', (name, expected) => {
    expect(put.find(({ path }) => path?.['name'] === name)).toMatchObject({ expected: { kind: expected } });
  });

  test('a parameter that takes any text takes those of other paths, but never a broken escape', () => {
    const named = (name: string) => enumerate(GET).find(({ path }) => path?.['name'] === name);
    expect(named('%2e%2e')).toMatchObject({ isBroken: false });
    expect(named('%zz')).toMatchObject({ isBroken: true });
  });

  test('methods are those that the path does not have', () => {
    expect(put.flatMap(({ method }) => method ?? [])).toEqual([
      'POST',
      'PATCH',
      'DELETE',
      'PROPFIND',
      'OPTIONS',
    ]);
    expect(enumerate(GET).flatMap(({ method }) => method ?? [])).toContain('HEAD');
  });

  test('a schema with a keyword that is not known is not passed over', () => {
    const strange: Operation = { ...PUT, body: { 'application/json': { type: 'object', not: {} } } };
    expect(() => enumerate(strange)).toThrow('unknown schema keywords not');
  });

  test('what a schema cannot say is asked for wherever the keys are', () => {
    const output = kind({ host: { type: 'string' }, dsn: { type: 'string' }, table: {} }, ['table']);
    expect(withNeeds({ type: 'array', items: { anyOf: [output] } })).toMatchObject({
      items: { anyOf: [{ required: ['table', 'host'] }] },
    });
  });
});
