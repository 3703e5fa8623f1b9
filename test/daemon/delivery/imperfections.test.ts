import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Label } from '../../../src/imperfections/label.js';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const COUNT = 2_500;
const LINES = Array.from({ length: COUNT }, (_, i) => `time line ${i + 1}\n`).join('');
/** Absolute: a restart would begin anew with `now`, and give events that are made again another time. */
const configFrom = (start: number): string => `
input: [linspace: {start: '${new Date(start).toISOString()}', end: '${new Date(start + 5_000).toISOString()}', count: ${COUNT}}]
event:
  replay:
    path: lines.txt
    timestamp_pattern: '^(?P<timestamp>\\S+)'
    timestamp_format: '%Y-%m-%dT%H:%M:%S.%fZ'
output:
  - file:
      path: ../../out.log
      imperfections:
        dropped: {share: 0.05}
        doubled: {share: 0.05}
        late: {share: 0.1, mean: 0.3}
        out_of_order: {share: 0.1, window: 50}
        clock:
          timestamp_pattern: '^(?P<timestamp>\\S+)'
          timestamp_format: iso8601
          share: 0.5
          offset: -3600
          steps: {every: 1, size: 10}
        silent: {every: 1, for: 0.1}
        ground_truth: ../../truth.jsonl
`;

describe('imperfections of a generator with a checkpoint', () => {
  let instance: Instance;
  const linesOf = async (name: string): Promise<readonly string[]> => {
    const text = await readFile(join(instance.folder, name), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean);
  };
  const isFinished = async (): Promise<true | null> => {
    const { body } = await instance.api('GET', '/generators/g/status');
    return (body as { phase: string }).phase === 'finished' ? true : null;
  };
  afterEach(async () => {
    await instance.remove();
  });

  test('hit the same events after kill -9, and nothing that was held is lost', async () => {
    instance = await makeInstance({
      startup: '- {id: g, path: g/generator.yml, skip_past: false, checkpoint: true}',
      generators: { 'g/generator.yml': configFrom(Date.now() + 1_000), 'g/lines.txt': LINES },
    });
    await instance.start();
    await eventually(async () => ((await linesOf('out.log')).length >= 900 ? true : null), '900 events');
    await instance.kill('SIGKILL');
    await instance.start();
    await eventually(isFinished, 'the end');
    const labels = (await linesOf('truth.jsonl'))
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Label);
    const eventsOf = (what: Label['what']): ReadonlySet<number> =>
      new Set(labels.filter((label) => label.what === what).map(({ event }) => event));
    const gone = new Set([...eventsOf('dropped'), ...eventsOf('silenced')]);
    const lines = await linesOf('out.log');
    const arrived = new Set(lines.map((line) => Number(line.split(' ')[2])));
    expect([...arrived].filter((event) => gone.has(event))).toEqual([]);
    expect(arrived.size + gone.size).toBe(COUNT);
    expect(eventsOf('late').size).toBeGreaterThan(150);
    expect(eventsOf('out_of_order').size).toBeGreaterThan(150);
    expect(eventsOf('silenced').size).toBeGreaterThan(150);
    expect(eventsOf('skewed').size).toBeGreaterThan(800);
    // What was written before the kill and after it has the same wrong time, and the same label.
    expect(new Set(lines).size).toBe(arrived.size);
    const sayings = labels.map(({ at: _at, ...label }) => JSON.stringify(label));
    expect(new Set(sayings).size).toBe(new Set(labels.map(({ event, what }) => `${event} ${what}`)).size);
    const { body } = await instance.api('GET', '/generators/g/stats');
    expect(body).toMatchObject({ output: [{ imperfect: { truncated: 0 } }] });
  });
});
