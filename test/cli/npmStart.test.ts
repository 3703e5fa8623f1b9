import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { CLI, eventually, freePort } from '../support/instance.js';
import { type ChildProcess, hasPrograms, needs, spawn } from '../support/programs.js';

interface Started {
  readonly npm: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly err: () => string;
  readonly answers: () => Promise<boolean>;
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The start script of the package, on the build and the settings of a temporary folder. */
const startScript = async (): Promise<string> => {
  const { scripts } = JSON.parse(await readFile(join(CLI, '../../../../package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.replace('node .ci/setup.mjs ready', 'true').replace('dist/src/cli/main.js', CLI);
};

/** Runs `npm start` as a terminal does: as the leader of a process group. Resolves when the daemon answers. */
const npmStart = async (): Promise<Started> => {
  const folder = await mkdtemp(join(tmpdir(), 'spate-npm-'));
  const port = await freePort();
  await mkdir(join(folder, 'settings'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: await startScript() } }));
  await writeFile(
    join(folder, 'settings/spate.yml'),
    'server: {host: 192.0.2.1, port: 1}\ngeneration: {}\nlog: {}\npath: {logs: l, startup: s.yml, generators_dir: g, keyring_cryptfile: k, state: s}\n',
  );
  await writeFile(join(folder, 'settings/s.yml'), '[]');
  const npm = spawn('npm', ['start', '--', '--host', '127.0.0.1', '--port', String(port)], {
    cwd: folder,
    env: { ...process.env, npm_config_update_notifier: 'false' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let err = '';
  npm.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => npm.once('exit', resolve));
  ends.push(async () => {
    try {
      process.kill(-(npm.pid ?? 0), 'SIGKILL');
    } catch {
      // All of the group have ended.
    }
    await rm(folder, { recursive: true, force: true });
  });
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/api/health`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(async () => ((await answers()) ? true : null), `npm start: ${err}`);
  return { npm, ended, err: () => err, answers };
};

const hasNpm = hasPrograms('npm');
const whereNpm = hasNpm ? test : test.skip;

whereNpm(
  `npm start passes SIGTERM on and ends after the daemon, which stops in order ${needs('npm')}`,
  async () => {
    const { npm, ended, err, answers } = await npmStart();
    npm.kill('SIGTERM');
    await ended;
    expect(await answers()).toBe(false);
    expect(err()).toContain('spate: stopping');
  },
);

whereNpm(
  `Ctrl-C reaches the daemon twice, from the terminal and from npm, and stops it in order ${needs('npm')}`,
  async () => {
    const { npm, ended, err, answers } = await npmStart();
    process.kill(-(npm.pid ?? 0), 'SIGINT');
    expect(await ended).toBe(0);
    expect(await answers()).toBe(false);
    expect(err()).toContain('spate: stopping');
  },
);

whereNpm.each(['SIGKILL', 'SIGHUP'] as const)(
  `the daemon stops when npm ends by %s ${needs('npm')}`,
  async (signal) => {
    const { npm, ended, err, answers } = await npmStart();
    npm.kill(signal);
    await ended;
    await eventually(async () => ((await answers()) ? null : true), 'the end of the daemon');
    expect(err()).toContain('spate: stopping');
  },
);
