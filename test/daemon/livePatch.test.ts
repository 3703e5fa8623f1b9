import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

const CONFIG = `# Slow at first.
input:
  - timer: {seconds: 1, count: 1}
event:
  script: {path: numbers.mjs, marks: text}
output:
  # Read by the test.
  - file: {path: ../../out/a.log}
`;
const NUMBERS = `let n = 0;
export const produce = () => String(++n);
export const snapshot = () => n;
export const restore = (state) => { n = state; };`;
const BY_TURNS = `
input: [timer: {seconds: 0.1, count: 10}]
event:
  template:
    mode: spin
    templates: [{ok: {template: a.jinja}}, {failed: {template: a.jinja}}]
output: [file: {path: /dev/null}]
`;
/** Takes what it can get of the processor. */
const LOAD = `
input: [linspace: {start: 2026-01-01T00:00:00Z, end: +1d, count: 1000000000}]
event: {script: {path: numbers.mjs}}
output: [file: {path: /dev/null}]
`;

const numbersIn = async (file: string): Promise<readonly number[]> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').slice(0, -1).map(Number.parseFloat);
};
const counted = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);

describe('PATCH of a running generator', () => {
  let instance: Instance;
  const out = (name: string): string => join(instance.folder, 'out', name);
  const patch = (body: unknown, query = '') => instance.api('PATCH', `/generators/g${query}`, body);
  const reached = (name: string, count: number): Promise<true> =>
    eventually(async () => ((await numbersIn(out(name))).length >= count ? true : null), `${count} events`);
  beforeAll(async () => {
    instance = await makeInstance({
      startup: `- {id: g, path: g/generator.yml}
- {id: load, path: load/generator.yml, live_mode: false}
- {id: turns, path: turns/generator.yml}`,
      generators: {
        'g/generator.yml': CONFIG,
        'g/numbers.mjs': NUMBERS,
        'load/generator.yml': LOAD,
        'load/numbers.mjs': NUMBERS,
        'turns/generator.yml': BY_TURNS,
        'turns/a.jinja': 'a',
      },
    });
    await instance.start();
  });
  afterAll(async () => {
    await instance.remove();
  });

  test('makes 1,000 events a second of one, under load: no number missing or twice', async () => {
    await reached('a.log', 2);
    const fast = { input: [{ timer: { seconds: 0.1, count: 100 } }] };
    expect(await patch(fast)).toEqual({ status: 200, body: null });
    await reached('a.log', 2_500);
    const numbers = await numbersIn(out('a.log'));
    expect(numbers).toEqual(counted(numbers.length));
    const { body } = await instance.api('GET', '/generators/g/stats');
    const stats = body as {
      total_generated: number;
      input: readonly { generated: number }[];
      uptime: number;
    };
    expect(stats.input[0]?.generated).toBe(stats.total_generated);
  });

  test('takes a new version of the script, which continues counting', async () => {
    const before = (await numbersIn(out('a.log'))).length;
    const body = { event: { script: { path: 'numbers.mjs', marks: 'tsv' } } };
    expect(await patch(body)).toEqual({ status: 200, body: null });
    await reached('a.log', before + 500);
    const numbers = await numbersIn(out('a.log'));
    expect(numbers).toEqual(counted(numbers.length));
    const marks = (await readFile(out('a.log'), 'utf8')).matchAll(/([0-9a-f]{8}):(\d+):\d+:[0-9a-f]{8}$/gm);
    const seen = [...marks].slice(0, numbers.length);
    expect(new Set(seen.map(([, stream]) => stream)).size).toBe(1);
    expect(seen.map(([, , sequence]) => Number(sequence))).toEqual(counted(seen.length));
  });

  test('with an output that does not open is a 422 that says which; the old one flows on', async () => {
    const before = (await numbersIn(out('a.log'))).length;
    const answer = await patch({
      output: [{ file: { path: '../../out/a.log' } }, { file: { path: '/proc/no/such.log' } }],
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'output', '1'], msg: expect.stringContaining('/proc/no') }] },
    });
    await reached('a.log', before + 500);
  });

  test('with other outputs sends every event to one of them', async () => {
    expect((await patch({ output: [{ file: { path: '../../out/b.log' } }] })).status).toBe(200);
    await reached('b.log', 500);
    const [a, b] = [await numbersIn(out('a.log')), await numbersIn(out('b.log'))];
    expect([...a, ...b]).toEqual(counted(a.length + b.length));
  });

  test('keeps the counters of a template that stays, and begins those of a new one', async () => {
    interface Templates {
      readonly produced: number;
      readonly templates?: readonly { readonly name: string; readonly produced: number }[];
    }
    const turns = async (): Promise<Templates> =>
      ((await instance.api('GET', '/generators/turns/stats')).body as { readonly event: Templates }).event;
    const many = (name: string, count: number): Promise<number> =>
      eventually(async () => {
        const found = (await turns()).templates?.find((one) => one.name === name);
        return found !== undefined && found.produced >= count ? found.produced : null;
      }, `${count} events of the template ${name}`);
    const before = await many('failed', 20);
    const event = {
      template: {
        mode: 'spin',
        templates: [{ late: { template: 'a.jinja' } }, { failed: { template: 'a.jinja' } }],
      },
    };
    expect(await instance.api('PATCH', '/generators/turns', { event })).toEqual({ status: 200, body: null });
    expect(await many('late', 20)).toBeGreaterThanOrEqual(20);
    expect((await instance.api('POST', '/generators/turns/stop')).status).toBe(200);
    const { templates = [], produced } = await turns();
    expect(templates.map(({ name }) => name)).toEqual(['late', 'failed']);
    const [late = 0, failed = 0] = templates.map((one) => one.produced);
    expect(failed).toBeGreaterThan(before);
    // They took turns, so what is missing is what the removed template made.
    expect(Math.abs(2 * failed - produced)).toBeLessThanOrEqual(2);
    expect(late).toBeLessThan(failed);
  });

  test('writes the section to the config file only when asked, and keeps its comments', async () => {
    const file = (): Promise<string> => instance.file('generators/g/generator.yml');
    expect(await file()).toBe(CONFIG);
    const slow = { input: [{ timer: { seconds: 0.5, count: 5 } }] };
    expect((await patch(slow, '?persist=true')).status).toBe(200);
    const text = await file();
    expect(text).toContain('# Slow at first.');
    expect(text).toContain('# Read by the test.');
    expect(text).toMatch(/seconds: 0\.5/);
    // What was patched before without being asked to be written is not in the file.
    expect(text).toMatch(/path: \.\.\/\.\.\/out\/a\.log/);
  });

  test.each([
    ['an empty body', {}, 422, ['body']],
    [
      'an unknown section',
      { event: { script: { path: 'numbers.mjs' } }, inputs: [] },
      422,
      ['body', 'inputs'],
    ],
    ['an empty list', { output: [] }, 422, ['body', 'output']],
    [
      'a wrong field',
      { input: [{ timer: { seconds: 'soon', count: 1 } }] },
      422,
      ['body', 'input', '0', 'timer', 'seconds'],
    ],
    ['a script that is not there', { event: { script: { path: 'none.mjs' } } }, 422, ['body', 'event']],
    [
      'a secret that is not there',
      { event: { script: { path: '${secrets.none}' } } },
      422,
      ['body', 'event', 'script', 'path'],
    ],
  ])('refuses %s', async (_, body, status, loc) => {
    expect(await patch(body)).toMatchObject({ status, body: { detail: [{ loc }] } });
  });

  test('is refused where nothing runs, and a start by hand goes by the file', async () => {
    expect((await instance.api('POST', '/generators/g/stop')).status).toBe(200);
    expect(await patch({ input: [{ timer: { seconds: 1, count: 1 } }] })).toMatchObject({ status: 409 });
    expect(
      (await instance.api('PATCH', '/generators/none', { event: { script: { path: 'x' } } })).status,
    ).toBe(404);
    expect((await instance.api('POST', '/generators/g/start')).status).toBe(200);
    const { body } = await instance.api('GET', '/generators/g/stats');
    expect((body as { output: readonly { plugin_name: string }[] }).output).toHaveLength(1);
    await eventually(
      async () => ((await numbersIn(out('a.log'))).lastIndexOf(1) > 0 ? true : null),
      'an event of the new run in the output of the file',
    );
  });
});
