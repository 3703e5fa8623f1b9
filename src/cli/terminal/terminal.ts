import { constants } from 'node:os';
import { basename, delimiter, dirname, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { isMainThread, workerData } from 'node:worker_threads';
import { NEW_PASSWORD_VARIABLE, PASSWORD_VARIABLE } from '../../adapters/keyring/password.js';
import { npmCopies, watchNpm } from '../../adapters/processes/npm.js';
import { systemClock } from '../../adapters/systemClock.js';
import { exitCodeOf, type Io, SIGNALS, type Signal, type TextStream } from './io.js';
import { askHidden } from './passwordPrompt.js';
import { readStdin } from './stdin.js';

/** Exit code of shells for a program that lost its reader. */
const READER_GONE = 128 + constants.signals.SIGPIPE;

/** What `runOnThread` passes to its thread. */
const fromProcess = workerData as {
  readonly columns?: readonly number[];
  readonly main?: string;
} | null;

/** 0: no terminal. */
const threadColumns = (index: 0 | 1): number => fromProcess?.columns?.[index] ?? 0;

const textStream = (stream: NodeJS.WriteStream, index: 0 | 1): TextStream => ({
  write: (text) => void stream.write(text),
  isTerminal: Boolean(stream.isTTY) || threadColumns(index) > 0,
  get columns() {
    // A terminal of unknown width reports 0.
    return (stream.isTTY && stream.columns) || threadColumns(index) || 80;
  },
});

/** `npx spate` for npm and npx, the name of a program on the PATH, else how Node starts the file `main`. */
export const calledAs = (main: string, env: Io['env'], cwd: string): string => {
  if (env['npm_command'] !== undefined) return 'npx spate';
  const isOnPath = (env['PATH'] ?? '').split(delimiter).includes(dirname(main));
  if (isOnPath) return basename(main);
  const below = relative(cwd, main);
  return `node ${below.startsWith('..') ? main : below}`;
};

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) return resolve();
    stream.write('', () => resolve());
  });

/** Empty at the end of input. Ctrl-C stays a signal. */
const ask = (question: string): Promise<string> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, terminal: false });
    process.stderr.write(question);
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => resolve(''));
  });

/** Removes passwords from `process.env`, which scripts and child programs inherit. */
const withoutPasswords = (env: NodeJS.ProcessEnv): Io['env'] => {
  const own = { ...env };
  for (const name of [PASSWORD_VARIABLE, NEW_PASSWORD_VARIABLE]) delete env[name];
  return own;
};

/** `process.exit` waits for system calls of other threads, even those that never return. */
const die: Io['die'] = (signal) => {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
};

export const processIo = (): Io => {
  const { stdout, stderr } = process;
  stdout.on('error', () => process.exit(READER_GONE));
  // Lost messages are no reason to stop delivering events.
  stderr.on('error', () => undefined);
  const handlers = new Set<(signal: Signal) => void>();
  const npm = { env: process.env, monotonicMs: systemClock.monotonicMs };
  const isCopy = npmCopies(npm);
  const dispatch = (signal: Signal) => (): void => {
    if (isCopy(signal)) return;
    if (handlers.size === 0) die(signal);
    for (const handler of handlers) handler(signal);
  };
  for (const signal of Object.keys(SIGNALS) as Signal[]) process.on(signal, dispatch(signal));
  if (isMainThread) watchNpm(npm, dispatch('SIGTERM'));
  return {
    stdout: textStream(stdout, 0),
    stderr: textStream(stderr, 1),
    env: withoutPasswords(process.env),
    cwd: process.cwd(),
    program: calledAs(fromProcess?.main ?? process.argv[1] ?? 'spate', process.env, process.cwd()),
    ask: isatty(0) ? ask : null,
    stdin: { isTerminal: isatty(0), read: readStdin },
    askHidden: async (question) =>
      isatty(0) || isatty(2) ? askHidden(question, () => process.exit(exitCodeOf('SIGINT'))) : null,
    onSignal: (handler) => {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    exit: (code) => {
      // If exiting hangs on a thread, the next signal ends the program.
      for (const signal of Object.keys(SIGNALS)) process.removeAllListeners(signal);
      process.exit(code);
    },
    die,
    flush: async () => {
      await Promise.all([flushed(stdout), flushed(stderr)]);
    },
  };
};
