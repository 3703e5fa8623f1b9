import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually, type Instance, makeInstance } from '../support/instance.js';

const GENERATORS = {
  'chatty/generator.yml':
    'input:\n  - timer: {seconds: 0.1, count: 20}\nevent:\n  script: {path: produce.js}\noutput:\n  - file: {path: out.log}\n',
  'chatty/produce.js': `let count = 0;
export const produce = () => {
  count += 1;
  console.log('line ' + count + ' end');
  if (count === 1) console.warn('careful');
  return 'event';
};
`,
};

let instance: Instance | null = null;
afterEach(async () => {
  await instance?.remove();
  instance = null;
});

const start = async (log: string, more = ''): Promise<Instance> => {
  const startup = `- {id: chatty, path: chatty/generator.yml${more}}\n- {id: "", path: chatty/generator.yml}\n`;
  const made = await makeInstance({ startup, generators: GENERATORS, log });
  instance = made;
  await made.start();
  return made;
};

/** Names of the log files of an instance. */
const filesOf = async ({ folder }: Instance): Promise<readonly string[]> =>
  (await readdir(join(folder, 'logs')).catch(() => [])).sort();

const log = ({ folder }: Instance, name: string): Promise<string> =>
  readFile(join(folder, 'logs', name), 'utf8').catch(() => '');

/** Resolves when a log file has a match. */
const logged = (made: Instance, name: string, pattern: RegExp): Promise<string> =>
  eventually(async () => {
    const text = await log(made, name);
    return pattern.test(text) ? text : null;
  }, `${pattern} in ${name}`);

describe('the log files of a daemon', () => {
  test('one for the instance, one for each generator; complete when it has ended', async () => {
    const made = await start('');
    await logged(made, 'generator_chatty.log', /line 5 end/);
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await filesOf(made)).toEqual(['generator_chatty.log', 'main.log']);
    expect(await log(made, 'main.log')).toContain('an entry of the startup list was skipped');
    const text = await log(made, 'generator_chatty.log');
    expect(text).toMatch(/^\S+Z info {5}generator starts$/m);
    expect(text).toMatch(/^\S+Z warning {2}careful plugin_type=event plugin_name=script/m);
    expect(text).toMatch(/^\S+Z info {5}generator stopped\n$/m);
    const numbers = [...text.matchAll(/line (\d+) end/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const shown = made.program().stderr();
    expect(shown).toMatch(/careful generator_id=chatty/);
    expect(shown).toMatch(/generator starts generator_id=chatty/);
    expect(shown).not.toMatch(/line \d+ end/);
  });

  test('are rotated while events flow; a kill and a start later every line is whole', async () => {
    const made = await start('format: json, max_bytes: 4096, backups: 2');
    await eventually(
      async () => ((await filesOf(made)).includes('generator_chatty.json.2') ? true : null),
      'the second rotation',
    );
    await made.kill('SIGKILL');
    await writeFile(join(made.folder, 'logs', 'main.json'), '{"torn', { flag: 'a' });
    await made.start();
    await logged(made, 'main.json', /(an entry of the startup list.*){2}/s);
    await made.kill('SIGTERM');
    const names = await filesOf(made);
    expect(names).toEqual([
      'generator_chatty.json',
      'generator_chatty.json.1',
      'generator_chatty.json.2',
      'main.json',
    ]);
    for (const name of names) {
      expect((await stat(join(made.folder, 'logs', name))).size).toBeLessThanOrEqual(4_096);
      for (const line of (await log(made, name)).trimEnd().split('\n')) {
        if (line !== '{"torn') expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
      }
    }
  });

  test('of a script that logs every event at full speed are cut and say so; the API answers meanwhile', async () => {
    const made = await start('', ', live_mode: false');
    await logged(made, 'generator_chatty.log', /log lines dropped: the generator logs too much count=\d+/);
    const before = performance.now();
    expect((await made.api('GET', '/health')).status).toBe(200);
    process.stderr.write(`health answered in ${(performance.now() - before).toFixed(1)} ms during a flood\n`);
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await log(made, 'generator_chatty.log')).not.toContain('log lines dropped here');
  });

  test('that are moved away are started again', async () => {
    const made = await start('');
    await logged(made, 'generator_chatty.log', /line 5 end/);
    const from = join(made.folder, 'logs', 'generator_chatty.log');
    await rename(from, `${from}-old`);
    const text = await logged(made, 'generator_chatty.log', /line \d+ end/);
    expect(text).not.toContain('generator starts');
    expect(await readFile(`${from}-old`, 'utf8')).toContain('generator starts');
  });

  test('that cannot be written disturb nothing, are reported once, and are written later', async () => {
    const made = await start('');
    await logged(made, 'generator_chatty.log', /line 5 end/);
    const folder = join(made.folder, 'logs');
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    const event = async (): Promise<number> => (await made.file('generators/chatty/out.log')).length;
    await made.program().saw(/cannot write log files: lines are buffered in memory .*generator_chatty\.log/);
    const before = await event();
    await eventually(async () => ((await event()) > before + 1_000 ? true : null), 'further events');
    await rm(folder);
    await logged(made, 'generator_chatty.log', /line \d+ end/);
    await made.program().saw(/log files can be written again/);
    expect(await made.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(
      made
        .program()
        .stderr()
        .match(/cannot write log files/g),
    ).toHaveLength(1);
  });
});
