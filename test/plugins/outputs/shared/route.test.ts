import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { Json } from '../../../../src/domain/json.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { type When, whenShape } from '../../../../src/plugins/outputs/shared/delivery.js';
import { routeOf } from '../../../../src/plugins/outputs/shared/route.js';
import { decode, readBack } from '../../../../src/schema/index.js';

const read = (value: Json): When => {
  const decoded = decode(whenShape, value);
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  return decoded.right;
};
const problems = (value: Json): readonly string[] => {
  const decoded = decode(whenShape, value);
  return E.isLeft(decoded) ? decoded.left.map(({ path, message }) => `${path.join('.')}: ${message}`) : [];
};

const random = () => seededRandom('s').fork('sample');
const EVENTS = [
  '{"event":{"action":"login","n":1},"user":null}',
  '{"event":{"action":"logout","n":"1"},"a/b":true}',
  'plain text',
  '{"event":{"action":7},"list":["x"]}',
  '5',
];

/** Positions of the events that satisfy a condition; tags are `eu` and `web`. */
const chosen = (when: Json): readonly number[] => {
  const { choose } = routeOf(read(when), null, random());
  return choose(textBatch(EVENTS), ['eu', 'web']) ?? [...EVENTS.keys()];
};

describe('a condition', () => {
  test.each<[Json, readonly number[]]>([
    [{ tag: 'eu' }, [0, 1, 2, 3, 4]],
    [{ tag: 'us' }, []],
    [{ not: { tag: 'us' } }, [0, 1, 2, 3, 4]],
    [{ pointer: '/event/action', equals: 'login' }, [0]],
    [{ pointer: '/event/n', equals: 1 }, [0]],
    [{ pointer: '/user', equals: null }, [0]],
    [{ pointer: '/a~1b', equals: true }, [1]],
    [{ pointer: '', equals: 5 }, [4]],
    [{ pointer: '/list/0', in: ['x', 'y'] }, [3]],
    [{ pointer: '/event/action', in: ['logout', 7] }, [1, 3]],
    [{ pointer: '/event/action', matches: '^log' }, [0, 1]],
    [{ pointer: '/event/action', matches: '7' }, [3]],
    [{ pointer: '/user' }, [0]],
    [{ pointer: '/user', exists: false }, [1, 2, 3, 4]],
    [{ any: [{ pointer: '/user' }, { pointer: '/list' }] }, [0, 3]],
    [{ all: [{ tag: 'web' }, { pointer: '/event' }, { not: { pointer: '/list' } }] }, [0, 1]],
    [{ any: [{ tag: 'us' }, { pointer: '/list' }] }, [3]],
  ])('%j chooses %j', (when, positions) => {
    expect(chosen(when)).toEqual(positions);
  });

  test.each<[Json, string]>([
    [{}, 'pointer: is required'],
    [{ pointer: 'event' }, 'pointer: must be a JSON pointer such as /event/action'],
    [{ pointer: '/a', equals: 1, in: [1] }, "in: unknown key 'in'"],
    [{ pointer: '/a', equal: 1 }, "equal: unknown key 'equal'"],
    [{ pointer: '/a', equals: [1] }, 'equals: must be text, a number, a boolean or null'],
    [{ pointer: '/a', matches: '(' }, 'matches: is not a regular expression'],
    [{ tag: 'eu', pointer: '/a' }, "pointer: unknown key 'pointer'"],
    [{ any: [] }, 'any: must have at least 1 item'],
    [{ all: [{ not: { tag: 5 } }] }, 'all.0.not.tag: must be text, not a number'],
    ['eu', ': must be an object'],
  ])('%j is refused: %s', (when, problem) => {
    expect(problems(when)).toEqual([expect.stringContaining(problem)]);
  });

  test('is read back as written', () => {
    for (const when of [
      { all: [{ tag: 'eu' }, { not: { pointer: '/a', in: [1, null, 'x'] } }] },
      { pointer: '/a', equals: null },
    ])
      expect(readBack(whenShape, when)).toEqual(when);
    expect(readBack(whenShape, { pointer: '/a' })).toEqual({ pointer: '/a', exists: true });
  });

  test('a nest of conditions deeper than the limit is refused', () => {
    let when: Json = { tag: 'eu' };
    for (let depth = 0; depth < 200; depth++) when = { not: when };
    expect(problems(when)[0]).toContain('nested deeper');
  });

  test('a hostile expression ends', () => {
    const { choose } = routeOf(read({ pointer: '/a', matches: '(a+)+$' }), null, random());
    const event = JSON.stringify({ a: `${'a'.repeat(5_000)}!` });
    expect(choose(textBatch([event]), [])).toEqual([]);
  });

  test('needs tags only where it names one', () => {
    expect(routeOf(read({ all: [{ not: { tag: 'eu' } }] }), null, random()).needsTags).toBe(true);
    expect(routeOf(read({ pointer: '/tag' }), null, random()).needsTags).toBe(false);
    expect(routeOf(null, 0.5, random()).needsTags).toBe(false);
  });
});

describe('a sample', () => {
  const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

  test('is the share, within four standard deviations', () => {
    const { choose } = routeOf(null, 0.1, random());
    const count = choose(textBatch(texts(100_000)), [])?.length ?? 0;
    expect(Math.abs(count - 10_000)).toBeLessThan(4 * Math.sqrt(100_000 * 0.1 * 0.9));
  });

  test('of 0 is nothing and of 1 is everything', () => {
    expect(routeOf(null, 0, random()).choose(textBatch(texts(9)), [])).toEqual([]);
    expect(routeOf(null, 1, random()).choose(textBatch(texts(9)), [])).toBeNull();
  });

  test('is the same for the same seed, however the events are cut into batches', () => {
    const all = texts(500);
    const whole = routeOf(null, 0.3, random()).choose(textBatch(all), []);
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 1, max: 90 })), (sizes) => {
        const { choose } = routeOf(null, 0.3, random());
        const cut: number[] = [];
        for (let at = 0; at < all.length; ) {
          const part = all.slice(at, at + (sizes.next().value as number));
          for (const one of choose(textBatch(part), []) ?? part.keys()) cut.push(at + one);
          at += part.length;
        }
        expect(cut).toEqual(whole);
      }),
      { numRuns: 20 },
    );
    expect(routeOf(null, 0.3, seededRandom('t')).choose(textBatch(all), [])).not.toEqual(whole);
  });

  test('is taken of what the condition lets through', () => {
    const events = textBatch(Array.from({ length: 2_000 }, (_, n) => JSON.stringify({ n: n % 2 })));
    const got = routeOf({ pointer: '/n', equals: 1 }, 0.5, random()).choose(events, []) ?? [];
    expect(got.every((position) => position % 2 === 1)).toBe(true);
    expect(Math.abs(got.length - 500)).toBeLessThan(4 * Math.sqrt(1_000 * 0.25));
  });
});
