import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../src/domain/json.js';
import { seededRandom } from '../../src/domain/random.js';
import { drawEntities, entityFilesIn, entityProblem, withRows } from '../../src/incidents/entities.js';

const drawn = (value: Json, seed = 'a seed'): Json =>
  drawEntities({ one: value }, seededRandom(seed))['one'] as Json;

/** What a thousand seeds draw. */
const draws = (value: Json): ReadonlySet<Json> =>
  new Set(Array.from({ length: 1_000 }, (_, index) => drawn(value, `seed ${index}`)));

describe('entities', () => {
  test('are picked from a list, objects too', () => {
    expect([...draws({ pick: ['a', 'b', 'c'] })].sort()).toEqual(['a', 'b', 'c']);
    expect(drawn({ pick: [{ name: 'ana' }] })).toEqual({ name: 'ana' });
  });

  test('draw integers, both ends included', () => {
    expect([...draws({ number: [1, 3] })].sort()).toEqual([1, 2, 3]);
  });

  test('draw addresses of a network, without its first and last one', () => {
    const last = [...draws({ address: '198.51.100.8/29' })].map((text) => Number(String(text).split('.')[3]));
    expect(last.sort((a, b) => a - b)).toEqual([9, 10, 11, 12, 13, 14]);
    expect([...draws({ address: '198.51.100.9/31' })].sort()).toEqual(['198.51.100.8', '198.51.100.9']);
    expect([...draws({ address: '198.51.100.9/32' })]).toEqual(['198.51.100.9']);
    expect(drawn({ address: '255.255.0.0/16' })).toMatch(/^255\.255\.\d+\.\d+$/);
  });

  test('are picked from the rows of a file', () => {
    const thief = { user: { pick: 'users.csv' }, tool: { pick: ['x'] } };
    expect(entityFilesIn({ thief })).toEqual(['users.csv']);
    const rows = new Map([['users.csv', [{ login: 'ann' }]]]);
    expect(withRows({ thief }, rows)).toEqual({
      thief: { user: { pick: [{ login: 'ann' }] }, tool: { pick: ['x'] } },
    });
  });

  test('draw each value on its own: another one changes nothing', () => {
    const thief = { ip: { address: '10.0.0.0/8' }, port: { number: [1, 65_535] } };
    const alone = drawEntities({ thief }, seededRandom('s'));
    const more = drawEntities(
      { victim: { pick: [1, 2] }, thief: { name: 'ana', ...thief } },
      seededRandom('s'),
    );
    expect(more['thief']).toEqual({ name: 'ana', ...(alone['thief'] as object) });
  });

  test('keep values that are no draw', () => {
    expect(drawn({ name: 'ana', tags: ['a'], pick: ['x'], more: 1 })).toEqual({
      name: 'ana',
      tags: ['a'],
      pick: ['x'],
      more: 1,
    });
  });

  test.each<[Json, string]>([
    [{ pick: [] }, 'pick needs a list'],
    [{ pick: '' }, 'pick needs a list'],
    [{ pick: 3 }, 'pick needs a list'],
    [{ number: [3, 1] }, 'number needs'],
    [{ number: [1.5, 2] }, 'number needs'],
    [{ address: '300.0.0.0/8' }, 'address needs'],
    [{ address: '10.0.0.0' }, 'address needs'],
    [{ address: 'fe80::/64' }, 'address needs'],
    [{ ip: { address: 1 } }, 'address needs'],
  ])('refuse %j', (value, problem) => {
    expect(entityProblem(value)).toContain(problem);
  });
});
