/** A daemon of its own on a free port. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { peakMbOf } from './command.mjs';
import { CLI, writeFiles } from './spate.mjs';
import { watchGroup } from './workplace.mjs';

const PATIENCE_MS = 30_000;
/** Of the clock that /proc counts processor time in. */
const TICK_SECONDS = 0.01;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/**
 * Writes an instance: `generators` are files below the folder of generators as `{path: text}`, `startup` the text
 * of the startup list. The path of its settings.
 */
export const writeInstance = (folder, port, generators, startup) => {
  writeFiles(folder, {
    ...Object.fromEntries(Object.entries(generators).map(([path, text]) => [join('generators', path), text])),
    'startup.yml': startup,
    'spate.yml': `server: {host: 127.0.0.1, port: ${port}}
generation: {}
log: {}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring, state: state}
`,
  });
  return join(folder, 'spate.yml');
};

/** Processor time of all threads of a process so far, seconds. */
export const cpuSecondsOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_SECONDS;
};

/** Resident memory of a process, megabytes (10^6 bytes). */
export const residentMbOf = (pid) =>
  (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024) / 1e6;

/**
 * Starts `spate run` and waits for the first answer of its API. `api(method, path)` gives the JSON of an answer,
 * `stop()` ends it by SIGTERM and gives the exit code, `kill()` at once.
 */
export const startDaemon = async (settings, port, env = {}) => {
  const begin = performance.now();
  const child = watchGroup(
    spawn(process.execPath, [CLI, 'run', '-c', settings], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    }),
  );
  let text = '';
  child.stderr.on('data', (chunk) => {
    text = (text + chunk).slice(-10_000);
  });
  const exited = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  const end = (signal) => {
    child.kill(signal);
    return exited;
  };
  const api = async (method, path) => {
    const response = await fetch(`http://127.0.0.1:${port}/api${path}`, { method });
    const body = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${body}`);
    return body === '' ? null : JSON.parse(body);
  };
  for (;;) {
    const isThere = await api('GET', '/health').then(
      () => true,
      () => false,
    );
    if (isThere) break;
    if (child.exitCode !== null || performance.now() - begin > PATIENCE_MS) {
      await end('SIGKILL');
      throw new Error(`the daemon does not answer: ${text}`);
    }
    await sleep(2);
  }
  return {
    pid: child.pid,
    api,
    first_answer_ms: performance.now() - begin,
    peakMb: () => peakMbOf(child.pid),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
};
