/**
 * The API under load: 200 connections, 200 requests a second at the times they are due, for a minute, beside two
 * generators at full speed. `SPATE_BENCH_SECONDS` and `SPATE_BENCH_SEED` change the run.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiLoad, LOAD_INSTANCE } from '../apiLoad.mjs';
import { CLI } from '../lib/spate.mjs';

const SECONDS = Number(process.env.SPATE_BENCH_SECONDS ?? 60);
const SEED = Number(process.env.SPATE_BENCH_SEED ?? 1);
/** Given to the daemon's Node, such as `--cpu-prof`. */
const NODE_ARGS = (process.env.SPATE_BENCH_NODE_ARGS ?? '').split(' ').filter((arg) => arg !== '');

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const writeInstance = (folder, port) => {
  for (const [path, text] of Object.entries(LOAD_INSTANCE.generators)) {
    mkdirSync(join(folder, 'generators', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'generators', path), text);
  }
  writeFileSync(join(folder, 'startup.yml'), LOAD_INSTANCE.startup);
  writeFileSync(
    join(folder, 'spate.yml'),
    `server: {host: 127.0.0.1, port: ${port}}
generation: {}
log: {}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring, state: state}
`,
  );
};

/** Resolves when the program says that it listens; rejects when it ends before. */
const listens = (child) =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk) => {
      text = (text + chunk).slice(-10_000);
      if (/listen/i.test(text)) resolve();
    });
    child.on('close', (code) => reject(new Error(`the daemon ended with ${code}: ${text}`)));
  });

export const run = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-bench-'));
  const port = await freePort();
  writeInstance(folder, port);
  const child = spawn(process.execPath, [...NODE_ARGS, CLI, 'run', '-c', join(folder, 'spate.yml')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...LOAD_INSTANCE.env },
  });
  const exited = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  try {
    await listens(child);
    let code = null;
    const stop = async () => {
      child.kill('SIGTERM');
      code = await exited;
    };
    const load = { connections: 200, per_second: 200, seconds: SECONDS, seed: SEED };
    const { problems, ...report } = await apiLoad({ folder, port, ...load, stop });
    if (code !== 0) problems.push(`exit ${code}`);
    return { ...report, bars: { reads_p99_ms: 100 }, problems };
  } finally {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
};
