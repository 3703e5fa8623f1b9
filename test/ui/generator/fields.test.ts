import { describe, expect, test } from '@jest/globals';
import { matcherOf } from '../../../src/domain/events/search.js';
import type { Json } from '../../../src/domain/json.js';
import { fieldAt, topValues, withTerm } from '../../../src/ui/parts/events/fields.js';

const EVENT: Json = {
  user: { name: 'ann', roles: ['dev', 'ops'] },
  'event.outcome': 'failure',
  hosts: [{ ip: '::1' }, { ip: '::2' }],
  n: 0,
  none: null,
};

describe('the fields of an event', () => {
  test.each<readonly [string, Json | undefined]>([
    ['user.name', 'ann'],
    ['user.roles', 'dev'],
    ['event.outcome', 'failure'],
    ['hosts.ip', '::1'],
    ['n', 0],
    ['none', null],
    ['user.nam', undefined],
    ['hosts.port', undefined],
  ])('have at %s: %j', (path, expected) => {
    expect(fieldAt(EVENT, path)).toEqual(expected);
  });

  test('are counted by value, most frequent first, in events that have them', () => {
    const events: Json[] = [{ a: 'x' }, { a: 'y' }, { a: 'y' }, { b: 1 }, { a: { c: 1 } }, { a: 'b' }];
    expect(topValues(events, 'a', 2)).toEqual([
      { text: 'y', count: 2 },
      { text: 'b', count: 1 },
    ]);
  });
});

describe('a term that is added to a search', () => {
  test('takes the place of its opposite, and is there once', () => {
    expect(withTerm('', 'a', 'x', false)).toBe('a:x');
    expect(withTerm('old a:x', 'a', 'x', true)).toBe('old -a:x');
    expect(withTerm('old -a:x b:y', 'a', 'x', false)).toBe('old b:y a:x');
    expect(withTerm('a:x', 'a', 'x', false)).toBe('a:x');
  });

  test.each([
    'x',
    'two words',
    'a"b',
    String.raw`c:\d`,
    '',
    '*',
    '>5',
    '-1',
    '"',
    '12:30',
    'http://x/y',
    '//x',
    'é',
  ])('finds an event with the value %j', (value) => {
    const find = withTerm('', 'key', value, false);
    expect(matcherOf(find)?.(JSON.stringify({ key: value }))).toBe(true);
    expect(matcherOf(find)?.(JSON.stringify({ key: `${value}!` }))).toBe(false);
    expect(matcherOf(withTerm(find, 'key', value, true))?.(JSON.stringify({ key: value }))).toBe(false);
  });

  test.each(['my key', '0', 'a/b', 'a:b', 'q"q', '-x', '@timestamp', 'é.b'])(
    'finds an event by the field %j',
    (field) => {
      const find = withTerm('', field, 'x', false);
      expect(matcherOf(find)?.(JSON.stringify({ [field]: 'x' }))).toBe(true);
      expect(matcherOf(find)?.(JSON.stringify({ [field]: 'y' }))).toBe(false);
    },
  );
});
