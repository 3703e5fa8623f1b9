import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileJsonSchema } from '../../../src/adapters/jsonSchema.js';
import {
  fingerprinter,
  fingerprintVerdict,
  schemaChecker,
} from '../../../src/analysis/expect/checks/events.js';
import { rateCounter } from '../../../src/analysis/expect/checks/rate.js';
import { isPointer, pointerReader } from '../../../src/domain/json.js';
import { seededRandom } from '../../../src/domain/random.js';
import { zoneOf } from '../../../src/domain/time/zone.js';
import { left, right } from '../../support/either.js';
import { check, times, verdictOf } from './support.js';

const HOUR = 3_600e6;

describe('schema', () => {
  const schema = {
    type: 'object',
    required: ['user'],
    properties: { user: { type: 'string' }, age: { type: 'integer', maximum: 120 } },
    additionalProperties: false,
  };
  const judge = (texts: readonly string[]) =>
    verdictOf(schemaChecker(right(compileJsonSchema(schema))), texts);

  test('accepts events that are valid', () => {
    expect(judge(['{"user": "a"}', '{"user": "b", "age": 7}'])).toMatchObject({
      isOk: true,
      measured: '2 events valid',
    });
  });

  test.each([
    ['{"user": "b", "age": 130}', '/age must be <= 120 (schema #/properties/age/maximum)'],
    ['{"age": 1}', "the event must have required property 'user' (schema #/required)"],
    [
      '{"user": "b", "role": 1}',
      'the event must NOT have additional properties: "role" (schema #/additionalProperties)',
    ],
    ['{"user": ', 'the event is not JSON'],
    ['', 'the event is not JSON'],
  ])('names place and rule of %s', (text, difference) => {
    const verdict = judge(['{"user": "a"}', text, '{}']);
    expect(verdict).toMatchObject({
      isOk: false,
      measured: '2 of 3 events not valid',
      differences: [difference],
    });
    expect(verdict.first).toMatchObject({ number: 2, micros: 1e6, text });
  });

  test.each([
    [{ type: 'strnig' }, 'must be equal to one of the allowed values'],
    [{ requierd: ['a'] }, 'unknown keyword'],
    [{ properties: { a: { pattern: '(' } } }, 'Invalid regular expression'],
    [{ $ref: 'https://elsewhere.example/schema.json' }, "can't resolve reference"],
    [7, 'schema must be object or boolean'],
  ])('%j is no schema', (given, reason) => {
    expect(left(compileJsonSchema(given as never)).message).toContain(reason);
  });

  test('fails without events', () => expect(judge([]).isOk).toBe(false));
});

test('pattern names the first event that does not match', () => {
  const params = '^<\\d+>\\p{L}';
  expect(check('pattern', params, ['<1>ä', '<2>b'])).toMatchObject({
    isOk: true,
    measured: '2 events match',
  });
  const verdict = check('pattern', params, ['<1>a', 'x', 'y']);
  expect(verdict).toMatchObject({ isOk: false, measured: '2 of 3 events do not match' });
  expect(verdict.first).toMatchObject({ number: 2, text: 'x' });
});

describe('shares', () => {
  const events = [...times(3, () => ({ a: { b: 'x' } })), { a: { b: 7 } }, { other: 1 }, 'no JSON'];
  const judge = (values: object, tolerance: number) =>
    check('shares', { field: '/a/b', values, tolerance }, events);

  test('are those of the events that have the field', () => {
    expect(judge({ x: 0.75, '7': 0.25 }, 0)).toMatchObject({
      isOk: true,
      measured: 'largest difference 0 over 4 events',
    });
  });

  test('show expected and measured, and the other values', () => {
    expect(judge({ x: 0.9, gone: 0.1 }, 0.05)).toMatchObject({
      isOk: false,
      differences: [
        'x: expected 0.9 ± 0.05, measured 0.75 (3 of 4)',
        'gone: expected 0.1 ± 0.05, measured 0 (0 of 4)',
        'other values: 7 0.25',
      ],
    });
  });

  test('fail where no event has the field', () => {
    const verdict = check('shares', { field: '/nowhere', values: { x: 0 }, tolerance: 1 }, events);
    expect(verdict).toMatchObject({ isOk: false, measured: 'none of 6 events has /nowhere' });
  });

  test('decide by the tolerance, for any values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', '__proto__', 'constructor'), { minLength: 1, maxLength: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, expected, tolerance) => {
          const given = JSON.parse(`{"__proto__": ${expected}}`) as object;
          const verdict = check(
            'shares',
            { field: '/v', values: given, tolerance },
            values.map((v) => ({ v })),
          );
          const share = values.filter((v) => v === '__proto__').length / values.length;
          expect(verdict.isOk).toBe(Math.abs(share - expected) <= tolerance);
        },
      ),
    );
  });
});

