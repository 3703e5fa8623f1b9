import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changeLog } from '../../src/domain/changeLog.js';

const keys = ['a', 'b', 'c', 'd', 'e'];

describe('a log of latest values', () => {
  test('a returning reader sees each key once, with its latest value', () => {
    const log = changeLog<number>();
    log.set('a', 1);
    log.set('b', 1);
    const seen = log.last();
    log.set('a', 2);
    log.set('c', 1);
    log.set('a', 3);
    expect(log.since(seen, 10)).toEqual([
      { number: 4, key: 'c', value: 1 },
      { number: 5, key: 'a', value: 3 },
    ]);
    expect(log.since(log.last(), 10)).toEqual([]);
  });

  test('a new reader sees the existing keys only', () => {
    const log = changeLog<number>();
    log.set('a', 1);
    log.set('b', 1);
    log.set('a', null);
    expect(log.present(0, log.last(), 10).map(({ key }) => key)).toEqual(['b']);
    expect(log.since(2, 10)).toEqual([{ number: 3, key: 'a', value: null }]);
  });

  test('a reader too far behind must start over', () => {
    const log = changeLog<number>(2);
    for (const key of keys) log.set(key, 1);
    const seen = log.last();
    log.set('a', null);
    log.set('b', null);
    expect(log.since(seen, 10)).toHaveLength(2);
    log.set('c', null);
    expect(log.since(seen, 10)).toBeNull();
    expect(log.since(seen + 1, 10)?.map(({ key }) => key)).toEqual(['b', 'c']);
    expect(log.present(0, log.last(), 10).map(({ key }) => key)).toEqual(['d', 'e']);
  });

  test('readers of any pace end with the latest values', () => {
    const step = fc.record({
      key: fc.constantFrom(...keys),
      value: fc.option(fc.nat(9)),
      /** Page that the reader takes after it; 0: none. */
      page: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.nat(3), (steps, maxGone) => {
        const log = changeLog<number>(maxGone);
        const truth = new Map<string, number>();
        let known = new Map<string, number>();
        let at = 0;
        let until = 0;
        const read = (limit: number): number => {
          let changes = at < until ? log.present(at, until, limit) : [];
          if (changes.length === 0) {
            at = Math.max(at, until);
            const since = log.since(at, limit);
            if (since === null) {
              known = new Map();
              at = 0;
              until = log.last();
              changes = log.present(0, until, limit);
            } else changes = since;
          }
          for (const { number, key, value } of changes) {
            at = number;
            if (value === null) known.delete(key);
            else known.set(key, value);
          }
          return changes.length;
        };
        for (const { key, value, page } of steps) {
          log.set(key, value);
          if (value === null) truth.delete(key);
          else truth.set(key, value);
          if (page > 0) read(page);
        }
        while (read(2) > 0 || at < until);
        expect(new Map([...known].sort())).toEqual(new Map([...truth].sort()));
      }),
    );
  });
});
