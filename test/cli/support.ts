import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { runCli } from '../../src/cli/cli.js';
import type { SingleOptions, SingleRun } from '../../src/cli/compose/single.js';
import {
  type EndingSignal,
  exitCodeOf,
  type Io,
  type Services,
  type TextStream,
} from '../../src/cli/terminal/io.js';
import type { DaemonOptions } from '../../src/daemon.js';
import { failure, type Result, type SpateError } from '../../src/domain/errors.js';
import type { GeneratorStats } from '../../src/messages/generators.js';
import { fakeClock } from '../support/clocks/fakeClock.js';

/** A command's world that remembers what was done to it. */
export interface FakeIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
  /** Sends a signal to the program. */
  readonly signal: (signal: EndingSignal) => void;
  /** Codes that the program was ended with at once. */
  readonly exits: readonly number[];
  /** True while the program handles signals itself. */
  readonly isListening: () => boolean;
}

export interface FakeIoOptions {
  readonly cwd?: string;
  /** How the user calls the program. */
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly terminals?: readonly ('stdout' | 'stderr')[];
  readonly columns?: number;
  /** Answers typed at the terminal; without them there is no terminal. */
  readonly answer?: string;
  /** Hidden answers in order; after the last one there is no terminal. */
  readonly hidden?: readonly string[];
  /** Standard input; without it that is a terminal. */
  readonly input?: string;
}

