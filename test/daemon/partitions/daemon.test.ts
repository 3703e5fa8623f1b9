import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const EVENTS = 6_000;

const config = (event: string, seconds = 4): string => `
input:
  - linspace: {start: +1s, end: +${seconds}s, count: ${EVENTS / 2}}
  - linspace: {start: +1s, end: +${seconds}s, count: ${EVENTS / 2}, tags: [second]}
event: {script: {path: ${event}}}
output: [file: {path: ../../out.log}]
`;

/** `index/count, timestamp, input` of each event. */
const NAMING = `
export const produce = ({ timestamp, tags, partition }) =>
  partition.index + '/' + partition.count + ' ' + timestamp.epochMicroseconds + ' ' + tags.length;
`;

/** One partition ends its thread in the middle, once. */
const CRASHING = `
import { existsSync, writeFileSync } from 'node:fs';
const crash = new URL('./crashed', import.meta.url);
let made = 0;
export const produce = ({ timestamp, tags, partition }) => {
  made++;
  if (partition.index === 1 && made === 1000 && !existsSync(crash)) {
    writeFileSync(crash, '');
    process.exit();
  }
  return partition.index + '/' + partition.count + ' ' + timestamp.epochMicroseconds + ' ' + tags.length;
};
export const snapshot = () => made;
export const restore = (state) => { made = state; };
`;

interface Item {
  readonly id: string;
  readonly status: { readonly phase: string; readonly restarts: number };
  readonly partitions?: readonly { readonly index: number; readonly phase: string }[];
}

describe('a generator with partitions', () => {
  let instance: Instance;
  afterEach(() => instance.remove());

  const begin = async (startup: string, script: string, seconds = 4): Promise<void> => {
    instance = await makeInstance({
      startup,
      generators: { 'g/generator.yml': config('e.mjs', seconds), 'g/e.mjs': script },
    });
    await instance.start();
  };
  const get = async <A>(path: string): Promise<A> => (await instance.api('GET', path)).body as A;
  const phase = async (): Promise<string> => (await get<Item['status']>('/generators/g/status')).phase;
  const reaches = (wanted: string): Promise<true> =>
    eventually(async () => ((await phase()) === wanted ? true : null), `the phase ${wanted}`);
  const lines = async (): Promise<readonly string[]> => {
    const text = await readFile(join(instance.folder, 'out.log'), 'utf8').catch(() => '');
    return text.split('\n').slice(0, -1);
  };
  /** The events without their partition, each once. */
  const distinct = async (): Promise<number> => new Set((await lines()).map((line) => line.slice(4))).size;

  test('is one generator to people: its parts run the schedule together, in list, status, stats, log and metrics', async () => {
    await begin('- {id: g, path: g/generator.yml, partitions: 3}\n', NAMING, 2);
    await reaches('finished');
    const made = await lines();
    expect([made.length, await distinct()]).toEqual([EVENTS, EVENTS]);
    for (const name of ['0/3', '1/3', '2/3']) {
      expect(made.filter((line) => line.startsWith(name)).length).toBe(EVENTS / 3);
    }
    const list = await get<readonly Item[]>('/generators/');
    expect(list.map(({ id, partitions }) => [id, partitions])).toEqual([
      ['g', [0, 1, 2].map((index) => ({ index, phase: 'finished', node: null }))],
    ]);
    expect(await get('/generators/g/stats')).toMatchObject({
      id: 'g',
      total_written: EVENTS,
      event: { produced: EVENTS },
      output: [{ written: EVENTS }],
    });
    expect(await get('/generators/g~1/stats')).toMatchObject({ total_written: EVENTS / 3 });
    expect((await instance.api('POST', '/generators/g~1/start')).status).toBe(404);
    const log = await instance.file('logs/generator_g.log');
    for (const index of [0, 1, 2]) expect(log).toContain(`generator has finished partition=${index}`);
    const metrics = await (await fetch(`${instance.url}/metrics`)).text();
    expect(metrics.match(/^spate_event_produced_total.*$/gm)).toEqual([
      `spate_event_produced_total{generator="g",plugin="script"} ${EVENTS}`,
    ]);

    // A start after the end begins a new stream, for all partitions together.
    expect((await instance.api('POST', '/generators/g/start')).status).toBe(200);
    await reaches('finished');
    expect(await distinct()).toBe(2 * EVENTS);
    expect((await instance.api('DELETE', '/generators/g')).status).toBe(200);
    expect(await get('/generators/')).toEqual([]);
  }, 60_000);

  test('goes on from the checkpoint of each partition: after a lost thread, and after the end of the process', async () => {
    await begin('- {id: g, path: g/generator.yml, partitions: 2, checkpoint: true}\n', CRASHING);
    await eventually(async () => ((await lines()).length > EVENTS / 2 ? true : null), 'half of the events');
    await instance.kill('SIGKILL');
    await instance.start();
    await reaches('finished');
    expect(await distinct()).toBe(EVENTS);
    expect(await instance.file('generators/g/crashed')).toBe('');
  }, 60_000);

  test('rejoins without a checkpoint at the present: what it makes then is its own share', async () => {
    await begin('- {id: g, path: g/generator.yml, partitions: 2}\n', CRASHING);
    await reaches('finished');
    const made = await lines();
    const shares = [0, 1].map((index) => made.filter((line) => line.startsWith(`${index}/`)));
    expect(shares[0]?.length).toBe(EVENTS / 2);
    expect(new Set(made).size).toBe(made.length);
    // It misses the events of its pause, and no others.
    const missing = EVENTS / 2 - (shares[1]?.length ?? 0);
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThan(EVENTS / 2 - 999);
    expect(await distinct()).toBe(made.length);
  }, 60_000);

  test('changes its number with a reload, and its inputs only with a restart', async () => {
    await begin('- {id: g, path: g/generator.yml, partitions: 2}\n', NAMING, 600);
    await reaches('running');
    const patch = await instance.api('PATCH', '/generators/g', {
      input: [{ timer: { seconds: 1, count: 1 } }],
    });
    expect([patch.status, patch.body]).toEqual([409, expect.objectContaining({ code: 'wrong_state' })]);
    // Other sections are exchanged in all partitions.
    const bothIn = (file: string): Promise<true> =>
      eventually(async () => {
        const text = await instance.file(file).catch(() => '');
        return ['0/2', '1/2'].every((name) => text.includes(name)) ? true : null;
      }, `events of both partitions in ${file}`);
    await bothIn('out.log');
    const output = [{ file: { path: '../../other.log' } }];
    const { status, body } = await instance.api('PATCH', '/generators/g', { output });
    expect([status, body]).toEqual([200, null]);
    await bothIn('other.log');
    await writeFile(join(instance.folder, 'startup.yml'), '- {id: g, path: g/generator.yml}\n');
    instance.program().child.kill('SIGHUP');
    await eventually(
      async () => ((await lines()).some((line) => line.startsWith('0/1')) ? true : null),
      'events of one partition',
    );
    const [item] = await get<readonly Item[]>('/generators/');
    expect([item?.id, item?.status.phase, item?.partitions]).toEqual(['g', 'running', undefined]);
  }, 60_000);
});
