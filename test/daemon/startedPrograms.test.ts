import { afterEach, describe, expect, test } from '@jest/globals';
import { isSameProcess, processStart } from '../../src/adapters/processes/proc.js';
import { HAS_PYTHON, NEEDS_PYTHON } from '../plugins/events/script/python/scripts.js';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

/** Starts `sleep` at the first call, and a forked copy of itself; `last` is what it does at the third. */
const inPython = (last: string): string => `import os, subprocess, time
n = 0
def produce(params):
    global n
    n += 1
    if n == 1:
        child = subprocess.Popen(['sleep', '600'])
        forked = os.fork()
        if forked == 0: time.sleep(600)
        with open('started.tmp', 'w') as file: file.write(f'{child.pid} {forked}')
        os.rename('started.tmp', 'started')
    if n == 3: ${last}
    return str(n)
`;

const inJavaScript = (last: string): string => `import { renameSync, writeFileSync } from 'node:fs';
const { spawn } = await import('node:child_process');
let n = 0;
export const produce = () => {
  n += 1;
  if (n === 1) {
    const pids = ['600', '601'].map((time) => spawn('sleep', [time], { stdio: 'ignore' }).pid);
    writeFileSync(new URL('started.tmp', import.meta.url), pids.join(' '));
    renameSync(new URL('started.tmp', import.meta.url), new URL('started', import.meta.url));
  }
  if (n === 3) ${last};
  return String(n);
};
`;

const LANGUAGES = [
  {
    language: `Python ${NEEDS_PYTHON}`,
    isHere: HAS_PYTHON,
    file: 'produce.py',
    text: inPython,
    nothing: 'pass',
    ends: ['os._exit(5)', 'os.abort()'],
  },
  {
    language: 'JavaScript with isolation: process',
    isHere: true,
    file: 'produce.mjs',
    text: inJavaScript,
    nothing: '{}',
    ends: ['process.exit(5)', "process.kill(process.pid, 'SIGKILL')"],
  },
] as const;

for (const { language, isHere, file, text, nothing, ends } of LANGUAGES) {
  (isHere ? describe : describe.skip)(`programs that a script started in ${language}`, () => {
    let instance: Instance;
    afterEach(() => instance.remove());

    /** Starts the generator, whose script ends with `last`, and returns the programs that it has started. */
    const started = async (last: string = nothing) => {
      instance = await makeInstance({
        startup: '- {id: g, path: g/generator.yml, isolation: process, autostart: false}',
        generators: {
          'g/generator.yml': `input: [timer: {seconds: 0.1, count: 1}]
event: {script: {path: ${file}}}
output: [file: {path: /dev/null}]
`,
          [`g/${file}`]: text(last),
        },
      });
      await instance.start();
      await instance.api('POST', '/generators/g/start');
      const pids = await eventually(
        () => instance.file('generators/g/started').catch(() => null),
        'the programs start',
      );
      return Promise.all(
        pids.split(' ').map(async (pid) => ({ pid: Number(pid), start: await processStart(Number(pid)) })),
      );
    };
    const gone = (programs: Awaited<ReturnType<typeof started>>) =>
      eventually(async () => {
        const alive = await Promise.all(programs.map(({ pid, start }) => isSameProcess(pid, start)));
        return alive.includes(true) ? null : true;
      }, 'the programs end');

    test('end with a stop of the generator', async () => {
      const programs = await started();
      expect(programs.map(({ start }) => start)).not.toContain(null);
      await instance.api('POST', '/generators/g/stop');
      await gone(programs);
    });

    test('end with the daemon', async () => {
      const programs = await started();
      await instance.kill('SIGTERM');
      await gone(programs);
    });

    test('end with kill -9 of the daemon', async () => {
      const programs = await started();
      await instance.kill('SIGKILL');
      await gone(programs);
    });

    test.each(ends)('end when the script ends itself with %s', async (end) => {
      await gone(await started(end));
    });
  });
}
