import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../adapters/systemClock.js';
import { reasonOf, shortageIn } from '../domain/errors.js';
import { endThreads } from '../host/singleThread.js';
import { runCli } from './cli.js';
import { EXIT, type Io, type Services } from './terminal/io.js';
import { processIo } from './terminal/terminal.js';

/** Folder and version of the nearest package.json above, for source and build. */
const packageAbove = (folder: string): { readonly folder: string; readonly version: string } => {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return { folder, version: (JSON.parse(text) as { readonly version: string }).version };
  } catch {
    const parent = dirname(folder);
    return parent === folder ? { folder, version: 'unknown' } : packageAbove(parent);
  }
};

/** Another folder with library generators. */
const LIBRARY_VARIABLE = 'SPATE_LIBRARY';

const libraryOf = ({ env, cwd }: Io, installed: string): string => {
  const own = env[LIBRARY_VARIABLE] ?? '';
  return own === '' ? join(installed, 'generators') : resolve(cwd, own);
};

if (process.env['SPATE_DEBUG'] === '1') process.setSourceMapsEnabled(true);

const servicesOf = (script: string): Services => {
  const { folder, version } = packageAbove(dirname(script));
  return {
    version,
    script,
    folder,
    library: libraryOf(io, folder),
    clock: systemClock,
    daemon: () => import('../daemon.js'),
    single: () => import('./compose/single.js'),
    resend: () => import('./compose/resend.js'),
    sample: () => import('./compose/sample.js'),
  };
};

const io = processIo();

/** One sentence; the stack only with SPATE_DEBUG=1. A shortage of the system is no bug. */
const reportBug = (thrown: unknown): number => {
  const shortage = shortageIn(reasonOf(thrown));
  if (shortage !== null) {
    io.stderr.write(`spate: ${reasonOf(thrown)}: ${shortage}\n`);
    return EXIT.failed;
  }
  const stack = io.env['SPATE_DEBUG'] === '1' && thrown instanceof Error ? `${thrown.stack ?? ''}\n` : '';
  const advice = stack === '' ? ' (SPATE_DEBUG=1 shows where)' : '';
  io.stderr.write(`spate: this is a bug, please report it: ${reasonOf(thrown)}${advice}\n${stack}`);
  return EXIT.bug;
};

/** Errors thrown in timers and by promises without a handler. */
const endByBug = (thrown: unknown): void => io.exit(reportBug(thrown));
process.on('uncaughtException', endByBug);
process.on('unhandledRejection', endByBug);

/** Time for threads to end; they no longer hold data. */
const END_THREADS_MS = 2_000;

/** A thread stuck in a system call would block the exit for ever: kill the process, whatever the exit code. */
const endThreadsOrDie = async ({ stderr, die }: Io): Promise<void> => {
  if (await endThreads(systemClock, END_THREADS_MS)) return;
  stderr.write('spate: killed, because a read or write hangs in the system. Check mounts and devices.\n');
  die('SIGKILL');
};

/** `onEnd` gets the exit code once all output has left. */
export const main = async (script: string, onEnd: (code: number) => void = () => {}): Promise<void> => {
  const code = await runCli(process.argv.slice(2), io, servicesOf(script)).catch(reportBug);
  await io.flush();
  onEnd(code);
  await endThreadsOrDie(io);
  io.exit(code);
};
