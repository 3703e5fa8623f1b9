import { constants } from 'node:os';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { SCRIPT_THREAD_FLAGS } from '../domain/scriptThread.js';

/** As `EXIT.bug` and as in `terminal.ts`: this file loads before the program and imports little. */
const FAILED = 70;
const READER_GONE = 128 + constants.signals.SIGPIPE;

/** 0: no terminal. A thread cannot tell. */
const columnsOf = (stream: NodeJS.WriteStream): number => (stream.isTTY ? stream.columns : 0);

/** Runs the program `script` again, with these arguments, on a thread that may load user scripts; exits with its code. */
export const runOnThread = (script: string): void => {
  let ended: number | null = null;
  process.stdout.on('error', () => process.exit(READER_GONE));
  process.stderr.on('error', () => undefined);
  const worker = new Worker(script, {
    argv: process.argv.slice(2),
    // Passwords that the thread removes are gone for the process.
    env: SHARE_ENV,
    execArgv: [...SCRIPT_THREAD_FLAGS],
    workerData: { columns: [columnsOf(process.stdout), columnsOf(process.stderr)], main: process.argv[1] },
  });
  worker.on('message', (code: number) => {
    ended = code;
  });
  worker.once('error', (error) => process.stderr.write(`spate: ${error.message}\n`));
  worker.once('exit', () => {
    if (ended === null) process.stderr.write('spate: a script or an error ended the program early.\n');
    process.exitCode = ended ?? FAILED;
  });
};