describe('order', () => {
  const params = { key: '/id', field: '/do', sequence: ['in', 'work', 'out'] };
  const event = (id: string, act: string) => ({ id, do: act });
  const judge = (...events: readonly object[]) => check('order', params, events);

  test('is kept per key; a value may repeat, others may be between', () => {
    const events = [event('a', 'in'), event('b', 'in'), event('a', 'other'), event('a', 'work')];
    expect(judge(...events, event('a', 'in'), event('a', 'out'), { do: 'out' }, { id: 'c' })).toMatchObject({
      isOk: true,
      measured: '5 events of 2 keys in order',
    });
  });

  test('is broken by a value without all earlier ones of its key', () => {
    const verdict = judge(event('a', 'in'), event('b', 'work'), event('a', 'out'));
    expect(verdict).toMatchObject({
      isOk: false,
      measured: '2 events out of order among 3 events of 2 keys',
      differences: ['b: work before in'],
    });
    expect(verdict.first?.number).toBe(2);
    expect(judge(event('a', 'in'), event('a', 'out')).differences).toEqual(['a: out before work']);
  });

  test('is not proven by events that never come to it', () => {
    expect(judge({ id: 'a' }).measured).toBe('no event has /id and a value of the sequence in /do');
    expect(judge(event('a', 'in')).measured).toBe('no event has a value behind in');
  });

  test('agrees with a search through all earlier events', () => {
    const acts = fc.constantFrom('in', 'work', 'out', 'other');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), acts), { minLength: 1 }), (steps) => {
        const { sequence } = params;
        const isBroken = steps.some(([id, act], index) =>
          sequence
            .slice(0, Math.max(0, sequence.indexOf(act)))
            .some((earlier) => !steps.slice(0, index).some(([who, what]) => who === id && what === earlier)),
        );
        const proves = steps.some(([, act]) => sequence.indexOf(act) > 0);
        expect(judge(...steps.map(([id, act]) => event(id, act))).isOk).toBe(proves && !isBroken);
      }),
    );
  });
});

