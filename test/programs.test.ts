import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventually } from './support/instance.js';
import { hasPrograms, needs, runFile, spawn, spawnSync } from './support/programs.js';
import { leftOver } from './support/summary.js';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const JEST = ['--experimental-vm-modules', '--no-warnings', join('node_modules', 'jest', 'bin', 'jest.js')];
const ROOT = join(import.meta.dirname, '..');

describe('programs that tests run', () => {
  test('are run through programs.ts, which knows them all', () => {
    const direct = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && path !== 'support/programs.ts' && !path.startsWith('bench/'))
      .filter((path) =>
        /from '(node:)?child_process'/.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
      );
    expect(direct).toEqual([]);
  });

  test('are asked for first: another one is an error, also where the machine has it', () => {
    expect(() => spawnSync('bash', ['-c', 'true'])).toThrow(
      "bash is run without being asked for: hasPrograms('bash') says whether the machine has it",
    );
    hasPrograms('bash');
    expect(() => spawnSync('bash', ['-c', 'true'])).not.toThrow();
  });

  test('are named with the packages that bring them', () => {
    expect(needs('mosquitto', 'mosquitto_sub', 'mosquitto_passwd')).toBe(
      '(needs mosquitto, mosquitto_sub, mosquitto_passwd: apt-get install mosquitto mosquitto-clients)',
    );
  });

  test('end with the test file, also when its set-up throws', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spate-programs-'));
    folders.push(folder);
    const pid = join(folder, 'pid');
    await writeFile(
      join(folder, 'throws.test.ts'),
      `import { writeFileSync } from 'node:fs';
import { spawn } from '${join(ROOT, 'test', 'support', 'programs')}';
beforeAll(() => {
  const child = spawn('sh', ['-c', 'exec sleep 1000'], { stdio: 'ignore' });
  writeFileSync('${pid}', String(child.pid));
  throw new Error('the set-up throws');
});
test('never runs', () => {});
`,
    );
    const config = join(folder, 'jest.config.mjs');
    await writeFile(
      config,
      `import base from '${join(ROOT, 'jest.config.js')}';\nexport default { ...base, rootDir: '${ROOT}', roots: ['${folder}'] };\n`,
    );
    const args = [...JEST, '--config', config];
    const { stdout, stderr } = await runFile(process.execPath, args, { cwd: ROOT }).catch(
      (error: unknown) => error as { readonly stdout: string; readonly stderr: string },
    );
    expect(stderr).toContain('the set-up throws');
    expect(stdout).not.toContain('Still running');
    const child = Number(await readFile(pid, 'utf8'));
    expect(() => process.kill(child, 0)).toThrow('ESRCH');
  });
});

test('the end of a run names what is still running', async () => {
  const child = spawn('sh', ['-c', 'exec cat'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, SPATE_TEST_RUN: 'of-this-test' },
  });
  await eventually(async () => (leftOver('of-this-test').length > 0 ? true : null), 'the program');
  expect(leftOver('of-this-test')).toEqual([expect.stringMatching(new RegExp(`^${child.pid} `))]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  expect(leftOver('of-this-test')).toEqual([]);
});
