import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { paramsOf } from '../../../src/cli/arguments/sharedOptions.js';
import {
  type SampledBatch,
  type SampleEventsOptions,
  sampleEvents,
  sampleTimestamps,
} from '../../../src/cli/compose/sample.js';
import { keyringAccessOf } from '../../../src/cli/files/keyring.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { parseIso } from '../../../src/domain/time/iso.js';
import { utc } from '../../../src/domain/time/zone.js';
import { left, right } from '../../support/either.js';
import { runProgram } from '../../support/instance.js';
import { folderWith } from '../support.js';

const GENERATORS = join(import.meta.dirname, '..', '..', '..', 'generators');
const NOW = '2026-03-02T09:00:00Z';
const at = (text: string): number => parseIso(text, utc) ?? Number.NaN;

const baseOf = (folder: string, params: JsonObject = {}) => ({
  params: right(paramsOf({ seed: '7', params }, join(folder, 'generator.yml'))),
  keyring: keyringAccessOf(join(folder, 'no-keyring.json'), { env: {}, cwd: folder }),
});

const sample = (folder: string, options: Partial<SampleEventsOptions> = {}, params: JsonObject = {}) =>
  sampleEvents({
    ...baseOf(folder, params),
    globals: {},
    now: at(NOW),
    events: 3_000,
    output: 1,
    allow_subprocess: false,
    ...options,
  });

const batchesOf = async (...args: Parameters<typeof sample>): Promise<readonly SampledBatch[]> => {
  const batches: SampledBatch[] = [];
  for await (const batch of right(await sample(...args)).batches) batches.push(batch);
  return batches;
};

const linesOf = (batches: readonly SampledBatch[]): string =>
  batches.flatMap(({ formatted }) => formatted.map((text) => `${text}\n`)).join('');

describe('a sample equals what generate writes', () => {
  const generate = async (folder: string, limit: number): Promise<string> => {
    const line = ['generate', '--path', folder, '--seed', '7', '--now', NOW, '--live-mode', 'false'];
    const program = runProgram([...line, '--limit', String(limit)]);
    expect(await program.exited).toEqual({ code: 0, signal: null });
    return program.stdout();
  };

  test('of a template generator with state and the json formatter', async () => {
    const folder = join(GENERATORS, 'ecs-web-auth');
    const batches = await batchesOf(folder);
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.every(({ failures }) => failures.length === 0)).toBe(true);
    expect(linesOf(batches)).toBe(await generate(folder, 3_000));
  });

  test('of a script, twice in one process', async () => {
    const folder = await folderWith({
      'generator.yml': `
input: [{cron: {expression: '* * * * * *', count: 1000}}]
event: {script: {path: visits.mjs}}
output: [{stdout: {}}]
`,
    });
    await cp(join(GENERATORS, 'clickhouse-visits', 'visits.mjs'), join(folder, 'visits.mjs'));
    const lines = linesOf(await batchesOf(folder));
    expect(linesOf(await batchesOf(folder))).toBe(lines);
    expect(lines).toBe(await generate(folder, 3_000));
  });

  test('of a replayed log', async () => {
    const folder = await folderWith({});
    await cp(join(GENERATORS, 'access-log'), folder, { recursive: true });
    const lines = linesOf(await batchesOf(folder));
    await generate(folder, 3_000);
    expect(lines).toBe(await readFile(join(folder, 'out', 'access.log'), 'utf8'));
  });

  test('of several events a timestamp, cut at the limit, from two inputs with tags', async () => {
    const folder = await folderWith({
      'generator.yml': `
input:
  - timer: {seconds: 1, count: 2, tags: [a]}
  - timer: {seconds: 1, count: 1, tags: [b]}
event: {script: {path: several.mjs}}
output: [{stdout: {formatter: {format: template, template: '{{ event }}!'}}}]
`,
      'several.mjs': `let n = 0;
export const produce = ({ timestamp, tags, random }) =>
  [1, 2, 3].slice(0, n % 4).map((i) => [timestamp, n++, i, random.integer(0, 9), tags].join(' ')).concat(n++ % 5 ? [] : ['five']);
`,
    });
    const batches = await batchesOf(folder, { events: 100 });
    expect(batches.flatMap(({ events }) => events)).toHaveLength(100);
    expect(linesOf(batches)).toBe(await generate(folder, 100));
  });
});

const SCRIPTED = {
  'generator.yml': `
input: [{timer: {seconds: 1, count: 1, repeat: 20}}]
event: {script: {path: produce.mjs}}
output:
  - file: {path: never/opened.log, formatter: {format: json}}
  - file: {path: never/opened.txt}
  - file: {path: never/opened.json, formatter: {format: json-batch}}
`,
  'produce.mjs': `let n = 0;
export const produce = ({ globals, drop }) => {
  n++;
  if (n === 3) throw new Error('three is too much');
  if (n === 4) return drop();
  return n === 6 ? ['not JSON', '{"n": 6}'] : JSON.stringify({ n, mood: globals.get('mood', 'none') });
};
`,
};

