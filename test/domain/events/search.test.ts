import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { matcherOf } from '../../../src/domain/events/search.js';

const finds = (search: string, event: string): boolean => matcherOf(search)?.(event) ?? true;

const LOGIN = JSON.stringify({
  '@timestamp': '2026-03-02T09:00:00Z',
  message: 'Access denied for "ann"',
  user: { name: 'Ann', roles: ['admin', 'dev'] },
  'event.outcome': 'failure',
  http: { status: 503, took_ms: 12.5 },
  tags: [{ key: 'zone', value: 'dmz' }],
  quiet: false,
  none: null,
});
const PAIRS = 'time="10:00" src=10.0.0.7 user="Ann Lee", status=503; other_status=200 http.code=7';

describe('a search', () => {
  test.each(['', '   ', '\t\n'])('of %j finds every event', (search) => {
    expect(matcherOf(search)).toBeNull();
  });

  test.each([
    ['denied', true],
    ['DENIED ann', true],
    ['denied bob', false],
    ['"access denied"', true],
    ['"denied access"', false],
    [String.raw`"for \\\"ann"`, true],
    ['"an unclosed quote', false],
    ['-denied', false],
    ['-bob denied', true],
    ['-"access denied"', false],
    ['user.name:ann', true],
    ['user.name:an', false],
    ['user.name:a*n', true],
    ['user.name:ann*', true],
    ['user.name:*ann', true],
    ['user.name:an*nn', false],
    ['user.name:*n*n*', true],
    ['user.name:*n*n*n*', false],
    ['@timestamp:*-03-*t09:*z', true],
    ['user.name:*', true],
    ['user.email:*', false],
    ['user:*', true],
    ['-user.email:*', true],
    ['name:ann', true],
    ['outcome:failure', true],
    ['status:>=500', true],
    ['value:dmz', true],
    ['roles.name:ann', false],
    ['ame:ann', false],
    ['user.roles:dev', true],
    ['user.roles:d*', true],
    ['event.outcome:failure', true],
    ['event.outcome:fail', false],
    ['tags.value:dmz', true],
    ['quiet:false', true],
    ['none:null', true],
    ['http.status:503', true],
    ['http.status:>=500', true],
    ['http.status:<500', false],
    ['http.status:>503', false],
    ['http.status:<=503.0', true],
    ['http.took_ms:>12', true],
    ['user.name:>1', false],
    ['message:"access denied for \\"ann\\""', true],
    ['@timestamp:2026-03-02T09:*', true],
    ['http.status:503 -event.outcome:success user.name:ANN', true],
    ['http.status:503 -event.outcome:failure', false],
  ])('of %j in JSON: %p', (search, expected) => {
    expect(finds(search, LOGIN)).toBe(expected);
  });

  test.each([
    ['src:10.0.0.7', true],
    ['code:7', true],
    ['src:10.0.0.*', true],
    ['src:10.0.0', false],
    ['user:"ann lee"', true],
    ['user:ann', false],
    ['status:503', true],
    ['status:200', false],
    ['status:>500', true],
    ['tatus:503', false],
    ['time:10:00', true],
    ['absent:*', false],
  ])('of %j in text with pairs: %p', (search, expected) => {
    expect(finds(search, PAIRS)).toBe(expected);
  });

  test.each([
    ['took-ms:>5', '{"took-ms": 6}', true],
    ['took-ms:>5', '{"ms": 6, "took-ms": 4}', false],
    ['codes:>=500', '{"codes": [200, 501]}', true],
    ['code:>1', '{"code": "0x10"}', false],
    ['code:>1', '{"code": " 1.5e1 "}', true],
    ['code:<0', '{"code":-0.5}', true],
    ['größe:>1', '{"größe":2}', true],
  ])('compares numbers: %j in %j: %p', (search, event, expected) => {
    expect(finds(search, event)).toBe(expected);
  });

  test('looks no less closely than one that parses every event', () => {
    const keys = fc.constantFrom('a', 'b', 'a.b', 'B-1', 'é');
    const values = fc.oneof(
      fc.constantFrom('', 'x', 'X y', 'a"b', String.raw`c\d`, '-1', '2.50', 'ünï', 'line\nbreak', 'e/f'),
      ...[fc.integer({ min: -3, max: 3 }), fc.boolean(), fc.constant(null)],
    );
    const document = fc.letrec((tie) => ({
      node: fc.dictionary(
        keys,
        fc.oneof(values, tie('node'), fc.array(fc.oneof(values, tie('node')), { maxLength: 3 })),
        {
          maxKeys: 3,
        },
      ),
    })).node;
    const path = fc.array(keys, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
    const operator = fc.constantFrom('<', '<=', '>', '>=');
    const escapes = (json: string): string =>
      json.replaceAll(/[a-zA-Z](?![^"]*$)/g, (letter) => (letter === 'x' ? String.raw`\u0078` : letter));
    fc.assert(
      fc.property(
        document,
        path,
        values,
        operator,
        fc.boolean(),
        (event, field, value, compare, isEscaped) => {
          const all = [...valuesBelow(event, field)];
          const json = isEscaped ? escapes(JSON.stringify(event)) : JSON.stringify(event, null, 1);
          fc.pre(JSON.stringify(JSON.parse(json)) === JSON.stringify(event));
          const text = String(value).toLowerCase();
          expect(finds(`${field}:${JSON.stringify(text).replaceAll(/\\n/g, '\n')}`, json)).toBe(
            all.some((one) => String(one).toLowerCase() === text),
          );
          if (typeof value !== 'number') return;
          const bound = value;
          const isWanted = { '<': lt(bound), '<=': le(bound), '>': gt(bound), '>=': ge(bound) }[compare];
          expect(finds(`${field}:${compare}${bound}`, json)).toBe(
            all.some((one) => isNumeric(one) && isWanted(Number(one))),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('with many wildcards takes no longer for a long text', () => {
    const event = JSON.stringify({ key: 'a'.repeat(100_000) });
    const from = performance.now();
    expect(finds(`key:${'*a'.repeat(40)}*b`, event)).toBe(false);
    expect(performance.now() - from).toBeLessThan(1_000);
  });

  test('takes an address, a time and a field without a value as text', () => {
    expect(finds('http://x/y', '{"url":"HTTP://x/y"}')).toBe(true);
    expect(finds('10:30:05', 'at 10:30:05 nothing')).toBe(true);
    expect(finds('user:', '"user:" here')).toBe(true);
    expect(finds('"event.outcome":"failure"', LOGIN)).toBe(true);
    expect(finds('user:', 'no such')).toBe(false);
  });

  test('finds values that JSON writes as escapes', () => {
    expect(finds('city:zürich', String.raw`{"city":"Z\u00fcrich"}`)).toBe(true);
    expect(finds('city:zurich', String.raw`{"cit\u0079":"\u005aurich"}`)).toBe(true);
    expect(finds('path:"a/b"', String.raw`{"path":"a\/b"}`)).toBe(true);
  });

  test('of fields does not fail for broken JSON, lists, numbers or deep documents', () => {
    const deep = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`;
    for (const event of ['{"a":', '[1, {"a": 2}]', '5', '', '{}', 'null', deep]) {
      expect(typeof finds('a:2', event)).toBe('boolean');
      expect(typeof finds('-a.b.c:>2', event)).toBe('boolean');
    }
    expect(finds('a:2', '[1, {"a": 2}]')).toBe(true);
  });

  test('has no characters with a meaning that the reader does not know', () => {
    for (const character of String.raw`.*+?^${'$'}{}()|[]\/-`) {
      const event = JSON.stringify({ key: `x${character}y` });
      if (character !== '*') expect(finds(`key:"x${character.replace('\\', '\\\\')}y"`, event)).toBe(true);
      expect(finds(`key:"x${character.replace('\\', '\\\\')}z"`, event)).toBe(false);
    }
  });
});

const lt = (bound: number) => (one: number) => one < bound;
const le = (bound: number) => (one: number) => one <= bound;
const gt = (bound: number) => (one: number) => one > bound;
const ge = (bound: number) => (one: number) => one >= bound;
const isNumeric = (one: unknown): boolean => typeof one === 'number' || one === '-1' || one === '2.50';

/** All scalars of fields with these last keys, at any depth. */
function* valuesBelow(value: unknown, path: string): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    yield* valuesAt(value, path);
    for (const [key, one] of Object.entries(value))
      for (const [index] of key.split('.').entries())
        if (index > 0) yield* valuesAt({ [key.split('.').slice(index).join('.')]: one }, path);
  }
  for (const one of Object.values(value)) yield* valuesBelow(one, path);
}

/** All scalars at a path, whatever way the dots are read. */
function* valuesAt(value: unknown, path: string): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const one of value) yield* valuesAt(one, path);
    return;
  }
  if (path === '') {
    if (value === null || typeof value !== 'object') yield value;
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    if (path === key) yield* valuesAt(one, '');
    if (path.startsWith(`${key}.`)) yield* valuesAt(one, path.slice(key.length + 1));
  }
}
