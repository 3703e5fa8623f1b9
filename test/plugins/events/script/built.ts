import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SCRIPT_THREAD_FLAGS } from '../../../../src/domain/thirdParty.js';
import { runFile } from '../../../support/programs.js';

const ROOT = process.cwd();

/** The built sources with a program that runs scripts through the plugin. */
export interface Built {
  readonly scripts: (request: RunRequest) => Promise<RunReport>;
  readonly remove: () => void;
}

export interface RunRequest {
  /** Files by path below the folder of the generator. */
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
  /** JavaScript that drives the plugin; see the program below for what it can use. */
  readonly steps: string;
  readonly flags?: readonly string[];
  /** Inside a worker thread, as in the daemon. */
  readonly isInWorker?: boolean;
}

export interface RunReport {
  readonly result: unknown;
  readonly logs: readonly { level: string; message: string; context: Record<string, unknown> }[];
  readonly stderr: string;
  readonly stdout: string;
}

/**
 * Gives the steps: `start(path?, parameters?)` builds the plugin (a producer, or `{error}`), `call(producer, n, options)`
 * asks for `n` timestamps one second apart, `directory`, `write(file, text)`, `controller`, `globals`.
 */
const PROGRAM = `
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const request = isMainThread ? JSON.parse(readFileSync(process.argv[2], 'utf8')) : workerData;
const done = (report) => writeFileSync(join(request.directory, 'report.json'), JSON.stringify(report));
if (isMainThread && request.isInWorker) {
  const worker = new Worker(new URL(import.meta.url), { workerData: request, execArgv: request.flags });
  worker.on('message', done);
} else {
  const { scriptPlugin } = await import('./src/plugins/events/script/plugin.js');
  const { zoneOf } = await import('./src/domain/time/zone.js');
  const { seededRandom } = await import('./src/domain/random.js');
  const { globalsView, makeOwnedGlobals } = await import('./src/domain/globals/owned.js');
  const { directory, steps } = request;
  const logs = [];
  const log = { write: (level, message, context = {}) => logs.push({ level, message, context }), with: () => log };
  const controller = new AbortController();
  const globals = globalsView(makeOwnedGlobals('home', {}, 0), []);
  let nowMs = 0;
  const clock = { monotonicMs: () => nowMs, now: () => nowMs * 1000 };
  const pass = (ms) => { nowMs += ms; };
  const start = async (path = request.path, more = {}) => {
    const built = await scriptPlugin.build({ path, marks: null, ...more }, {
      directory, zone: zoneOf('Europe/Berlin'), clock, random: seededRandom(1), log, globals,
      signal: controller.signal, params: { answer: 42, deep: { list: [1] } },
    });
    return built._tag === 'Left' ? { error: built.left.message } : built.right;
  };
  const T0 = Date.UTC(2025, 0, 15, 10, 30) * 1000 + 123456;
  const call = async (producer, count = 1, { tags = [], spentAfter = Infinity } = {}) => {
    const micros = Float64Array.from({ length: count }, (_, i) => T0 + i * 1e6);
    let asked = 0;
    const produced = await producer.produce({
      micros, from: 0, to: count, tagsOf: () => Object.freeze(tags), isSpent: () => ++asked > spentAfter,
    });
    return { ...produced, events: produced.events.texts() };
  };
  const write = (file, text) => writeFileSync(join(directory, file), text);
  const AsyncFunction = (async () => {}).constructor;
  const names = ['start', 'call', 'write', 'directory', 'controller', 'globals', 'pass', 'load'];
  const load = (path) => import(path);
  const result = await new AsyncFunction(...names, steps)(
    start, call, write, directory, controller, globals, pass, load,
  );
  const report = { result: result ?? null, logs };
  if (isMainThread) done(report); else parentPort.postMessage(report);
}
`;

/** Uses the built program in `dist/`. */
export const build = (): Built => {
  const out = mkdtempSync(join(tmpdir(), 'spate-built-'));
  symlinkSync(join(ROOT, 'dist', 'src'), join(out, 'src'));
  writeFileSync(join(out, 'package.json'), '{"type":"module"}');
  writeFileSync(join(out, 'program.mjs'), PROGRAM);
  let runs = 0;
  const scripts = async (request: RunRequest): Promise<RunReport> => {
    const directory = join(out, `run ${++runs}`);
    await mkdir(directory);
    for (const [file, text] of Object.entries(request.files)) {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      await writeFile(join(directory, file), text);
    }
    const flags = request.flags ?? SCRIPT_THREAD_FLAGS;
    const requestFile = join(directory, 'request.json');
    await writeFile(requestFile, JSON.stringify({ ...request, directory, flags }));
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { stdout, stderr } = await runFile(
      process.execPath,
      [...(request.isInWorker ? [] : flags), join(out, 'program.mjs'), requestFile],
      { env },
    );
    const report = await readFile(join(directory, 'report.json'), 'utf8');
    return { ...(JSON.parse(report) as Pick<RunReport, 'result' | 'logs'>), stdout, stderr };
  };
  return { scripts, remove: () => rmSync(out, { recursive: true, force: true }) };
};
