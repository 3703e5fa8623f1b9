import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { processStart } from '../../src/adapters/processes/proc.js';
import { eventually, type Instance, makeInstance } from '../support/instance.js';
import { dataOf, eventReader } from '../support/servers/eventSource.js';

/** Numbers its events, with the process it runs in. */
const NUMBERS = `let n = 0;
export const produce = ({ globals }) => {
  globals.set('pid', process.pid);
  return globals.get('word', 'event') + ' ' + ++n;
};
export const snapshot = () => n;
export const restore = (state) => { n = state; };`;

const config = (output: string): string => `
input: [timer: {seconds: 0.1, count: 20}]
event: {script: {path: produce.mjs}}
output: [${output}]
`;

const GENERATORS = {
  'g/generator.yml': config('file: {path: ../../out.log, flush_interval: 0}'),
  'g/produce.mjs': NUMBERS,
};

interface Stats {
  readonly event: { readonly produced: number };
  readonly output: readonly { readonly written: number }[];
}

const eventsOf = async (instance: Instance): Promise<readonly string[]> => {
  const text = await instance.file('out.log').catch(() => '');
  return text.split('\n').slice(0, -1);
};

const reached = (instance: Instance, check: (events: readonly string[]) => boolean, what: string) =>
  eventually(async () => {
    const events = await eventsOf(instance);
    return check(events) ? events : null;
  }, what);

/** 0 while there are no statistics yet. */
const readProduced = (body: unknown): number => (body as Partial<Stats>).event?.produced ?? 0;

const statsOf = async (instance: Instance): Promise<Stats> =>
  (await instance.api('GET', '/generators/g/stats')).body as Stats;

describe('a generator with isolation: process', () => {
  let instance: Instance;

  beforeAll(async () => {
    instance = await makeInstance({
      startup: `- {id: g, path: g/generator.yml, isolation: process, checkpoint: true, scenarios: [shared]}
- {id: mate, path: g/generator.yml, scenarios: [shared], autostart: false}
- {id: other, path: other/generator.yml, scenarios: [mixed]}
- {id: late, path: g/generator.yml, scenarios: [mixed], isolation: process, autostart: false}`,
      generators: {
        ...GENERATORS,
        'other/generator.yml': config('file: {path: /dev/null}'),
        'other/produce.mjs': NUMBERS,
      },
    });
    await instance.start();
  });

  afterAll(() => instance.remove());

  const childPid = async (): Promise<number> => {
    const { body } = await instance.api('GET', '/scenarios/shared/globals');
    return (body as { readonly pid: number }).pid;
  };

  test('runs in another process, whose counters the daemon shows', async () => {
    await reached(instance, ({ length }) => length >= 60, '60 events');
    expect(await childPid()).not.toBe(instance.program().child.pid);
    const { event, output } = await statsOf(instance);
    expect(event.produced).toBeGreaterThanOrEqual(40);
    expect(output[0]?.written).toBeGreaterThanOrEqual(40);
  });

  test('sees a change of its globals, and its events can be followed', async () => {
    await instance.api('PATCH', '/scenarios/shared/globals', { word: 'other' });
    await reached(instance, (events) => events.at(-1)?.startsWith('other ') === true, 'the new word');
    const response = await fetch(`${instance.url}/generators/g/tail?rate=100&max_bytes=64`);
    const reader = eventReader(response.body as AsyncIterable<Uint8Array>);
    const seen = await reader.until((events) => dataOf(events, 'event').length > 0);
    await reader.close();
    expect(dataOf<{ readonly text: string }>(seen, 'event')[0]?.text).toMatch(/^other \d+$/);
  });

  test('takes a patch while it runs, and its counters carry over', async () => {
    const before = await statsOf(instance);
    const patched = await instance.api('PATCH', '/generators/g', {
      input: [{ timer: { seconds: 0.1, count: 50 } }],
    });
    expect(patched).toEqual({ status: 200, body: null });
    const refused = await instance.api('PATCH', '/generators/g', {
      output: [{ file: { path: '/proc/no/such.log' } }],
    });
    expect(refused.status).toBe(422);
    const { length } = await eventsOf(instance);
    await reached(instance, (events) => events.length > length + 100, '100 more');
    const after = await statsOf(instance);
    expect(after.event.produced).toBeGreaterThan(before.event.produced);
    expect(after.output[0]?.written).toBeGreaterThan(before.output[0]?.written ?? 0);
  });

  test('shares its process with the members of its scenario', async () => {
    await instance.api('POST', '/generators/mate/start');
    await eventually(
      async () => readProduced((await instance.api('GET', '/generators/mate/stats')).body) > 0 || null,
      'events of the mate',
    );
    const { pid } = instance.program().child;
    expect(childrenOf(pid as number)).toEqual([await childPid()]);
    await instance.api('POST', '/generators/mate/stop');
  });

  test('is refused where members of its scenario run on a thread', async () => {
    await instance.api('POST', '/generators/late/start');
    const reason = await eventually(async () => {
      const { body } = await instance.api('GET', '/generators/late/status');
      return (body as { readonly reason: string | null }).reason;
    }, 'the refusal');
    expect(reason).toMatch(/scenario "mixed" run on a thread.*Give all members/);
  });

  test('resumes when its process or the daemon is killed; no process stays', async () => {
    const first = await childPid();
    process.kill(first, 'SIGKILL');
    await eventually(async () => ((await childPid()) !== first ? true : null), 'another process');
    const { length } = await eventsOf(instance);
    await reached(instance, (events) => events.length > length + 50, 'events after the death');
    const second = await childPid();
    await instance.kill('SIGKILL');
    await eventually(
      async () => ((await processStart(second)) === null ? true : null),
      'the end of the orphan',
    );
    await instance.start();
    const before = (await eventsOf(instance)).length;
    await reached(instance, (events) => events.length > before + 50, 'events after the restart');
    // A signal for the whole group, as Ctrl-C sends it, ends the daemon by draining and the process with it.
    process.kill(await childPid(), 'SIGINT');
    expect(await instance.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const numbers = new Set((await eventsOf(instance)).map((line) => Number(line.split(' ')[1])));
    expect([...numbers].sort((a, b) => a - b)).toEqual([...numbers].map((_, index) => index + 1));
  });
});

/** Isolated processes that this one has started and that live, without the shells that watch over them. */
const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('isolate.js'))
    .map(Number);

