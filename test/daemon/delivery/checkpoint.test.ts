import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../../support/instance.js';

const PER_SECOND = 500;

/** Numbers without state of its own: the line of the file is the number. */
const LINES = Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join('');
const config = (seconds: number): string => `
input: [linspace: {start: now, end: +${seconds}s, count: ${seconds * PER_SECOND}}]
event: {replay: {path: lines.txt}}
output: [file: {path: ../../out.log}]
`;

const phaseOf = async (instance: Instance): Promise<string> => {
  const { body } = await instance.api('GET', '/generators/g/status');
  return (body as { phase: string }).phase;
};

describe('a generator with checkpoint: true', () => {
  let instance: Instance;
  const numbers = async (): Promise<readonly number[]> => {
    const text = await readFile(join(instance.folder, 'out.log'), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean).map(Number);
  };
  const begin = async (seconds: number): Promise<void> => {
    instance = await makeInstance({
      startup: '- {id: g, path: g/generator.yml, skip_past: false, checkpoint: true}',
      generators: { 'g/generator.yml': config(seconds), 'g/lines.txt': LINES },
    });
    await instance.start();
  };
  afterEach(async () => {
    await instance.remove();
  });

  test('resumes after kill -9 of the daemon: nothing is missing, and a stop in between repeats nothing', async () => {
    await begin(6);
    const reached = (count: number): Promise<true> =>
      eventually(async () => ((await numbers()).length >= count ? true : null), `${count} events`);
    await reached(700);
    await instance.kill('SIGKILL');
    const atKill = await numbers();
    await instance.start();
    await reached(atKill.length + 200);
    await instance.kill('SIGTERM');
    const atStop = await numbers();
    await instance.start();
    await eventually(async () => ((await phaseOf(instance)) === 'finished' ? true : null), 'the end');
    const all = await numbers();
    expect([...new Set(all)].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 6 * PER_SECOND }, (_, i) => i + 1),
    );
    // What comes twice was made after the last save before the kill, and nothing after the stop.
    const repeated = all.slice(atKill.length).filter((n) => atKill.includes(n));
    expect(repeated.length).toBeLessThan(2 * PER_SECOND);
    expect(all.slice(atStop.length).filter((n) => atStop.includes(n))).toEqual([]);
  });

  test('that has finished stays so over a restart of the daemon, and begins again when started', async () => {
    await begin(1);
    const isFinished = async (): Promise<true | null> =>
      (await phaseOf(instance)) === 'finished' ? true : null;
    await eventually(isFinished, 'the end');
    expect(await numbers()).toHaveLength(PER_SECOND);
    await instance.kill('SIGTERM');
    await instance.start();
    await eventually(isFinished, 'the end again');
    expect(await numbers()).toHaveLength(PER_SECOND);
    expect((await instance.api('POST', '/generators/g/start')).status).toBe(200);
    await eventually(
      async () => ((await numbers()).length === 2 * PER_SECOND ? true : null),
      'a second round',
    );
  });
});
