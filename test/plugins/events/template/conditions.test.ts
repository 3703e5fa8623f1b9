import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../../src/domain/json.js';
import {
  conditionShape,
  type StateName,
} from '../../../../src/plugins/events/template/fsm/conditionShape.js';
import { compileCondition } from '../../../../src/plugins/events/template/fsm/conditions.js';
import { dictStore, StateObject } from '../../../../src/plugins/events/template/state.js';
import { decode } from '../../../../src/schema/index.js';
import { dateTimeAt, fromJson, PyDict, UTC_ZONE, zoneValue } from '../../../../src/template/index.js';

const STATES: Readonly<Record<StateName, Readonly<Record<string, Json>>>> = {
  locals: { tries: 3, 'user.name': 'ada' },
  shared: {
    n: 5,
    half: 0.5,
    text: 'GET /index',
    list: [1, 'a', 2],
    empty: [],
    object: { a: 1, b: 2 },
    nothing: null,
    yes: true,
  },
  globals: { phase: 'attack' },
};

const scopes = (scope: StateName): StateObject => {
  const dict = new PyDict();
  for (const [key, value] of Object.entries(STATES[scope])) dict.set(key, fromJson(value));
  return new StateObject(scope, dictStore(dict));
};

const check = (
  given: unknown,
  { at = '2026-02-28T12:30:00Z', tags = ['web', 'eu'], zone = 'UTC' } = {},
): { readonly holds: boolean; readonly warnings: readonly string[] } => {
  const decoded = decode(conditionShape, given);
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  const warnings: string[] = [];
  const holds = compileCondition(decoded.right)(
    {
      state: scopes,
      timestamp: dateTimeAt(Date.parse(at) * 1000, zoneValue(zone) ?? UTC_ZONE),
      tags,
      activity: null,
    },
    (sentence) => void warnings.push(sentence),
  );
  return { holds, warnings };
};

const holds = (given: unknown, more?: Parameters<typeof check>[1]): boolean => check(given, more).holds;

const problemOf = (given: unknown) => {
  const decoded = decode(conditionShape, given);
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => [path.join('.'), type]) : null;
};