describe('size', () => {
  test('counts bytes, not characters', () => {
    expect(check('size', { min: 2, max: 4 }, ['ab', 'äö'])).toMatchObject({
      isOk: true,
      measured: '2 to 4 bytes, median 3',
    });
  });

  test('shows each limit that is broken, and the first event', () => {
    const verdict = check('size', { min: 3, max: 4, median: [1, 2] }, ['abc', 'a', 'abcde']);
    expect(verdict.differences).toEqual([
      'smallest: expected at least 3 bytes, measured 1',
      'largest: expected at most 4 bytes, measured 5',
      '2 events of 3 outside of the range',
      'median: expected 1 to 2 bytes, measured 3',
    ]);
    expect(verdict.first?.number).toBe(2);
  });

  test('has the median of any events', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 }), (sizes) => {
        const sorted = [...sizes].sort((a, b) => a - b);
        const middle = ((sorted[(sizes.length - 1) >> 1] ?? 0) + (sorted[sizes.length >> 1] ?? 0)) / 2;
        const judge = (low: number, high: number) =>
          check(
            'size',
            { median: [Math.max(0, low), Math.max(0, high)] },
            sizes.map((size) => 'x'.repeat(size)),
          ).isOk;
        expect(judge(Math.floor(middle), Math.ceil(middle))).toBe(true);
        expect(judge(Math.ceil(middle) + 1, 1_000)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('of more events than its first memory holds', () => {
    expect(
      check(
        'size',
        { min: 0 },
        times(10_000, (index) => 'x'.repeat(index % 7)),
      ).measured,
    ).toBe('0 to 6 bytes, median 3');
  });
});

test('distinct counts different values', () => {
  const events = [{ a: 1 }, { a: 1 }, { a: [1] }, { a: null }, {}];
  const judge = (limits: object) => check('distinct', { field: '/a', ...limits }, events);
  expect(judge({ min: 3, max: 3 })).toMatchObject({ isOk: true, measured: '3 different values in 4 events' });
  expect(judge({ min: 4, max: 9 }).differences).toEqual(['expected at least 4, at most 9, measured 3']);
  expect(judge({ max: 2 }).differences).toEqual(['expected at most 2, measured 3']);
  expect(check('distinct', { field: '/b', max: 2 }, events).isOk).toBe(false);
});

describe('rate', () => {
  const count = (params: object, micros: readonly number[], zone = 'UTC') => {
    const all = { from: '', hours: 3, per_hour: {}, tolerance: 0, ...params };
    const counter = rateCounter(all, 0, zoneOf(zone) as never);
    counter.see(Float64Array.from([...micros, 0]), micros.length);
    return counter.end();
  };
  const SOME = [0, 1, HOUR, HOUR + 1, HOUR + 2, 3 * HOUR - 1, 3 * HOUR];

  test('counts timestamps by hour of the day', () => {
    expect(count({ per_hour: { 0: 2, 1: 3, 2: 1 } }, SOME)).toMatchObject({
      isOk: true,
      measured: '6 timestamps in 3 hours',
    });
  });

  test('shows the hours that are off', () => {
    expect(count({ per_hour: { 0: 2, 1: 4, 2: 0 }, tolerance: 0.2 }, SOME).differences).toEqual([
      'hour 1: expected 4 ± 20 %, measured 3',
      'hour 2: expected 0 ± 20 %, measured 1',
    ]);
    expect(count({ per_hour: { 1: 4 }, tolerance: 0.25 }, SOME).isOk).toBe(true);
  });

  test('is in the time zone, and every day has the hour', () => {
    expect(count({ per_hour: { 6: 3 } }, SOME, 'Asia/Karachi').isOk).toBe(true);
    const days = { hours: 48, per_hour: { 1: 3 } };
    expect(count(days, [...SOME, 25 * HOUR]).differences).toEqual([
      'hour 1 of day 2: expected 3 ± 0 %, measured 1',
    ]);
  });

  test('refuses an hour that the range has not', () => {
    expect(count({ per_hour: { 9: 0 } }, SOME)).toMatchObject({
      isOk: false,
      measured: 'hour 9 is outside of the range',
    });
  });
});

test('a fingerprint is that of lines', () => {
  const print = fingerprinter();
  for (const text of ['a', '']) print.see(text);
  const digest = print.digest();
  // printf 'a\n\n' | sha256sum
  expect(digest).toBe('a7da489976d0047490617adb4f7a1f27f7af8b52a5176fd002ffe471863520ab');
  expect(fingerprintVerdict(digest, digest).isOk).toBe(true);
  expect(fingerprintVerdict('0'.repeat(64), digest)).toMatchObject({ isOk: false, first: null });
});

describe('a JSON pointer', () => {
  test('finds the value that it was made for, in any document', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), fc.jsonValue(), (keys, value) => {
        const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        const document = keys.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value);
        expect(isPointer(pointer)).toBe(true);
        expect(pointerReader(pointer)(document)).toEqual(value);
      }),
    );
  });

  test.each(['a', 'event/action', '/a~', '/a~2'])('%j is none', (text) =>
    expect(isPointer(text)).toBe(false),
  );

  test('reads items of lists, and nothing that is inherited', () => {
    expect(pointerReader('/a/1')({ a: ['x', 'y'] })).toBe('y');
    for (const pointer of ['/a/length', '/a/-1', '/a/01', '/a/2', '/toString', '/a/1/length'])
      expect(pointerReader(pointer)({ a: ['x', 'y'] })).toBeUndefined();
  });
});

describe('tells', () => {
  const random = seededRandom(3);
  const events = (change: (isAttack: boolean) => object) =>
    times(3_000, () => {
      const isAttack = random.next() < 0.1;
      const labels = { anomaly: isAttack ? 'theft' : 'none' };
      return { bytes: random.integer(1, 900), ...change(isAttack), labels };
    });

  test('passes where nothing tells the attack', () => {
    const verdict = check(
      'tells',
      {},
      events(() => ({})),
    );
    expect(verdict).toMatchObject({ isOk: true, differences: [] });
    expect(verdict.measured).toMatch(/^theft: \d+ events, tree 0\.\d+$/);
  });

  test('fails for a value that only the attack has, unless it is declared', () => {
    const given = events((isAttack) => ({ source: { ip: isAttack ? '192.0.2.9' : '10.1.1.1' } }));
    const { isOk, differences } = check('tells', {}, given);
    expect(isOk).toBe(false);
    expect(differences[0]).toBe('theft: 1 of it and no normal event: /source/ip is "192.0.2.9"');
    expect(differences.at(-1)).toMatch(/^theft: expected a tree of at most 0\.65, measured 1: /);
    expect(check('tells', { indicators: ['/source'] }, given).isOk).toBe(true);
  });

  test.each([
    ['without an attack', 0, 'none of 80 events has the label of an attack in /labels/anomaly'],
    [
      'with too few events of it',
      20,
      'theft: expected at least 50 of it and of normal events, measured 20 of it',
    ],
  ])('fails %s', (_, attacks, problem) => {
    const given = times(80, (at) => ({ n: at % 7, labels: { anomaly: at < attacks ? 'theft' : 'none' } }));
    const { isOk, measured, differences } = check('tells', {}, given);
    expect(isOk).toBe(false);
    expect([measured, ...differences]).toContain(problem);
  });
});
