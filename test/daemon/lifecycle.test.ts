import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

const FULL_SPEED = `
input:
  - linspace: {start: 2026-01-01, end: 2027-01-01, count: 1000000000}
event:
  script: {path: produce.mjs}
output:
  - file: {path: ../../out/full.log}
`;
const COUNTER = 'let n = 0; export const produce = ({ globals }) => `${++n} ${globals.get("x", 0)} end`;';

const generators = { 'full/generator.yml': FULL_SPEED, 'full/produce.mjs': COUNTER };
const startup = '- {id: full, path: full/generator.yml, live_mode: false, scenarios: [s]}';

interface Stats {
  readonly output: readonly { readonly written: number; readonly bytes: number }[];
}

let instance: Instance | null = null;
afterEach(async () => {
  await instance?.remove();
  instance = null;
});

const atFullSpeed = async (): Promise<Instance> => {
  const made = await makeInstance({ startup, generators });
  instance = made;
  await made.start();
  await eventually(async () => {
    const { body } = await made.api('GET', '/generators/full/stats');
    return ((body as Partial<Stats>).output?.[0]?.written ?? 0) > 100_000 ? true : null;
  }, 'the generator at full speed');
  return made;
};

/** Every line whole, numbered without gap or repeat from 1. */
const expectWhole = (text: string): number => {
  expect(text.endsWith('\n')).toBe(true);
  const lines = text.slice(0, -1).split('\n');
  const bad = lines.findIndex((line, index) => !line.startsWith(`${index + 1} `) || !line.endsWith(' end'));
  expect(bad).toBe(-1);
  return lines.length;
};

describe('a daemon with a sample-mode generator at full speed', () => {
  test('answers PATCH and stop, and writes whole what it produced', async () => {
    const made = await atFullSpeed();
    expect((await made.api('PATCH', '/scenarios/s/globals', { x: 1 })).status).toBe(200);
    expect((await made.api('POST', '/generators/full/stop')).status).toBe(200);
    const { body } = await made.api('GET', '/generators/full/stats');
    const count = expectWhole(await made.file('out/full.log'));
    expect((body as Stats).output[0]?.written).toBe(count);
    const status = await made.api('GET', '/generators/full/status');
    expect(status.body).toMatchObject({ phase: 'stopped', is_ended_up_successfully: true });
  });

  test('SIGTERM drains, flushes and exits 0', async () => {
    const made = await atFullSpeed();
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expectWhole(await made.file('out/full.log'));
  });

  test('after kill -9 the next start has every entry that was answered, and goes on with whole lines', async () => {
    const made = await atFullSpeed();
    const answered: string[] = [];
    const adding = (async () => {
      for (let n = 0; ; n++) {
        const entry = { path: 'full/generator.yml', autostart: false };
        const answer = await made.api('POST', `/startup/more${n}`, entry).catch(() => null);
        if (answer === null) return;
        expect(answer.status).toBe(201);
        answered.push(`more${n}`);
      }
    })();
    await eventually(async () => (answered.length >= 20 ? true : null), 'entries');
    await made.kill('SIGKILL');
    await adding;
    await made.start();
    const listed = (await made.api('GET', '/generators/')).body as readonly { readonly id: string }[];
    const ids = listed.map(({ id }) => id);
    expect(ids.slice(0, answered.length + 1)).toEqual(['full', ...answered]);
    // The entry under way may have been written before its answer left.
    expect(ids.length).toBeLessThanOrEqual(answered.length + 2);
    await eventually(async () => {
      const { body } = await made.api('GET', '/generators/full/stats');
      return ((body as Partial<Stats>).output?.[0]?.written ?? 0) > 1_000 ? true : null;
    }, 'events after the restart');
    await made.api('POST', '/generators/full/stop');
    const text = await made.file('out/full.log');
    expect(text.endsWith('\n')).toBe(true);
    const lines = text.slice(0, -1).split('\n');
    const again = lines.indexOf('1 0 end', 1);
    const isWhole = (line: string, index: number): boolean => line === `${index + 1} 0 end`;
    expect(lines.slice(again).every(isWhole)).toBe(true);
    // The system may end a write on its way when its process is killed: the last line of that run alone.
    const before = lines.slice(0, again);
    const last = before.pop() ?? '';
    expect(before.every(isWhole)).toBe(true);
    expect(last).not.toBe('');
    expect(`${before.length + 1} 0 end`.startsWith(last)).toBe(true);
  });
});