describe('conditions', () => {
  test.each([
    [{ eq: { 'shared.n': 5 } }, true],
    [{ eq: { 'shared.n': 5.0 } }, true],
    [{ eq: { 'shared.n': '5' } }, false],
    [{ eq: { 'shared.yes': 1 } }, true],
    [{ eq: { 'shared.list': [1, 'a', 2] } }, true],
    [{ eq: { 'shared.object': { b: 2, a: 1 } } }, true],
    [{ eq: { 'locals.user.name': 'ada' } }, true],
    [{ eq: { 'globals.phase': 'attack' } }, true],
    [{ gt: { 'shared.n': 4 } }, true],
    [{ gt: { 'shared.n': 5 } }, false],
    [{ ge: { 'shared.n': 5 } }, true],
    [{ lt: { 'shared.half': 0.6 } }, true],
    [{ le: { 'shared.half': 0.4 } }, false],
    [{ len_eq: { 'shared.list': 3 } }, true],
    [{ len_gt: { 'shared.text': 3 } }, true],
    [{ len_ge: { 'shared.object': 2 } }, true],
    [{ len_lt: { 'shared.empty': 1 } }, true],
    [{ len_le: { 'shared.list': 2 } }, false],
    [{ contains: { 'shared.list': 'a' } }, true],
    [{ contains: { 'shared.list': 1.0 } }, true],
    [{ contains: { 'shared.text': '/index' } }, true],
    [{ contains: { 'shared.object': 'b' } }, true],
    [{ contains: { 'shared.object': 2 } }, false],
    [{ in: { 'globals.phase': ['probe', 'attack'] } }, true],
    [{ in: { 'globals.phase': 'attack wave' } }, true],
    [{ in: { 'shared.n': [1, 2] } }, false],
    [{ matches: { 'shared.text': 'GET' } }, true],
    [{ matches: { 'shared.text': 'index' } }, false],
    [{ matches: { 'shared.text': '(?P<verb>GET|POST) /\\w+' } }, true],
    [{ matches: { 'shared.text': '(?i)get' } }, true],
    [{ defined: 'shared.nothing' }, true],
    [{ defined: 'shared.missing' }, false],
    [{ has_tags: 'web' }, true],
    [{ has_tags: ['web', 'eu'] }, true],
    [{ has_tags: ['web', 'us'] }, false],
    [{ always: null }, true],
    [{ never: null }, false],
    [{ not: { never: null } }, true],
    [{ or: [{ never: null }, { always: null }] }, true],
    [{ and: [{ always: null }, { never: null }] }, false],
  ])('%j is %s', (given, expected) => {
    expect(check(given)).toEqual({ holds: expected, warnings: [] });
  });

  test.each([
    [{ eq: { 'shared.nothing': null } }, 'eq: shared.nothing is missing or null'],
    [{ gt: { 'shared.missing': 1 } }, 'gt: shared.missing is missing or null'],
    [{ lt: { 'shared.text': 1 } }, 'lt: shared.text is str, not a number'],
    [{ len_eq: { 'shared.n': 1 } }, 'len_eq: shared.n is int and has no length'],
    [{ contains: { 'shared.n': 1 } }, 'contains: shared.n is int and contains nothing'],
    [{ contains: { 'shared.text': 1 } }, 'contains: shared.text is a string and cannot contain 1'],
    [{ in: { 'shared.n': 'text' } }, 'in: shared.n is int, not a string'],
    [{ matches: { 'shared.list': 'a' } }, 'matches: shared.list is list, not a string'],
  ])('%j is false, and says why', (given, warning) => {
    expect(check(given)).toEqual({ holds: false, warnings: [warning] });
  });

  test('or and and short-circuit', () => {
    const odd = { gt: { 'shared.missing': 1 } };
    expect(check({ or: [{ always: null }, odd] }).warnings).toEqual([]);
    expect(check({ and: [{ never: null }, odd] }).warnings).toEqual([]);
    expect(check({ or: [odd, { always: null }] }).warnings).toHaveLength(1);
  });

  test('before and after compare the wall clock with some of its parts replaced', () => {
    expect(holds({ after: { hour: 12 } })).toBe(true);
    expect(holds({ after: { hour: 13 } })).toBe(false);
    expect(holds({ before: { hour: 13 } })).toBe(true);
    // Zero alone is a component like any other.
    expect(holds({ after: { hour: 0 } })).toBe(true);
    expect(holds({ before: { minute: 31 } })).toBe(true);
    // Equal is not before, but after.
    expect(holds({ before: { hour: 12, minute: 30 } })).toBe(false);
    expect(holds({ after: { hour: 12, minute: 30 } })).toBe(true);
    expect(holds({ after: { hour: 14 } }, { zone: 'Asia/Tokyo' })).toBe(true);
    expect(holds({ before: { year: 2027 } })).toBe(true);
  });

  test('a missing day becomes the last of the month', () => {
    expect(holds({ before: { day: 31 } }, { at: '2026-02-28T00:00:00Z' })).toBe(false);
    expect(holds({ before: { day: 31 } }, { at: '2026-02-27T00:00:00Z' })).toBe(true);
    expect(holds({ after: { month: 2, day: 29 } }, { at: '2026-02-28T00:00:00Z' })).toBe(true);
  });
});

describe('invalid conditions', () => {
  test.each([
    [{}, [['', 'missing']]],
    [{ always: null, never: null }, [['', 'not_one_key']]],
    [{ equals: { 'shared.n': 1 } }, [['equals', 'unknown_kind']]],
    [{ eq: {} }, [['eq', 'missing']]],
    [{ eq: { 'shared.a': 1, 'shared.b': 2 } }, [['eq', 'not_one_key']]],
    [{ eq: { n: 1 } }, [['eq', 'bad_format']]],
    [{ eq: { 'session.n': 1 } }, [['eq', 'bad_format']]],
    [{ gt: { 'shared.n': 'many' } }, [['gt.shared.n', 'wrong_type']]],
    [{ len_eq: { 'shared.n': -1 } }, [['len_eq.shared.n', 'out_of_range']]],
    [{ in: { 'shared.n': 5 } }, [['in.shared.n', 'wrong_type']]],
    [{ matches: { 'shared.n': '(' } }, [['matches.shared.n', 'bad_format']]],
    [{ matches: { 'shared.n': '(?L) a' } }, [['matches.shared.n', 'bad_format']]],
    [{ defined: 'shared' }, [['defined', 'bad_format']]],
    [{ has_tags: [] }, [['has_tags', 'too_short']]],
    [{ before: {} }, [['before', 'missing']]],
    [{ before: { hour: 24 } }, [['before.hour', 'out_of_range']]],
    [{ after: { month: 2, day: 31 } }, [['after.day', 'out_of_range']]],
    [{ always: 1 }, [['always', 'not_allowed']]],
    [{ or: [{ always: null }] }, [['or', 'too_short']]],
    [{ not: { eq: { n: 1 } } }, [['not.eq', 'bad_format']]],
    ['always', [['', 'wrong_type']]],
  ])('%j', (given, expected) => {
    expect(problemOf(given)).toEqual(expected);
  });
});