export const fakeIo = ({
  cwd = '/',
  program = 'spate',
  env = {},
  terminals = [],
  columns = 200,
  answer,
  hidden: hiddenAnswers = [],
  input,
}: FakeIoOptions = {}): FakeIo => {
  const hidden = [...hiddenAnswers];
  const texts = { stdout: '', stderr: '' };
  const handlers = new Set<(signal: EndingSignal) => void>();
  const exits: number[] = [];
  const stream = (name: 'stdout' | 'stderr'): TextStream => ({
    write: (text) => {
      texts[name] += text;
    },
    isTerminal: terminals.includes(name),
    columns,
  });
  return {
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env,
    cwd,
    program,
    ask:
      answer === undefined
        ? null
        : async (question) => {
            texts.stderr += question;
            return answer;
          },
    stdin: {
      isTerminal: input === undefined,
      read: async (max_bytes) =>
        Buffer.byteLength(input ?? '') > max_bytes
          ? E.left(failure('too_large', `standard input has more than ${max_bytes} bytes`))
          : E.right(input ?? ''),
    },
    askHidden: async (question) => {
      const typed = hidden.shift();
      if (typed !== undefined) texts.stderr += `${question}\n`;
      return typed ?? null;
    },
    onSignal: (handler) => {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
    exit: (code) => void exits.push(code),
    die: (signal) => void exits.push(signal === 'SIGKILL' ? 137 : exitCodeOf(signal)),
    flush: async () => {},
    out: () => texts.stdout,
    err: () => texts.stderr,
    signal: (signal) => {
      for (const handler of handlers) handler(signal);
    },
    exits,
    isListening: () => handlers.size > 0,
  };
};

/** Counters of a run that delivered `produced` events to a file. */
export const statsWith = (
  produced: number,
  failures: Partial<{
    produce_failed: number;
    write_failed: number;
    format_failed: number;
    dead_lettered: number;
    abandoned: number;
    filtered: number;
  }> = {},
): GeneratorStats => ({
  id: 'demo',
  start_time: null,
  input: [{ plugin_name: 'timer', plugin_id: 1, generated: produced }],
  event: {
    plugin_name: 'script',
    plugin_id: 1,
    produced,
    produced_before: 0,
    produce_failed: failures.produce_failed ?? 0,
    dropped: 0,
  },
  output: [
    {
      plugin_name: 'file',
      plugin_id: 1,
      written: produced,
      write_failed: failures.write_failed ?? 0,
      format_failed: failures.format_failed ?? 0,
      dead_lettered: failures.dead_lettered ?? 0,
      abandoned: failures.abandoned ?? 0,
      filtered: failures.filtered ?? 0,
      retries: 0,
      bytes: produced * 10,
    },
  ],
  total_generated: produced,
  total_written: produced,
  total_abandoned: failures.abandoned ?? 0,
  uptime: 1,
  input_eps: produced,
  output_eps: produced,
  low_water_mark: 1,
  lateness_ms: { p50: 1, p99: 3, max: 7, buckets: [] },
  delivery_lag_ms: { p50: 1, p99: 2, buckets: [] },
});

type Ended = Awaited<SingleRun['ended']>;

/** Engines that do nothing until told to; every call is kept. */
export const fakeServices = (
  options: {
    /** How each run ends at once; without it runs end by `finish` or `stop`. */
    readonly ended?: Ended;
    readonly stats?: () => GeneratorStats | null;
    /** Folder of the library. */
    readonly library?: string;
    /** Folder of the package. */
    readonly folder?: string;
    readonly startError?: SpateError;
    readonly daemonError?: SpateError;
    /** Events that the generators of an instance abandon when it stops. */
    readonly abandoned?: number;
    /** What a reload comes to; without it everything could be applied. */
    readonly reload?: Result<'applied' | 'needs_restart'>;
  } = {},
) => {
  const clock = fakeClock();
  const runs: SingleOptions[] = [];
  const starts: DaemonOptions[] = [];
  const counts = { stops: 0, reloads: 0 };
  const waiting: (() => void)[] = [];
  /** Resolves when a run or an instance has been started `count` times. */
  const startedTimes = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (runs.length + starts.length >= count) resolve();
        else waiting.push(look);
      };
      look();
    });
  const wake = (): void => {
    for (const look of waiting.splice(0)) look();
  };
  let finish: (ended: Ended) => void = () => undefined;
  const endedBy = (): Promise<Ended> =>
    options.ended === undefined
      ? new Promise((resolve) => {
          finish = resolve;
        })
      : Promise.resolve(options.ended);
  const stop = (): void => {
    counts.stops++;
    finish({ error: null, stats: options.stats?.() ?? null });
  };
  const services: Services = {
    version: '1.2.3',
    script: '/opt/spate/main.js',
    folder: options.folder ?? '/opt/spate',
    library: options.library ?? '/opt/spate/generators',
    clock,
    single: async () => ({
      runSingle: (given) => {
        runs.push(given);
        const ended = endedBy();
        wake();
        return { ended, stop, stats: async () => options.stats?.() ?? null };
      },
    }),
    resend: () => import('../../src/cli/compose/resend.js'),
    sample: () => import('../../src/cli/compose/sample.js'),
    daemon: async () => ({
      startDaemon: async (given) => {
        if (options.startError !== undefined) return E.left(options.startError);
        starts.push(given);
        const ended = endedBy();
        wake();
        if (options.daemonError !== undefined) finish({ error: options.daemonError, stats: null });
        return E.right({
          ended: ended.then(({ error }) => ({ error, abandoned: options.abandoned ?? 0 })),
          stop,
          entries: () => [],
          address: () => ({ host: '0.0.0.0', port: 9474 }),
          reload: async () => {
            counts.reloads++;
            return options.reload ?? E.right('applied' as const);
          },
        });
      },
    }),
  };
  return { services, clock, runs, starts, counts, startedTimes, finish: (ended: Ended) => finish(ended) };
};

/** Runs a command line, blanks separate arguments. */
export const spate = async (
  line: string | readonly string[],
  io: FakeIo = fakeIo(),
  services: Services = fakeServices().services,
) => {
  const args = typeof line === 'string' ? line.split(' ').filter((arg) => arg !== '') : line;
  const code = await runCli(args, io, services);
  return { code, out: io.out(), err: io.err() };
};

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A temporary folder with files; removed after the tests of the file. */
export const folderWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'spate-cli-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
};

export const GENERATOR = `input:
  - timer: {seconds: 1, count: 1}
event:
  script: {path: produce.js}
output:
  - file: {path: out.log}
`;