describe('an isolated process', () => {
  let instance: Instance | null = null;
  afterEach(async () => {
    await instance?.remove();
    instance = null;
  });

  const start = async (
    script: string,
    env: NodeJS.ProcessEnv = {},
    output = 'file: {path: ../../out.log, flush_interval: 0}',
  ): Promise<Instance> => {
    const made = await makeInstance({
      startup: '- {id: g, path: g/generator.yml}',
      generators: { 'g/generator.yml': config(output), 'g/produce.mjs': script },
      settings: 'isolation: process',
      env,
    });
    instance = made;
    await made.start();
    return made;
  };

  test('does not get the password of the keyring, nor the socket of the service manager', async () => {
    const made = await start(
      "import { readFileSync } from 'node:fs';\nexport const produce = () => readFileSync('/proc/self/environ', 'utf8').replaceAll('\\0', ';');",
      { SPATE_KEYRING_PASSWORD: 'a long secret', NOTIFY_SOCKET: '/no/such/socket', KEPT: 'yes' },
    );
    const [environment] = await reached(made, ({ length }) => length > 0, 'an event');
    expect(environment).toContain('KEPT=yes');
    expect(environment).not.toMatch(/a long secret|SPATE_KEYRING_PASSWORD|NOTIFY_SOCKET/);
  });

  test('runs previews too, so that no preview can end the daemon', async () => {
    const made = await start(
      `let n = 0;
export const produce = () => { if (++n === 2) process.kill(process.pid, 'SIGKILL'); return String(process.pid); };`,
    );
    const plugin = '/preview/g/event-plugin';
    const event = { script: { path: 'produce.mjs' } };
    expect(await made.api('POST', plugin, event)).toEqual({ status: 201, body: null });
    const produce = () =>
      made.api('POST', `${plugin}/produce`, [{ timestamp: '2026-05-01T10:00:00', tags: [] }]);
    const { events } = (await produce()).body as { readonly events: readonly string[] };
    expect(childrenOf(made.program().child.pid as number)).toContain(Number(events[0]));
    const { status, body } = await produce();
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('the preview has ended: SIGKILL ended its process');
    expect((await made.api('GET', '/health')).status).toBe(200);
  });

  test('writes the events of a stdout output where the daemon would', async () => {
    const made = await start(NUMBERS, {}, 'stdout: {}');
    await eventually(
      async () => (made.program().stdout().startsWith('event 1\nevent 2\nevent 3\n') ? true : null),
      'events on standard output',
    );
  });
});
