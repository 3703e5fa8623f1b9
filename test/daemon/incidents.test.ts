import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';
import { writeFiles } from '../support/library.js';

const NUMBERS = `let n = 0;
export const produce = ({ globals }) => \`\${++n} \${globals.get('who', 'usual')}\`;
export const snapshot = () => n;
export const restore = (state) => { n = state; };`;

const generator = (output: string) => `
input: [cron: {expression: '* * * * * *', count: 5}]
event: {script: {path: ../numbers.mjs, marks: text}}
output: [file: {path: ${output}, write_mode: overwrite}]
`;

const EVENTS = 400;
const INCIDENT = `
duration: 5s
members:
  door: {path: ../generators/door}
  safe: {path: ../generators/safe}
entities:
  thief: {pick: users.csv}
phases:
  - name: knocks
    at: 500ms
    for: 2s
    members: {door: {events: ${EVENTS}, globals: {who: '\${thief.login}'}}}
  - name: takes
    at: 3s
    for: 1s
    members:
      safe: {events: ${EVENTS}, output: [{file: {path: ../out/elsewhere.log}}], globals: {who: '\${thief.login}'}}
ground_truth:
  file: {path: '../out/{member}.truth', write_mode: overwrite}
`;

interface Truth {
  readonly at: string;
  readonly mark: string;
  readonly phase: string;
  readonly entities: { readonly thief: { readonly login: string } };
}

interface Progress {
  readonly state: string;
  readonly position: number | null;
  readonly last: { readonly outcome: string; readonly reason: string | null } | null;
}

describe('an incident of a running service', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await makeInstance({
      startup: '- {id: front, path: door/generator.yml}',
      generators: {
        'numbers.mjs': NUMBERS,
        'door/generator.yml': generator('../../out/door.log'),
        'safe/generator.yml': generator('../../out/safe.log'),
      },
    });
    await writeFiles(join(instance.folder, 'incidents'), {
      'theft.yml': INCIDENT,
      'users.csv': 'login\nann\nbob\n',
    });
    await instance.start();
  });
  afterAll(async () => {
    await instance.remove();
  });

  const linesOf = async (name: string): Promise<readonly string[]> => {
    const text = await readFile(join(instance.folder, 'out', name), 'utf8').catch(() => '');
    return text.split('\n').slice(0, -1);
  };
  const truthOf = async (member: string): Promise<readonly Truth[]> =>
    (await linesOf(`${member}.truth`)).map((line) => JSON.parse(line) as Truth);
  const order = async (what: string) => {
    const { status, body } = await instance.api('POST', `/incidents/theft/${what}`);
    expect([status, body]).toEqual([200, what.startsWith('start') ? expect.anything() : null]);
  };
  const progress = async (): Promise<Progress> =>
    (await instance.api('GET', '/incidents/theft')).body as Progress;
  const reaches = (seconds: number) =>
    eventually(
      async () => (((await progress()).position ?? -2) >= seconds ? true : null),
      `second ${seconds}`,
    );
  const ends = () =>
    eventually(async () => ((await progress()).state === 'idle' ? true : null), 'the end of the incident');
  const markOf = (line: string): string => (/spate=([0-9a-f]{8}:\d+)/.exec(line) ?? [])[1] ?? '';
  const numbersOf = (lines: readonly string[]) => lines.map((line) => Number.parseInt(line, 10));
  const counted = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  test('tells every event of its phases once, also when it is paused and resumed within one', async () => {
    await order('start?seed=7');
    await reaches(0.6);
    await order('pause');
    // Before it is paused.
    await order('resume');
    await order('pause');
    let former: number | null = null;
    await eventually(async () => {
      const { position } = await progress();
      const isStill = position === former;
      former = position;
      return isStill ? true : null;
    }, 'the pause');
    await order('resume');
    await ends();
    expect(await progress()).toMatchObject({ last: { outcome: 'finished', reason: null } });

    const truth = await truthOf('door');
    const door = await linesOf('door.log');
    const thief = truth[0]?.entities.thief.login ?? '';
    expect(['ann', 'bob']).toContain(thief);
    const knocks = door.filter((line) => line.includes(` ${thief} `));
    expect(knocks).toHaveLength(EVENTS);
    expect(truth.map(({ mark }) => mark)).toEqual(knocks.map(markOf));
    // Its own events went on: no number is missing or there twice.
    expect(numbersOf(door)).toEqual(counted(door.length));
    expect(door.length).toBeGreaterThan(EVENTS);
  });

  test('a phase replaces outputs, and the former ones stay open', async () => {
    const elsewhere = await linesOf('elsewhere.log');
    const safe = await linesOf('safe.log');
    const truth = await truthOf('safe');
    expect(truth.map(({ mark }) => mark)).toEqual(
      elsewhere.filter((line) => /ann|bob/.test(line)).map(markOf),
    );
    expect(truth).toHaveLength(EVENTS);
    const all = numbersOf([...safe, ...elsewhere]).sort((a, b) => a - b);
    expect(all).toEqual(counted(all.length));
    // It was made for the incident.
    const { body } = await instance.api('GET', '/generators/');
    expect((body as readonly { readonly id: string }[]).map(({ id }) => id)).toEqual(['front']);
  });

  test('jumps, and a member that was restarted by hand has its assignment again', async () => {
    await writeFile(
      join(instance.folder, 'incidents', 'theft.yml'),
      INCIDENT.replace('duration: 5s', 'duration: 1h').replace('at: 3s', 'at: 30m'),
    );
    await order('start?seed=8');
    expect((await instance.api('POST', '/generators/front/restart')).status).toBe(200);
    await order('jump?to=knocks');
    await eventually(
      async () => ((await truthOf('door')).length >= EVENTS ? true : null),
      'the events of the phase',
    );
    await order('jump?to=knocks');
    await eventually(
      async () => ((await truthOf('door')).length >= 2 * EVENTS ? true : null),
      'the events of the phase again',
    );
    await order('stop');
    expect(await truthOf('door')).toHaveLength(2 * EVENTS);
    expect(await progress()).toMatchObject({ state: 'idle', last: { outcome: 'stopped', reason: null } });
    const { status } = await instance.api('PATCH', '/generators/front', {
      input: [{ cron: { expression: '* * * * * *', count: 1 } }],
    });
    expect(status).toBe(200);
  });

  test('refuses generators that cannot take part, and leaves the others as they were', async () => {
    const sample = { path: 'safe/generator.yml', live_mode: false };
    expect((await instance.api('POST', '/generators/sample', sample)).status).toBe(201);
    const { status, body } = await instance.api('POST', '/incidents/theft/start');
    expect([status, body]).toMatchObject([409, { detail: expect.stringContaining('is not live') }]);
    expect(await progress()).toMatchObject({ state: 'idle' });
    expect((await instance.api('DELETE', '/generators/sample')).status).toBe(200);
  });

  test('says that a run was cut off when the service is killed', async () => {
    const started = await instance.api('POST', '/incidents/theft/start');
    const { started_at } = started.body as { readonly started_at: string };
    await instance.kill('SIGKILL');
    await instance.start();
    expect(await progress()).toMatchObject({
      state: 'idle',
      last: { at: started_at, outcome: 'cut_off', reason: null },
    });
  });
});
