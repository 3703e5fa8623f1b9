import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeSupervisor } from '../actors/generators/supervisorParts.js';
import { eventually, type Instance, makeInstance } from '../support/instance.js';
import { settle } from '../support/pipelines/scriptedHost.js';

const BYSTANDERS = 150;
const EVENTS = 8;

/** One event a second: its due time and its number. */
const STEADY = `
input: [cron: {expression: '* * * * * *', count: 1}]
event: {replay: {path: lines.txt, timestamp_pattern: '^(?<timestamp>AT)', timestamp_format: '%s'}}
output: [file: {path: '../../out/\${params.n}.log'}]
`;
const LINES = Array.from({ length: 1_000 }, (_, n) => `AT ${n + 1}\n`).join('');

const failing = (event: string, output = 'file: {path: out.log}'): string =>
  `input: [cron: {expression: '* * * * * *', count: 1}]\nevent: ${event}\noutput: [${output}]\n`;
const SCRIPT = '{script: {path: produce.mjs}}';

/** Generators that fail for ever, each in its own way. */
const BAD: Readonly<
  Record<string, { readonly config: string; readonly script: string; readonly reason: RegExp | null }>
> = {
  'full-output': {
    config: failing('{replay: {path: ../steady/lines.txt}}', 'file: {path: /dev/full}'),
    script: '',
    reason: null,
  },
  'throws-when-loaded': {
    config: failing(SCRIPT),
    script: "throw new Error('never loads');",
    reason: /never loads/,
  },
  'crash-loop': {
    config: failing(SCRIPT),
    script: "setTimeout(() => { throw new Error('and again'); }, 20); export const produce = () => 'x';",
    reason: /and again/,
  },
  hang: {
    config: failing(SCRIPT),
    script: 'export const produce = () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); };',
    reason: /busy for 10 s/,
  },
};

const steadyIds = Array.from({ length: BYSTANDERS }, (_, n) => `steady-${n}`);

interface Row {
  readonly id: string;
  readonly status: { readonly phase: string };
}

interface Stats {
  readonly event: { readonly produced: number };
  readonly output: readonly {
    readonly written: number;
    readonly dead_lettered: number;
    readonly write_failed: number;
  }[];
}

describe('a hundred and fifty live generators beside some that fail for ever', () => {
  let instance: Instance;

  beforeAll(async () => {
    const generators: Record<string, string> = { 'steady/generator.yml': STEADY, 'steady/lines.txt': LINES };
    for (const [id, { config, script }] of Object.entries(BAD)) {
      generators[`${id}/generator.yml`] = config;
      generators[`${id}/produce.mjs`] = script;
    }
    const startup = [
      ...steadyIds.map((id, n) => `- {id: ${id}, path: steady/generator.yml, params: {n: ${n}}}`),
      ...Object.keys(BAD).map((id) => `- {id: ${id}, path: ${id}/generator.yml}`),
    ];
    instance = await makeInstance({ startup: startup.join('\n'), generators });
  });
  afterAll(() => instance.remove());

  const rows = async (): Promise<readonly Row[]> => (await instance.api('GET', '/generators/')).body as Row[];
  const phases = async (): Promise<ReadonlyMap<string, string>> =>
    new Map((await rows()).map(({ id, status }) => [id, status.phase]));
  const statsOf = async (id: string): Promise<Stats> =>
    (await instance.api('GET', `/generators/${id}/stats`)).body as Stats;

  /** Due seconds and numbers of the events of one generator. */
  const eventsOf = async (n: number): Promise<readonly (readonly [at: number, n: number])[]> => {
    const text = await instance.file(`out/${n}.log`).catch(() => '');
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => {
      const [at, number] = line.split(' ').map(Number);
      return [at ?? Number.NaN, number ?? Number.NaN];
    });
  };

  test('all of them start, and write on while the others fail', async () => {
    await instance.start();
    await eventually(async () => {
      const found = await phases();
      return steadyIds.every((id) => found.get(id) === 'running') ? true : null;
    }, 'every steady generator runs');
    for (const n of steadyIds.keys())
      await eventually(
        async () => ((await eventsOf(n)).length >= EVENTS ? true : null),
        `events of steady-${n}`,
      );
    for (const [id, { reason }] of Object.entries(BAD)) {
      if (reason === null) continue;
      await eventually(async () => {
        const { body } = await instance.api('GET', `/generators/${id}/status`);
        const said = (body as { readonly reason: string | null }).reason;
        return said !== null && reason.test(said) ? true : null;
      }, `failure of ${id}`);
    }
    const { event, output } = await statsOf('full-output');
    const [{ written, dead_lettered, write_failed } = { written: 0, dead_lettered: 0, write_failed: 0 }] =
      output;
    expect([written, write_failed]).toEqual([0, 0]);
    expect(dead_lettered).toBeGreaterThan(0);
    expect(dead_lettered).toBeLessThanOrEqual(event.produced);
  });

  test('stopped one by one at once, each has written every second once, in order, and counted it', async () => {
    const answers = await Promise.all(steadyIds.map((id) => instance.api('POST', `/generators/${id}/stop`)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const found = await phases();
    expect(steadyIds.filter((id) => found.get(id) !== 'stopped')).toEqual([]);
    for (const [n, id] of steadyIds.entries()) {
      const events = await eventsOf(n);
      const [[first] = [Number.NaN]] = events;
      expect(events).toEqual(events.map((_, index) => [first + index, index + 1]));
      expect(events.length).toBeGreaterThanOrEqual(EVENTS);
      expect(await statsOf(id)).toMatchObject({
        event: { produced: events.length },
        output: [{ written: events.length, dead_lettered: 0, write_failed: 0 }],
      });
    }
  });

  test('the daemon ends by SIGTERM, though one generator fails, one hangs and one crashes', async () => {
    expect(await instance.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('the supervisor of many generators', () => {
  /** Changes that it reports while so many are started and stopped. */
  const changesOf = async (count: number): Promise<number> => {
    const ids = Array.from({ length: count }, (_, n) => `g${n}`);
    let changes = 0;
    const { host, add, send, actor } = makeSupervisor({ watch: () => void changes++ });
    const answers: unknown[] = [];
    for (const id of ids) {
      add(id);
      send('generators.start', { id }, (answer) => answers.push(answer));
    }
    // Each loads in a turn of its own.
    await settle(count + 20);
    for (const run of host.runs) run.tell({ type: 'running' });
    send('generators.stop_all', null, (answer) => answers.push(answer));
    for (const run of host.runs) run.tell({ type: 'drained' });
    await settle();
    actor.stop();
    expect(answers).toHaveLength(count + 1);
    expect(host.runs.map(({ commands }) => commands[0])).toEqual(ids.map(() => 'drain'));
    return changes;
  };

  // How long it takes: `npm run bench -- scale`.
  test('does the same for each of two thousand as for one of two hundred and fifty', async () => {
    const few = await changesOf(250);
    expect(few).toBeGreaterThan(250);
    expect(await changesOf(2_000)).toBe(8 * few);
  });
});
