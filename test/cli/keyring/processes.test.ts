import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CLI, runProgram } from '../../support/instance.js';
import { hasPrograms, needs, spawn } from '../../support/programs.js';
import { folderWith } from '../support.js';

const PASSWORD = 'correct horse';

/** Runs the built `spate keyring ...` with a value on its standard input. */
const keyring = async (folder: string, line: string, input = '') => {
  const env = {
    ...process.env,
    SPATE_KEYRING_FILE: join(folder, 'k.json'),
    SPATE_KEYRING_PASSWORD: PASSWORD,
  };
  const child = spawn(process.execPath, [CLI, 'keyring', ...line.split(' ')], { env });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.on('close', (ended) => resolve(ended)));
  return { code, out, err };
};

const hasScript = hasPrograms('script');

const withoutPassword = (): NodeJS.ProcessEnv => ({
  ...process.env,
  SPATE_KEYRING_PASSWORD: '',
  SPATE_KEYRING_PASSWORD_FILE: '',
  CREDENTIALS_DIRECTORY: '',
});

/** Looks again and again without a pause: what is looked for lasts milliseconds. */
const look = async (check: () => Promise<boolean>): Promise<void> => {
  while (!(await check()));
};

describe('spate keyring as a program', () => {
  test('keeps everything that processes set at once', async () => {
    const folder = await folderWith({});
    const names = Array.from({ length: 6 }, (_, i) => `s${i}`);
    const results = await Promise.all(
      names.map((name) => keyring(folder, `set ${name}`, `value of ${name}`)),
    );
    expect(results.map(({ code, err }) => [code, err])).toEqual(
      names.map((name) => [0, expect.stringContaining(`Stored '${name}'`)]),
    );
    expect((await keyring(folder, 'list')).out).toBe(names.map((name) => `${name}\n`).join(''));
    expect((await keyring(folder, 'get s3')).out).toBe('value of s3\n');
    expect(await readdir(folder)).toEqual(['k.json']);
    expect((await stat(join(folder, 'k.json'))).mode & 0o777).toBe(0o600);
  });

  test('killed while it writes, leaves the old keyring or the new one, and nothing in the way of the next', async () => {
    const folder = await folderWith({ value: 'x'.repeat(60_000) });
    expect((await keyring(folder, 'set first', 'value one')).code).toBe(0);
    const outcomes = { old: 0, new: 0 };
    for (let kill = 0; kill < 5; kill++) {
      const before = await readFile(join(folder, 'k.json'), 'utf8');
      const program = runProgram(['keyring', 'set', `s${kill}`, '--value-file', join(folder, 'value')], {
        env: { SPATE_KEYRING_FILE: join(folder, 'k.json'), SPATE_KEYRING_PASSWORD: PASSWORD },
      });
      const hasEnded = () => program.child.exitCode !== null;
      // The lock is there from before the key is made until the new file is.
      await look(async () => hasEnded() || (await readdir(folder)).includes('k.json.lock'));
      if (kill > 1) {
        const isWriting = (name: string) => name.startsWith('.spate-');
        await look(async () => hasEnded() || (await readdir(folder)).some(isWriting));
      }
      program.child.kill('SIGKILL');
      await program.exited;
      const list = await keyring(folder, 'list');
      expect(list.code).toBe(0);
      expect((await keyring(folder, 'get first')).out).toBe('value one\n');
      const isOld = (await readFile(join(folder, 'k.json'), 'utf8')) === before;
      expect(list.out.includes(`s${kill}\n`)).toBe(!isOld);
      outcomes[isOld ? 'old' : 'new']++;
    }
    expect(outcomes.old).toBeGreaterThan(0);
    const next = await keyring(folder, 'set after', 'all of that');
    expect([next.code, next.err]).toEqual([0, expect.stringContaining("Stored 'after'")]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  (hasScript ? test : test.skip)(
    `asks at the terminal without showing what is typed ${needs('script')}`,
    async () => {
      const folder = await folderWith({});
      const file = join(folder, 'k.json');
      const command = `"${process.execPath}" "${CLI}" keyring set a --file "${file}"`;
      const child = spawn('script', ['-qec', command, '/dev/null'], {
        env: withoutPassword(),
        stdio: 'pipe',
      });
      let screen = '';
      const answers = ['typed value\r', 'wron\u007f\u007f\u007f\u007fgood password\r', 'good password\r'];
      child.stdout.on('data', (chunk: Buffer) => {
        screen += chunk.toString();
        // Every question ends so, and nothing else does.
        while (answers.length > 0 && (screen.match(/: /g)?.length ?? 0) > 3 - answers.length) {
          child.stdin.write(answers.shift() ?? '');
        }
      });
      const code = await new Promise((resolve) => child.on('close', resolve));
      expect([code, screen.replaceAll('\r', '')]).toEqual([
        0,
        'Value of a: \nPassword for the new keyring: \nPassword for the new keyring, once more: \n' +
          `Stored 'a' in ${file}\n`,
      ]);
      const env = { ...withoutPassword(), SPATE_KEYRING_PASSWORD: 'good password' };
      const read = runProgram(['keyring', 'get', 'a', '--file', file], { env });
      await read.exited;
      expect(read.stdout()).toBe('typed value\n');
    },
  );

  test('does not leave its password to what it starts', async () => {
    const folder = await folderWith({
      'generator.yml': `input:
  - static: {count: 1}
event:
  script: {path: produce.mjs}
output:
  - stdout: {}
`,
    });
    await writeFile(
      join(folder, 'produce.mjs'),
      'export const produce = () => JSON.stringify(Object.keys(process.env).filter((name) => /^SPATE_(KEYRING|MARK)/.test(name)));\n',
    );
    const program = runProgram(['generate', '--path', folder, '--live-mode', 'false'], {
      env: { SPATE_KEYRING_PASSWORD: PASSWORD, SPATE_KEYRING_NEW_PASSWORD: 'new password', SPATE_MARK: '1' },
    });
    await program.exited;
    expect(program.stdout()).toBe('["SPATE_MARK"]\n');
  });
});
