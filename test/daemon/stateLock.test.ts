import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, freePort, type Instance, makeInstance, runProgram } from '../support/instance.js';

const CONFIG =
  'input: [timer: {seconds: 0.1, count: 1}]\nevent: {script: {path: s.mjs}}\noutput: [file: {path: out.log}]\n';

let instance: Instance | null = null;

afterEach(() => instance?.remove());

const started = async (): Promise<Instance> => {
  instance = await makeInstance({
    startup: '- {id: w, path: w/generator.yml, checkpoint: true}\n',
    generators: { 'w/generator.yml': CONFIG, 'w/s.mjs': "export const produce = () => 'x'\n" },
  });
  await instance.start();
  return instance;
};

/** Another service over the same files, on a port of its own. */
const second = async ({ folder }: Instance) => {
  const settings = await readFile(join(folder, 'spate.yml'), 'utf8');
  const file = join(folder, 'second.yml');
  await writeFile(file, settings.replace(/port: \d+/, `port: ${await freePort()}`));
  return runProgram(['run', '-c', file]);
};

describe('two services on one state folder', () => {
  test('the second ends with exit code 1 and names the process of the first, once', async () => {
    const one = await started();
    const other = await second(one);
    expect(await other.exited).toEqual({ code: 1, signal: null });
    expect(other.stderr()).toBe(
      `spate: process ${one.program().child.pid} uses the state folder ${join(one.folder, 'state')}: stop it, or choose another folder\n`,
    );
    const run = runProgram(['generate', '--path', 'generators/w', '--state', 'state', '--limit', '1'], {
      cwd: one.folder,
    });
    expect((await run.exited).code).toBe(1);
    expect(run.stderr()).toContain(`process ${one.program().child.pid} uses the state folder`);
    await eventually(
      async () => ((await one.api('GET', '/ready')).status === 200 ? true : null),
      'the first is ready',
    );
  });

  test('the next one starts after a kill of the first, and leaves no lock at its own stop', async () => {
    const one = await started();
    await one.kill('SIGKILL');
    const other = await second(one);
    await other.saw(/listens on/);
    other.child.kill('SIGTERM');
    expect((await other.exited).code).toBe(0);
    await expect(readFile(join(one.folder, 'state', 'lock'))).rejects.toThrow('ENOENT');
  });
});
