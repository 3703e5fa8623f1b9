/**
 * Previews through the API of a running daemon: a million cron timestamps, and ten thousand events of a script;
 * what they take, and how long a health request beside them ever waited.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI } from '../lib/spate.mjs';

const TIMESTAMPS = 1_000_000;
const EVENTS = 10_000;
const TIMES = 3;
/** What is promised; a case fails on wrong results only. */
const BARS = { timestamps_ms: 3_000, slowest_health_ms: 50 };

const SCRIPT = `
let n = 0;
export const produce = ({ timestamp, tags }) => \`{"at":"\${timestamp}","tag":"\${tags[0]}","n":\${++n}}\`;
`;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const makeInstance = (folder, port) => {
  mkdirSync(join(folder, 'generators', 'web'), { recursive: true });
  writeFileSync(
    join(folder, 'generators', 'web', 'generator.yml'),
    'input: [static: {count: 1}]\nevent: {script: {path: produce.mjs}}\noutput: [stdout: {}]\n',
  );
  writeFileSync(join(folder, 'generators', 'web', 'produce.mjs'), SCRIPT);
  writeFileSync(join(folder, 'startup.yml'), '[]\n');
  writeFileSync(
    join(folder, 'spate.yml'),
    `server: {host: 127.0.0.1, port: ${port}}\ngeneration: {}\nlog: {}\n` +
      'path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring, state: state}\n',
  );
};

/** Asks for health all the time, from a process of its own, so that only the daemon can be late. */
const PROBE = `
const url = process.argv[1];
const waits = [];
let isOver = false;
process.on('message', () => { isOver = true; });
await (await fetch(url)).text();
process.send('ready');
while (!isOver) {
  const before = performance.now();
  await (await fetch(url)).text();
  waits.push(performance.now() - before);
  await new Promise((resolve) => setTimeout(resolve, 2));
}
process.send(waits, () => process.exit(0));
`;

const startProbe = async (url) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROBE, url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const heard = () => new Promise((resolve) => child.once('message', resolve));
  await heard();
  return async () => {
    const waits = heard();
    child.send('stop');
    return (await waits).sort((a, b) => a - b);
  };
};

const timed = async (work) => {
  const before = performance.now();
  const value = await work();
  return [value, Math.round(performance.now() - before)];
};

const checkTimestamps = (bytes, problems) => {
  const { total, timestamps } = JSON.parse(Buffer.from(bytes).toString());
  if (total !== TIMESTAMPS || timestamps.length !== TIMESTAMPS) problems.push(`${total} timestamps`);
  const first = Date.UTC(2026, 0, 1);
  const wrong = timestamps.findIndex((text, second) => Date.parse(text) !== first + second * 1_000);
  if (wrong >= 0) problems.push(`timestamp ${wrong} is ${timestamps[wrong]}`);
};

const checkEvents = (bytes, before, problems) => {
  const { events, errors, exhausted } = JSON.parse(Buffer.from(bytes).toString());
  if (events.length !== EVENTS || errors.length > 0 || exhausted) problems.push(`${events.length} events`);
  const wrong = events.findIndex((text, index) => JSON.parse(text).n !== before + index + 1);
  if (wrong >= 0) problems.push(`event ${wrong} is ${events[wrong]}`);
};

export const run = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-bench-'));
  const port = await freePort();
  makeInstance(folder, port);
  const base = `http://127.0.0.1:${port}/api`;
  const child = spawn(process.execPath, [CLI, 'run', '-c', join(folder, 'spate.yml')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise((resolve) => child.on('close', resolve));
  const post = async (path, body) => {
    const response = await fetch(`${base}/preview/web/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.arrayBuffer();
  };
  const problems = [];
  try {
    await new Promise((resolve, reject) => {
      child.stderr.on('data', (chunk) => /listen/i.test(chunk) && resolve());
      void exited.then(() => reject(new Error('the daemon ended')));
    });
    const inputs = [{ cron: { expression: '* * * * * *', count: 1, start: '2026-01-01T00:00:00Z' } }];
    const timestamps_ms = [];
    const stopProbe = await startProbe(`${base}/health`);
    const previews = [];
    for (let n = 0; n < TIMES; n++) {
      const [answer, ms] = await timed(() =>
        post(`input-plugins/generate?size=${TIMESTAMPS}&skip_past=false`, inputs),
      );
      previews.push(answer);
      timestamps_ms.push(ms);
    }
    const beside = await stopProbe();
    // Only now, so that this process does not take a core from what is measured.
    for (const answer of previews) checkTimestamps(answer, problems);
    await post('event-plugin', { script: { path: 'produce.mjs' } });
    const given = Array.from({ length: EVENTS }, (_, n) => ({
      timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
      tags: ['bench'],
    }));
    const produce_ms = [];
    const stopSecond = await startProbe(`${base}/health`);
    const produced = [];
    for (let n = 0; n < TIMES; n++) {
      const [answer, ms] = await timed(() => post('event-plugin/produce', given));
      produced.push(answer);
      produce_ms.push(ms);
    }
    const besideEvents = await stopSecond();
    for (const [n, answer] of produced.entries()) checkEvents(answer, n * EVENTS, problems);
    const round = (ms) => Number(ms.toFixed(1));
    return {
      timestamps: TIMESTAMPS,
      bytes: previews[0].byteLength,
      timestamps_ms,
      health_requests_beside: beside.length,
      health_ms: { p50: round(beside[beside.length >> 1]), max: round(beside.at(-1)) },
      events: EVENTS,
      produce_ms,
      health_ms_beside_events: { max: round(besideEvents.at(-1)) },
      bars: BARS,
      problems,
    };
  } finally {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
};
