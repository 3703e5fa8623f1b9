/**
 * A thousand live generators of one event a second in one daemon, beside two that fail for ever, later one
 * that hangs its thread (not while the steady state is measured: it takes a whole core). How long starting
 * and stopping take, what the steady state costs, and whether each of the thousand wrote every second once.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLI } from '../lib/spate.mjs';

const COUNT = Number(process.env.SPATE_BENCH_GENERATORS ?? 1_000);
const STEADY_MS = 20_000;
/** Requests of the API under way at a time when all are stopped or started. */
const AT_ONCE = 50;
const MAX_SHOWN = 5;
const PATIENCE_MS = 120_000;

const everySecond = (event, output) =>
  `input: [cron: {expression: '* * * * * *', count: 1}]\nevent: ${event}\noutput: [${output}]\n`;
const SCRIPT = '{script: {path: produce.mjs}}';
const BAD = {
  'full-output': [everySecond('{replay: {path: ../steady/lines.txt}}', 'file: {path: /dev/full}'), ''],
  'crash-loop': [
    everySecond(SCRIPT, 'file: {path: out.log}'),
    "setTimeout(() => { throw new Error('again'); }, 20); export const produce = () => 'x';",
  ],
  hang: [everySecond(SCRIPT, 'file: {path: out.log}'), 'export const produce = () => { for (;;) {} };'],
};

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const writeInstance = (folder, port) => {
  const put = (path, text) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const event = "{replay: {path: lines.txt, timestamp_pattern: '^(?<timestamp>AT)', timestamp_format: '%s'}}";
  put('generators/steady/generator.yml', everySecond(event, "file: {path: '../../out/${params.n}.log'}"));
  put('generators/steady/lines.txt', Array.from({ length: 10_000 }, (_, n) => `AT ${n + 1}\n`).join(''));
  const startup = Array.from(
    { length: COUNT },
    (_, n) => `- {id: s${n}, path: steady/generator.yml, params: {n: ${n}}}\n`,
  );
  for (const [id, [config, script]] of Object.entries(BAD)) {
    put(`generators/${id}/generator.yml`, config);
    put(`generators/${id}/produce.mjs`, script);
    startup.push(`- {id: ${id}, path: ${id}/generator.yml, autostart: ${id !== 'hang'}}\n`);
  }
  put('startup.yml', startup.join(''));
  put(
    'spate.yml',
    `server: {host: 127.0.0.1, port: ${port}}
generation: {}
log: {}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring, state: state}
`,
  );
};

/** Processor time of all threads of a process, in milliseconds, and its resident memory in megabytes. */
const usageOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024);
  return {
    cpu_ms: (Number(fields[11]) + Number(fields[12])) * 10,
    rss_mb: mb('VmRSS'),
    peak_mb: mb('VmHWM'),
  };
};

const clientOf = (port) => async (method, path) => {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, { method });
  return response.json();
};

/** Does something for each item, a few at a time. */
const forAll = async (items, work) => {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

/** Events of one generator: what is wrong with them, and how many there are. */
const checkEvents = (folder, n) => {
  const lines = readFileSync(join(folder, 'out', `${n}.log`), 'utf8')
    .split('\n')
    .slice(0, -1);
  const events = lines.map((line) => line.split(' ').map(Number));
  const first = events[0]?.[0];
  const gap = events.findIndex(([at, number], index) => at !== first + index || number !== index + 1);
  return { count: events.length, problem: gap < 0 ? null : `s${n}: "${lines[gap]}" is event ${gap + 1}` };
};

const timed = async (work) => {
  const before = performance.now();
  await work();
  return Math.round(performance.now() - before);
};

export const run = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-bench-'));
  const port = await freePort();
  writeInstance(folder, port);
  const api = clientOf(port);
  const ids = Array.from({ length: COUNT }, (_, n) => `s${n}`);
  const problems = [];
  const areAllRunning = async () => {
    const limit = performance.now() + PATIENCE_MS;
    for (;;) {
      const rows = await api('GET', '/generators/').catch(() => []);
      const found = rows.filter(({ id, status }) => /^s\d/.test(id) && status.is_running);
      if (found.length === COUNT) return;
      if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}`);
      if (performance.now() > limit) throw new Error(`only ${found.length} of ${COUNT} are running`);
      await sleep(50);
    }
  };
  /** Status of a generator once it has failed; `null` if it never does. */
  const reasonOf = async (id) => {
    for (const limit = performance.now() + 30_000; performance.now() < limit; await sleep(200)) {
      const status = await api('GET', `/generators/${id}/status`);
      if (status.reason !== null) return status;
    }
    return null;
  };
  const child = spawn(process.execPath, [CLI, 'run', '-c', join(folder, 'spate.yml')], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const exited = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)));
  try {
    const start_ms = await timed(() => areAllRunning());
    const atStart = usageOf(child.pid);
    await sleep(2_000);
    const before = usageOf(child.pid);
    await sleep(STEADY_MS);
    const after = usageOf(child.pid);
    void api('POST', '/generators/hang/start');
    const hung = await reasonOf('hang');
    const stop_ms = await timed(() => forAll(ids, (id) => api('POST', `/generators/${id}/stop`)));
    let events = 0;
    const wrong = [];
    await forAll(ids.keys(), async (n) => {
      const { count, problem } = checkEvents(folder, n);
      const { event, output } = await api('GET', `/generators/s${n}/stats`);
      events += count;
      if (problem !== null) wrong.push(problem);
      if (count < STEADY_MS / 1_000) wrong.push(`s${n} wrote ${count} events in ${STEADY_MS / 1_000} s`);
      if (event.produced !== count || output[0].written !== count) {
        wrong.push(`s${n} counts ${event.produced} produced, ${output[0].written} written of ${count}`);
      }
    });
    if (wrong.length > 0) problems.push(`${wrong.length} are wrong: ${wrong.slice(0, MAX_SHOWN).join('; ')}`);
    const start_again_ms = await timed(() => forAll(ids, (id) => api('POST', `/generators/${id}/start`)));
    await areAllRunning();
    const bad = { hang: hung };
    for (const id of Object.keys(BAD)) {
      const { phase, reason, restarts } = await api('GET', `/generators/${id}/status`);
      bad[id] = { phase, restarts, reason: reason ?? bad[id]?.reason ?? null };
    }
    const lost = await api('GET', '/generators/full-output/stats');
    bad['full-output'].dead_lettered = lost.output[0].dead_lettered;
    if (lost.output[0].dead_lettered === 0) problems.push('full-output has no dead letters');
    if (bad['crash-loop'].reason === null) problems.push('crash-loop did not fail');
    if (hung === null) problems.push('hang did not fail');
    let code = null;
    const exit_ms = await timed(async () => {
      child.kill('SIGTERM');
      code = await exited;
    });
    if (code !== 0) problems.push(`exit ${code}`);
    return {
      generators: COUNT,
      events,
      start_ms,
      start_cpu_ms: atStart.cpu_ms,
      steady_cores: Number(((after.cpu_ms - before.cpu_ms) / STEADY_MS).toFixed(3)),
      rss_mb: after.rss_mb,
      peak_mb: after.peak_mb,
      stop_all_by_api_ms: stop_ms,
      start_all_by_api_ms: start_again_ms,
      // A thread that hangs is given ten seconds before it is ended, at the end too.
      exit_beside_a_hang_ms: exit_ms,
      bars: { start_ms: 5_000, steady_cores: 0.5, stop_all_by_api_ms: 5_000 },
      bad,
      problems,
    };
  } finally {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
};
