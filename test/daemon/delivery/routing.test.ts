import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FATES, type Fate } from '../../../src/domain/stats/stats.js';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const CONFIG = `
input:
  - timer: {seconds: 0.1, count: 5, tags: [eu]}
  - timer: {seconds: 0.1, count: 6, tags: [us]}
event: {script: {path: produce.mjs}}
output:
  - file: {path: ../../out/eu.log, when: {tag: eu}}
  - file: {path: ../../out/even.log, when: {pointer: /even, equals: true}, sample: 0.5}
  - file: {path: ../../out/all.log, delivery: best_effort, retry: {attempts: 3}, write_timeout: 2}
`;
const SCRIPT = `let n = 0;
export const produce = ({ tags }) => JSON.stringify({ n: ++n, even: n % 2 === 0, tag: tags[0] });
export const snapshot = () => n;
export const restore = (state) => { n = state; };`;

interface Event {
  readonly n: number;
  readonly even: boolean;
  readonly tag: string;
}

/** Without imperfections the API shows none. */
const SHOWN = FATES.filter(
  (fate): fate is Exclude<Fate, `imperfect_${string}`> => !fate.startsWith('imperfect_'),
);

type Output = Readonly<Record<(typeof SHOWN)[number], number>>;
type Stats = { readonly event: { readonly produced: number }; readonly output: readonly Output[] };

describe('outputs with conditions, in a daemon', () => {
  let instance: Instance;
  const eventsIn = async (name: string): Promise<readonly Event[]> => {
    const text = await readFile(join(instance.folder, 'out', name), 'utf8').catch(() => '');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Event);
  };
  const reached = (name: string, count: number): Promise<true> =>
    eventually(
      async () => ((await eventsIn(name)).length >= count ? true : null),
      `${count} events in ${name}`,
    );
  beforeAll(async () => {
    instance = await makeInstance({
      startup: '- {id: g, path: g/generator.yml}',
      generators: { 'g/generator.yml': CONFIG, 'g/produce.mjs': SCRIPT },
    });
    await instance.start();
  });
  afterAll(async () => {
    await instance.remove();
  });

  test('each gets its events; a live patch takes other conditions; every event is counted', async () => {
    await reached('even.log', 30);
    const eu = await eventsIn('eu.log');
    expect(eu.length).toBeGreaterThan(0);
    expect(new Set(eu.map(({ tag }) => tag))).toEqual(new Set(['eu']));
    expect((await eventsIn('even.log')).every(({ even }) => even)).toBe(true);
    const patched = {
      output: [
        { file: { path: '../../out/eu.log', when: { tag: 'eu' } } },
        { file: { path: '../../out/us.log', when: { not: { tag: 'eu' } } } },
      ],
    };
    expect(await instance.api('PATCH', '/generators/g', patched)).toEqual({ status: 200, body: null });
    await reached('us.log', 50);
    expect((await instance.api('POST', '/generators/g/stop')).status).toBe(200);
    await eventually(async () => {
      const { body } = await instance.api('GET', '/generators/g/status');
      return (body as { phase: string }).phase === 'stopped' ? true : null;
    }, 'the stop');
    const all = await eventsIn('all.log');
    const us = await eventsIn('us.log');
    expect(new Set(us.map(({ tag }) => tag))).toEqual(new Set(['us']));
    expect(all.map(({ n }) => n)).toEqual(all.map((_, index) => index + 1));
    const stats = (await instance.api('GET', '/generators/g/stats')).body as Stats;
    const { produced } = stats.event;
    const [first, second] = stats.output as readonly [Output, Output];
    // The patched output begins with the event after the last of those before it.
    expect(SHOWN.reduce((sum, fate) => sum + first[fate], 0)).toBe(produced);
    expect(SHOWN.reduce((sum, fate) => sum + second[fate], 0)).toBe(produced - all.length);
    expect([first.written, second.written]).toEqual([(await eventsIn('eu.log')).length, us.length]);
    expect(first.filtered).toBe(produced - first.written);
    const metrics = await (await fetch(`${instance.url}/metrics`)).text();
    expect(metrics).toContain(
      `spate_output_filtered_total{generator="g",plugin="file",plugin_id="1"} ${first.filtered}`,
    );
  });

  test('a condition with a mistake is refused with its place', async () => {
    const body = { output: [{ file: { path: 'x', when: { pointer: 'action', equals: 'login' } } }] };
    expect(await instance.api('PATCH', '/generators/g', body)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'output', '0', 'file', 'when', 'pointer'] }] },
    });
  });
});
