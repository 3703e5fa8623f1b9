import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../src/domain/json.js';
import { decode, decodeStored, maskSecrets, readBack, SECRET_MASK } from '../../src/schema/index.js';
import { config, storedVerdict, verdict } from './support.js';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
const X = '${params.x}';
const minimal = { input: [{ static: { count: 1 } }] };

describe('stored values', () => {
  test.each([
    ['a whole document', X],
    ['a list', { input: X }],
    ['a plugin entry', { input: [X] }],
    ['the parameters of a plugin', { input: [{ cron: X }] }],
    ['an integer', { input: [{ static: { count: X } }] }],
    ['a list item', { input: [{ static: { count: 1, tags: ['a', X] } }] }],
    ['an enum', { ...minimal, output: { mode: '${ params.x }' } }],
    ['a part of a URL', { ...minimal, output: { url: 'not a url ${params.x:-1}' } }],
    ['a formatter', { ...minimal, output: { formatter: X } }],
    ['a tag', { ...minimal, output: { formatter: { format: X, indent: 2 } } }],
    ['a parameter of a formatter', { ...minimal, output: { formatter: { format: 'json', indent: X } } }],
    ['a free object', { ...minimal, params: '${secrets.all}' }],
  ])('a placeholder is accepted in place of %s', (_, value) => {
    expect(storedVerdict(config, value)).toBe('ok');
  });

  test('an escaped placeholder is plain text, and so is every placeholder once values are substituted', () => {
    const escaped = { input: [{ static: { count: '$${params.x}' } }] };
    expect(storedVerdict(config, escaped)).toBe('input 0 static count wrong_type');
    expect(verdict(config, { input: [{ static: { count: X } }] })).toBe('input 0 static count wrong_type');
  });

  test('beside a placeholder everything else is still checked', () => {
    const value = { input: [X, { static: { count: X, cuont: 1 } }, { nope: X }] };
    expect(storedVerdict(config, value)).toBe('input 1 static cuont unknown_key; input 2 nope unknown_kind');
  });

  test('read-back fills defaults, coerces scalars, shows none as null and leaves placeholders', () => {
    const value: Json = {
      input: [{ schedule: { expression: X, count: '3' } }],
      output: { formatter: { format: 'old-relay' }, delay: '2', isOn: 'yes', password: '${secrets.p}' },
      params: X,
    };
    expect(readBack(config, value)).toEqual({
      input: [{ schedule: { expression: X, count: 3, tags: [], start: null, end: null } }],
      output: {
        formatter: { format: 'old-relay' },
        mode: 'append',
        headers: {},
        targets: {},
        url: null,
        path: null,
        password: '${secrets.p}',
        delay: 2,
        isOn: true,
      },
      params: X,
      extra: null,
    });
  });

  test('read-back returns an invalid value unchanged', () => {
    expect(readBack(config, { input: 5 })).toEqual({ input: 5 });
  });
});

describe('masking', () => {
  const withPassword = (password: Json): Json => ({ ...minimal, output: { password, cuont: 1 }, other: 'x' });

  test.each<[Json, Json]>([
    ['hunter2', SECRET_MASK],
    [['hunter2'], SECRET_MASK],
    ['pre-${secrets.x}', SECRET_MASK],
    ['${secrets.x:-hunter2}', SECRET_MASK],
    ['${secrets.x}', '${secrets.x}'],
    ['', ''],
    [null, null],
  ])('a secret %p is shown as %p, in a document that does not decode too', (password, shown) => {
    expect(maskSecrets(config, withPassword(password))).toEqual(withPassword(shown));
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholder form of configs

/** Values near the declaration: mostly valid, with some of everything else. */
const count = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom('3', 3.5, null, X));
const near = fc.record(
  {
    input: fc.array(
      fc.oneof(
        fc.record({ static: fc.record({ count, tags: fc.array(fc.string()) }, { requiredKeys: ['count'] }) }),
        fc.record({
          cron: fc.record({ count, expression: fc.string(), start: fc.string(), end: fc.string() }),
        }),
      ),
      { maxLength: 3 },
    ),
    output: fc.record(
      {
        formatter: fc.constantFrom({ format: 'plain' }, { format: 'json', indent: '4' }, { format: X }, X),
        mode: fc.constantFrom('append', 'apend', X),
        headers: fc.dictionary(fc.string(), fc.string()),
        isOn: fc.constantFrom('yes', 0, true, 'x'),
        password: fc.string(),
      },
      { requiredKeys: [] },
    ),
    params: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
    extra: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ['input'] },
);
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value));

describe('laws', () => {
  test('nothing throws on arbitrary JSON, and a refusal always has an issue', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), near), (raw) => {
        const value = plain(raw);
        for (const result of [decode(config, value), decodeStored(config, value)]) {
          if (E.isLeft(result)) expect(result.left.length).toBeGreaterThan(0);
        }
        readBack(config, value);
        maskSecrets(config, value);
      }),
      { numRuns: 300 },
    );
  });

  test('read-back of read-back changes nothing, and read-back decodes wherever the value does', () => {
    fc.assert(
      fc.property(near, (raw) => {
        const value = plain(raw);
        const shown = readBack(config, value);
        expect(readBack(config, shown)).toEqual(shown);
        expect(storedVerdict(config, shown)).toBe(storedVerdict(config, value));
      }),
      { numRuns: 300 },
    );
  });

  test('what is encoded decodes to the same value, and equals read-back where no placeholder is', () => {
    let decodedOnce = 0;
    fc.assert(
      fc.property(near, (raw) => {
        const value = plain(raw);
        const result = decode(config, value);
        if (E.isLeft(result)) return;
        decodedOnce++;
        const encoded = config.codec.encode(result.right);
        expect(config.codec.is(result.right)).toBe(true);
        expect(decode(config, encoded)).toEqual(result);
        expect(plain(encoded)).toEqual(encoded);
        expect(readBack(config, value)).toEqual(encoded);
      }),
      { numRuns: 500 },
    );
    expect(decodedOnce).toBeGreaterThan(5);
  });
});