describe('a sample', () => {
  test('gives timestamps, events, formatted texts and failures that belong together', async () => {
    const folder = await folderWith(SCRIPTED);
    const [batch, ...others] = await batchesOf(folder, { events: null, globals: { mood: 'good' } });
    expect(others).toEqual([]);
    if (batch === undefined) throw new Error('no batch');
    expect(batch.events).toHaveLength(19);
    expect(batch.formatted).toHaveLength(18);
    expect(batch.formatted[0]).toBe('{"n": 1, "mood": "good"}');
    // A text and the event it was made of have the same number.
    for (const [index, origin] of batch.origins.entries()) {
      const [made, written] = [batch.events[origin], batch.formatted[index]].map((text) =>
        JSON.parse(text ?? ''),
      );
      expect(written).toEqual(made);
    }
    expect(batch.micros.slice(0, 4).map((micros) => (micros - at(NOW)) / 1e6)).toEqual([1, 2, 5, 6]);
    expect(batch.failures).toEqual([
      {
        kind: 'produce',
        micros: at('2026-03-02T09:00:03Z'),
        reason: expect.stringContaining('three is too much'),
        event: null,
      },
      { kind: 'format', micros: at('2026-03-02T09:00:06Z'), reason: expect.any(String), event: 'not JSON' },
    ]);
  });

  test('has the time limit of a run, and names each failure', async () => {
    const folder = await folderWith({
      'generator.yml': `
input: [{timer: {seconds: 1, count: 1}}]
event: {template: {mode: all, templates: [{long: {template: long.jinja}}]}}
output: [{stdout: {}}]
`,
      'long.jinja': `{% set n = shared.get('n', 0) + 1 %}{% do shared.set('n', n) %}
{%- for i in range(50000) %}{% set x = i + 1 %}{% endfor %}{{ n if n % 2 else none + n }}`,
    });
    const batches = await batchesOf(folder, { events: 20 });
    expect(batches.flatMap(({ events }) => events)).toHaveLength(20);
    const reasons = batches.flatMap(({ failures }) => failures.map(({ reason }) => reason));
    expect(new Set(reasons)).toEqual(new Set([expect.stringContaining('TypeError')]));
    expect(reasons).toHaveLength(19);
  });

  test('opens no output', async () => {
    const folder = await folderWith(SCRIPTED);
    await batchesOf(folder, { output: 2 });
    await expect(readFile(join(folder, 'never', 'opened.txt'))).rejects.toThrow('ENOENT');
  });

  test('joins the events of a batch where the formatter does', async () => {
    const folder = await folderWith(SCRIPTED);
    const sampled = right(await sample(folder, { output: 3 }));
    expect(sampled.joins).toBe(true);
    const batches: SampledBatch[] = [];
    for await (const batch of sampled.batches) batches.push(batch);
    expect(batches.map(({ formatted, origins }) => [JSON.parse(formatted[0] ?? '').length, origins])).toEqual(
      [[18, [0]]],
    );
  });

  test.each([
    ['an output that is not there', SCRIPTED, { output: 4 }, 'there is no output 4, only 3'],
    ['a config with a mistake', { 'generator.yml': 'input: []\n' }, {}, 'generator.yml'],
    ['a script that is not there', { 'generator.yml': SCRIPTED['generator.yml'] }, {}, 'does not exist'],
  ])('is refused for %s', async (_, files, options, message) => {
    const folder = await folderWith(files);
    expect(JSON.stringify(left(await sample(folder, options)))).toContain(message);
  });

  test('that is left early closes the event plugin', async () => {
    const folder = join(GENERATORS, 'ecs-web-auth');
    for await (const { events } of right(await sample(folder, { events: null })).batches) {
      expect(events.length).toBeGreaterThan(0);
      break;
    }
  });

  test('of timestamps alone lies within its range', async () => {
    const folder = await folderWith({
      ...SCRIPTED,
      'generator.yml': `
input:
  - cron: {expression: '* * 9 * * *', count: 2}
  - cron: {expression: '0 0 * * * *', count: 1, start: 2026-03-02T00:00:00Z}
event: {script: {path: never-loaded.mjs}}
output: [{stdout: {}}]
`,
    });
    const [from, to] = [at('2026-03-02T09:59:59Z'), at('2026-03-02T12:00:00Z')];
    const { batches, failures } = right(await sampleTimestamps({ ...baseOf(folder), from, to }));
    const seen: number[] = [];
    for await (const { micros, length } of batches) seen.push(...micros.subarray(0, length));
    expect(seen.map((micros) => (micros - from) / 1e6)).toEqual([0, 0, 1, 3_601]);
    expect(failures).toEqual([]);
  });
});
