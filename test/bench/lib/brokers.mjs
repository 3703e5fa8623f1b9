/** Brokers on loopback, and lines for them. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, sleep } from './daemon.mjs';
import { watchGroup } from './workplace.mjs';

const PATIENCE_MS = 20_000;

/** Why there is no such program; `null` when there is one. */
export const lackOf = (program, packages) =>
  spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined
    ? null
    : `${program} is not installed (Debian: apt-get install ${packages})`;

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const done = (is) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });

/** Starts a program with the config that `configOf(port, folder)` makes: `{port, kill()}`. */
const startBroker = async (program, folder, configOf) => {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const config = join(folder, 'config');
  writeFileSync(config, configOf(port, folder));
  const child = watchGroup(spawn(program, ['-c', config], { stdio: 'ignore', detached: true }));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for (const limit = performance.now() + PATIENCE_MS; !(await accepts(port)); await sleep(20)) {
    if (child.exitCode !== null || performance.now() > limit) throw new Error(`${program} did not start`);
  }
  return {
    port,
    kill: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
};

export const startNats = (folder) =>
  startBroker(
    'nats-server',
    folder,
    (port) => `listen: "127.0.0.1:${port}"\njetstream {store_dir: "${join(folder, 'streams')}"}\n`,
  );

export const startMosquitto = (folder) =>
  startBroker(
    'mosquitto',
    folder,
    (port) =>
      `${process.getuid?.() === 0 ? 'user root\n' : ''}listener ${port} 127.0.0.1\nallow_anonymous true\nlog_dest none\n`,
  );

/** Writes lines of about 120 bytes to a file, which Spate repeats. */
export const writeLines = (path, lines) => {
  const line = (n) =>
    `${String(n).padStart(8, '0')} GET /orders/${(n * 7_919) % 100_000} 200 ${'x'.repeat(80)}\n`;
  writeFileSync(path, Array.from({ length: lines }, (_, n) => line(n)).join(''));
};
