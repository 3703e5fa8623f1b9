import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../adapters/systemClock.js';
import { endThreads } from '../daemon/singleThread.js';
import { reasonOf } from '../domain/errors.js';
import { runCli } from './cli.js';
import { EXIT, type Io, type Services } from './terminal/io.js';
import { processIo } from './terminal/terminal.js';

/** Version in the nearest package.json above this file: the one of this program, built or not. */
const versionAbove = (folder: string): string => {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return (JSON.parse(text) as { readonly version: string }).version;
  } catch {
    const parent = dirname(folder);
    return parent === folder ? 'unknown' : versionAbove(parent);
  }
};

if (process.env['SPATE_DEBUG'] === '1') process.setSourceMapsEnabled(true);

/** What commands are given; `script` is the file that was started. */
const servicesOf = (script: string): Services => ({
  version: versionAbove(dirname(script)),
  script,
  clock: systemClock,
  daemon: () => import('../daemon.js'),
  single: () => import('./compose/single.js'),
  redeliver: () => import('./compose/redeliver.js'),
});

const io = processIo();

/** A throw is a bug: one sentence, and the stack only for those who look for it. */
const reportBug = (thrown: unknown): number => {
  const stack = io.env['SPATE_DEBUG'] === '1' && thrown instanceof Error ? `${thrown.stack ?? ''}\n` : '';
  const advice = stack === '' ? ' (SPATE_DEBUG=1 shows where)' : '';
  io.stderr.write(`spate: this is a bug, please report it: ${reasonOf(thrown)}${advice}\n${stack}`);
  return EXIT.bug;
};

/** What is thrown beside the command, in a timer or by a promise that nobody waits for. */
const endByBug = (thrown: unknown): void => io.exit(reportBug(thrown));
process.on('uncaughtException', endByBug);
process.on('unhandledRejection', endByBug);

/** How long threads may take to end; they hold nothing any more that must be kept. */
const END_THREADS_MS = 2_000;

/** A thread that does not end would hold up the exit for ever: the program is killed then, whatever its code was to be. */
const endThreadsOrDie = async ({ stderr, die }: Io): Promise<void> => {
  if (await endThreads(systemClock, END_THREADS_MS)) return;
  stderr.write('spate: killed: a read or write does not return from the system; check mounts and devices.\n');
  die('SIGKILL');
};

/** Runs the command line to its end, and ends the process. */
export const main = async (script: string): Promise<void> => {
  const code = await runCli(process.argv.slice(2), io, servicesOf(script)).catch(reportBug);
  await io.flush();
  await endThreadsOrDie(io);
  io.exit(code);
};
