import { describe, expect, test } from '@jest/globals';
import { DEFAULT_GENERATION } from '../../../src/config/settings/generationFields.js';
import { generatorParams, loadStartup } from '../../../src/config/startup/startup.js';
import type { GenerationParams } from '../../../src/domain/generator.js';
import type { Json } from '../../../src/domain/json.js';
import { left, right } from '../support.js';

const GENERATION: GenerationParams = {
  ...DEFAULT_GENERATION,
  timezone: 'Europe/Berlin',
  batch: { size: 50, delay: 2 },
  queue: { max_timestamp_batches: 3, max_event_batches: 4 },
  write_timeout: 7,
};

const load = (text: string) => right(loadStartup(text, 's.yml', GENERATION, '/g'));
const firstOf = (text: string) => {
  const { entries, rejected } = load(text);
  if (entries[0] === undefined) throw new Error(rejected.map(({ error }) => error.message).join());
  return entries[0];
};

describe('the startup file', () => {
  test.each(['', '[]', '# nothing\n', 'null'])('%j lists nothing', (text) => {
    expect(load(text)).toEqual({ entries: [], rejected: [], warnings: [] });
  });

  test.each(['a: 1', 'text', '5', '- [', '- a: 1\n  a: 2'])('%j is refused as a whole', (text) => {
    expect(left(loadStartup(text, 's.yml', GENERATION, '/g'))).toMatchObject({
      code: 'invalid',
      file: 's.yml',
    });
  });

  test('an entry has every default, those of the settings included', () => {
    expect(firstOf('- {id: web, path: web/generator.yml}')).toEqual({
      ...GENERATION,
      id: 'web',
      path: '/g/web/generator.yml',
      live_mode: true,
      skip_past: true,
      from: null,
      params: {},
      seed: null,
      autostart: true,
      scenarios: [],
      partitions: 1,
      runs_on: {},
    });
  });

  test('partitions are 1 to 64, and a generator in a scenario has one', () => {
    const readings = [
      'partitions: 64',
      'partitions: 0',
      'partitions: 65',
      'partitions: 2, scenarios: [s]',
    ].map((fields) => right(loadStartup(`- {id: a, path: a.yml, ${fields}}`, 's.yml', GENERATION, '/g')));
    expect(readings.map(({ entries }) => entries.map(({ partitions }) => partitions))).toEqual([
      [64],
      [],
      [],
      [],
    ]);
    expect(readings.at(-1)?.rejected[0]?.error.message).toContain(
      'must be 1 in a scenario: members of a scenario share globals on one thread',
    );
  });

  test.each<[string, Json]>([
    ['batch.size: 5', { batch: { size: 5, delay: 2 } }],
    ['batch: {size: null}', { batch: { size: null, delay: 2 } }],
    ['batch: {}', { batch: { size: 50, delay: 2 } }],
    ['batch: null', { batch: { size: 50, delay: 2 } }],
    ['queue.max_event_batches: 9', { queue: { max_timestamp_batches: 3, max_event_batches: 9 } }],
    ['queue: {max_event_batches: null}', { queue: { max_timestamp_batches: 3, max_event_batches: 4 } }],
    ['timezone: null', { timezone: 'Europe/Berlin' }],
    ['timezone: UTC', { timezone: 'UTC' }],
    ['keep_order: true', { keep_order: true, write_timeout: 7 }],
  ])('%s overrides the settings key by key', (line, expected) => {
    expect(firstOf(`- id: a\n  path: a.yml\n  ${line}\n`)).toMatchObject(expected as object);
  });

  test('keeps the other fields unchanged', () => {
    const entry = firstOf(
      '- {id: a, path: /x/a.yml, live_mode: false, skip_past: no, params: {a.b: 1}, seed: 42, autostart: false, scenarios: [one, two, one]}',
    );
    expect(entry).toMatchObject({
      path: '/x/a.yml',
      live_mode: false,
      skip_past: false,
      params: { 'a.b': 1 },
      seed: '42',
      autostart: false,
      scenarios: ['one', 'two'],
    });
  });

  test('one bad entry does not keep the others from running', () => {
    const { entries, rejected } = load(`
- {id: a, path: a.yml}
- {id: b, path: b.yml, batch.size: 0}
- {id: b, path: b.yml}
- just text
- {id: a, path: again.yml}
- {id: c, path: c.yml, queue.max_event_batches: 1, queue: {max_event_batches: 2}}
- {path: d.yml}
`);
    expect(entries.map(({ id, path }) => [id, path])).toEqual([
      ['a', '/g/a.yml'],
      ['b', '/g/b.yml'],
    ]);
    expect(rejected.map(({ index, id, error }) => [index, id, error.message])).toEqual([
      [1, 'b', 's.yml:3:36  [1].batch.size  must be at least 1.'],
      [3, null, 's.yml:5:3  [3]  must be an object, not text.'],
      [4, 'a', "s.yml:6:8  [4].id  'a' is already the id of entry 1. Give this entry another id."],
      [5, 'c', expect.stringMatching(/^s\.yml:7:\d+ {2}\[5\]\.queue\.max_event_batches {2}.*set twice/)],
      [6, null, 's.yml:8:3  [6].id  is required.'],
    ]);
  });

  test.each([
    ['id: "a/b"', 'must consist of letters'],
    ['id: ""', 'must not be empty'],
    ['id: ".."', 'must not begin with a dot'],
    ['id: 5', 'must be text'],
    [`id: ${'x'.repeat(129)}`, 'must have at most 128 characters'],
    ['id: a, unknown: 1', "unknown key 'unknown'"],
    ['id: a, params: [1]', 'must be an object'],
    ['id: a, scenarios: one', 'must be a list'],
    ['id: a, scenarios: [""]', 'must not be empty'],
    ['id: a, seed: 1.5', 'must be text or an integer'],
    ['id: a, seed: ""', 'must have 1..256 characters'],
    ['id: a, timezone: Nowhere', 'must be an IANA time zone'],
    ['id: a, batch: {size: null, delay: null}', 'needs size, delay or both'],
    ['id: a, allow_subprocess: true', "unknown key 'allow_subprocess'"],
  ])('%s is rejected', (fields, message) => {
    const { rejected } = load(`- {path: a.yml, ${fields}}`);
    expect(rejected[0]?.error.message).toContain(message);
  });

  test.each(['../a.yml', '/etc/a.yml', 'x/../../a.yml', '/gg/a.yml'])(
    '%s lies outside and is warned of',
    (path) => {
      const { entries, warnings } = load(`- id: a\n  path: ${path}`);
      expect(entries).toHaveLength(1);
      expect(warnings).toEqual(["s.yml:2: 'a' uses a config outside of the generators directory"]);
    },
  );

  test.each(['a.yml', '..a/b.yml', '/g/a.yml', 'x/../a.yml'])('%s lies inside', (path) => {
    expect(load(`- id: a\n  path: ${path}`).warnings).toEqual([]);
  });
});

describe('parameters of a single generator', () => {
  const params = (partial: Json) => generatorParams(partial, DEFAULT_GENERATION, '/work');

  test('have every default and an absolute path', () => {
    expect(right(params({ id: 'a', path: 'a.yml', live_mode: 'false' }))).toEqual({
      ...DEFAULT_GENERATION,
      id: 'a',
      path: '/work/a.yml',
      live_mode: false,
      skip_past: true,
      from: null,
      params: {},
      seed: null,
    });
  });

  test.each<[Json, string]>([
    [{ id: 'a' }, 'path  is required.'],
    [{ id: 'a', path: 'x', autostart: true }, "autostart  unknown key 'autostart'"],
    [{ id: 'a', path: 'x', 'batch.size': 1 }, "batch.size  unknown key 'batch.size'"],
    [[], 'must be an object, not a list.'],
  ])('%j is refused', (partial, message) => {
    expect(left(params(partial)).message).toContain(message);
  });
});
