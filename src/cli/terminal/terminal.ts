import { closeSync, openSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, dirname, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { isatty, ReadStream } from 'node:tty';
import { isMainThread, workerData } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { KEYRING_PASSWORD_VARIABLE, NEW_PASSWORD_VARIABLE } from '../../adapters/keyring/password.js';
import { npmCopies, watchNpm } from '../../adapters/processes/npm.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import { ENDING_SIGNALS, type EndingSignal, exitCodeOf, type Io, type TextStream } from './io.js';

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

/** The folder in which npx installs a package that neither the project nor the machine has. */
const NPX_CACHE = '/_npx/';

/**
 * `npx spate` for npm and npx, the name of a program on the PATH, else how Node starts the file `main`. `folder` is where
 * the code of the program is: a package that npx has installed itself is asked for by its name, since the package
 * `spate` of the registry is another program.
 */
export const calledAs = (main: string, env: Io['env'], cwd: string, folder: string): string => {
  if (env['npm_command'] !== undefined)
    return folder.includes(NPX_CACHE) ? 'npx -p spate-events spate' : 'npx spate';
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
  for (const name of [KEYRING_PASSWORD_VARIABLE, NEW_PASSWORD_VARIABLE]) delete env[name];
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
  const handlers = new Set<(signal: EndingSignal) => void>();
  const npm = { env: process.env, monotonicMs: systemClock.monotonicMs };
  const isCopy = npmCopies(npm);
  const dispatch = (signal: EndingSignal) => (): void => {
    if (isCopy(signal)) return;
    if (handlers.size === 0) die(signal);
    for (const handler of handlers) handler(signal);
  };
  for (const signal of Object.keys(ENDING_SIGNALS) as EndingSignal[]) process.on(signal, dispatch(signal));
  if (isMainThread) watchNpm(npm, dispatch('SIGTERM'));
  return {
    stdout: textStream(stdout, 0),
    stderr: textStream(stderr, 1),
    env: withoutPasswords(process.env),
    cwd: process.cwd(),
    program: calledAs(
      fromProcess?.main ?? process.argv[1] ?? 'spate',
      process.env,
      process.cwd(),
      import.meta.dirname,
    ),
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
      for (const signal of Object.keys(ENDING_SIGNALS)) process.removeAllListeners(signal);
      process.exit(code);
    },
    die,
    flush: async () => {
      await Promise.all([flushed(stdout), flushed(stderr)]);
    },
  };
};

/** Reads standard input as UTF-8. Returns the error `too_large` or `unreadable` when it cannot. */
const readStdin = async (max_bytes: number): Promise<Result<string>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > max_bytes) {
        return E.left(failure('too_large', `standard input has more than ${max_bytes} bytes`));
      }
      chunks.push(chunk);
    }
  } catch (thrown) {
    return E.left(failure('unreadable', `cannot read standard input: ${reasonOf(thrown)}`));
  }
  try {
    return E.right(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    return E.left(failure('unreadable', 'standard input is not UTF-8'));
  }
};

/** The terminal, even if standard input and output are redirected. */
const TERMINAL = '/dev/tty';

/** Reads a line without echo. Returns null when there is no terminal. Calls `cancel` on Ctrl-C. */
const askHidden = (question: string, cancel: () => void): Promise<string | null> => {
  const open = (): number | null => {
    try {
      return openSync(TERMINAL, 'r+');
    } catch {
      return null;
    }
  };
  const terminal = open();
  if (terminal === null) return Promise.resolve(null);
  // A second descriptor: the stream closes the other one.
  const screen = openSync(TERMINAL, 'w');
  const input = new ReadStream(terminal);
  input.setRawMode(true);
  input.setEncoding('utf8');
  writeSync(screen, question);
  return new Promise((resolve) => {
    let line = EMPTY_LINE;
    let isOver = false;
    const finish = (text: string | null): void => {
      if (isOver) return;
      isOver = true;
      input.setRawMode(false);
      input.destroy();
      writeSync(screen, '\n');
      closeSync(screen);
      resolve(text);
    };
    input.on('error', () => finish(null));
    input.on('end', () => finish(null));
    input.on('data', (keys) => {
      line = typeHidden(line, String(keys));
      if (line.state === 'typing') return;
      const isCancelled = line.state === 'cancelled';
      finish(isCancelled ? null : line.text);
      if (isCancelled) cancel();
    });
  });
};

interface HiddenLine {
  readonly text: string;
  readonly state: 'typing' | 'done' | 'cancelled';
}

export const EMPTY_LINE: HiddenLine = { text: '', state: 'typing' };

const CONTROL = /\p{Cc}/u;

const typed = (line: HiddenLine, key: string): HiddenLine => {
  const { text } = line;
  switch (key) {
    case '\r':
    case '\n':
      return { text, state: 'done' };
    case '\u0003':
      return { text: '', state: 'cancelled' };
    case '\u0004':
      return text === '' ? { text, state: 'cancelled' } : { text, state: 'done' };
    case '\u007f':
    case '\b':
      return { ...line, text: [...text].slice(0, -1).join('') };
    case '\u0015':
      return EMPTY_LINE;
    default:
      return CONTROL.test(key) ? line : { ...line, text: text + key };
  }
};

/** Input of a terminal in raw mode: backspace and Ctrl-U edit, Ctrl-C and Ctrl-D on an empty line cancel. */
export const typeHidden = (line: HiddenLine, keys: string): HiddenLine => {
  let now = line;
  for (const key of keys) {
    if (now.state !== 'typing') return now;
    now = typed(now, key);
  }
  return now;
};
