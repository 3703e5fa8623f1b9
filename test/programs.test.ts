import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { sourceLine } from '../.ci/debianPackages.mjs';
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

  test('are not everywhere: without them, the tests of outputs that start one are skipped and listed', async () => {
    const args = [...JEST, '--ci', 'test/conformance/outputs', '-t', 'output (nats|mqtt)'];
    const env = { ...process.env, PATH: '', SPATE_TEST_INSTALL: '' };
    const { stdout } = await runFile(process.execPath, args, { cwd: ROOT, env });
    expect(stdout).toContain(' 0 failed');
    expect(stdout).toMatch(/- output nats .* \(needs nats-server: /);
    expect(stdout).toMatch(/- output mqtt .* \(needs mosquitto, mosquitto_passwd, .*mosquitto_sub: /);
  });

  test('come from another suite of the archive that this machine installs from', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spate-sources-'));
    folders.push(folder);
    const release = ['ID=debian', 'VERSION_CODENAME=bookworm'];
    const lineOf = async (name: string, ...lines: readonly string[]): Promise<string> => {
      const others = join(folder, 'a.list');
      await writeFile(
        others,
        'deb http://tools.example/debian stable main\n# deb http://no.example/debian bookworm main\n',
      );
      await writeFile(join(folder, name), lines.join('\n'));
      return sourceLine('sid', [others, join(folder, name)], release);
    };
    expect(
      await lineOf(
        'sources.list',
        'deb-src [signed-by=/src.gpg] http://src.example/debian bookworm main',
        'deb http://mirror.example/debian-security bookworm-security main',
        'deb [arch=amd64 signed-by=/key.gpg] http://mirror.example/debian/ bookworm contrib main # ours',
      ),
    ).toBe('deb [signed-by=/key.gpg] http://mirror.example/debian/ sid main\n');
    expect(
      await lineOf(
        'debian.sources',
        'Types: deb',
        'URIs: http://off.example/debian',
        'Suites: bookworm',
        'Components: main',
        'Enabled: no',
        '',
        '# A comment',
        'Types: deb deb-src',
        'URIs: http://mirror.example/debian http://second.example/debian',
        'Suites: bookworm bookworm-updates',
        'Components: main contrib',
        'Signed-By: /key.gpg',
      ),
    ).toBe('deb [signed-by=/key.gpg] http://mirror.example/debian sid main\n');
    await expect(lineOf('none.list', 'deb http://archive.example/ubuntu noble main')).rejects.toThrow(
      'no file of /etc/apt names an archive of Debian',
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
