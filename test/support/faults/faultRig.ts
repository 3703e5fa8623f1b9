import * as fs from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { deadLetterFiles } from '../../../src/adapters/deadLetters/files.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { Result } from '../../../src/domain/errors.js';
import { textBatch } from '../../../src/domain/events/eventBatch.js';
import {
  FATES,
  makeStats,
  type OUTPUT_SLOTS,
  readOutputStat,
  readStat,
  type Stats,
} from '../../../src/domain/stats/stats.js';
import { DRAIN, type PipelineEnd, runPipeline } from '../../../src/pipeline/run.js';
import type { EventProducer, Output, PluginContext } from '../../../src/plugins/kit.js';
import type { Clock } from '../../../src/ports/clock.js';
import { fastClock } from '../clocks/fastClock.js';
import { type LoggedLine, memoryLog } from '../logs.js';
import { endlessInput, plainFormatter } from '../pipelines/pipelineParts.js';

/** Time runs this much faster: the cool-down of five seconds takes a quarter of one. */
const FACTOR = 20;
const BATCH = 500;
const QUEUE = { max_timestamp_batches: 3, max_event_batches: 4 };
const RETRY = { attempts: 5, base_ms: 200, cap_ms: 5_000 };

/** Most events of a destination in flight. */
const HELD = {
  direct: QUEUE.max_event_batches * BATCH,
  /** Collections in flight or waiting, and the batches that wait for room. */
  bulk: 2 * QUEUE.max_event_batches * BATCH,
} as const;

/** A pipeline that produces events without end, at full speed, into outputs with faults. */
export interface Rig {
  readonly produced: () => number;
  /** Counter of an output, by default the first. */
  readonly count: (name: keyof typeof OUTPUT_SLOTS, output?: number) => number;
  readonly lines: readonly LoggedLine[];
  /** Resolves when the condition holds; rejects when the pipeline ends first. */
  readonly until: (what: string, holds: () => boolean | Promise<boolean>) => Promise<void>;
  /** Resolves when the same run has written this many more events. */
  readonly writesOn: (more?: number, output?: number) => Promise<void>;
  /** Resolves once back-pressure has stopped production. */
  readonly isHeldBack: () => Promise<void>;
  /** Ends writes in flight at once, as the drain deadline does. */
  readonly abort: () => void;
  readonly drain: () => Promise<Result<PipelineEnd>>;
  readonly ended: Promise<Result<PipelineEnd>>;
  readonly account: () => Account;
  /** Numbers of the events in the dead letters of an output. */
  readonly letters: (output?: number) => readonly number[];
}

export interface Account {
  readonly produced: number;
  /** Sum of the counters, by output. */
  readonly sums: readonly number[];
  /** By output. */
  readonly mostInFlight: readonly number[];
  /** Limit of the queue, by output. */
  readonly allowed: readonly number[];
  readonly dead_lettered: readonly number[];
  readonly write_failed: readonly number[];
}

export interface RigOptions {
  /** For the dead letters. */
  readonly folder: string;
  readonly outputs: readonly ((
    context: Pick<PluginContext, 'clock' | 'log' | 'directory' | 'signal'>,
  ) => Promise<Result<Output>>)[];
  readonly write_timeout_ms?: number;
  readonly attempts?: number;
  /** False: without dead letters. */
  readonly hasLetters?: boolean;
}

/** One for all rigs of a file: no two events of its rigs have the same number and the same time, which a server may take for a double. */
const clock = fastClock(FACTOR);

/** Longer than any row: slow writes are not aborted. */
const LONG_MS = 200_000;
/** Real time without an event after which production counts as stopped. */
const STILL_MS = 150;
const PATIENCE_MS = 100_000;
const POLL_MS = 2;

/** Events of 40 characters with their number at both ends: a torn one shows. */
export const numberedEvent = (n: number): string => `${n}\t${String(n).padStart(30, '.')};`;

const fatesOf = (stats: Stats, output: number): number =>
  FATES.map((name) => readOutputStat(stats, output, name)).reduce((sum, count) => sum + count, 0);

/** Makes numbered events and records the most in flight. */
const countingProducer = (stats: Stats, mostInFlight: number[]): EventProducer => {
  let made = 0;
  return {
    produce: ({ from, to }) => {
      const texts = Array.from({ length: to - from }, () => numberedEvent(made++));
      mostInFlight.forEach((most, output) => {
        mostInFlight[output] = Math.max(most, made - fatesOf(stats, output));
      });
      return { consumed: to - from, events: textBatch(texts), failed: 0, dropped: 0, exhausted: false };
    },
    close: async () => {},
  };
};

const lettersIn = (folder: string): readonly number[] =>
  (fs.existsSync(folder) ? fs.readdirSync(folder) : []).flatMap((name) =>
    fs
      .readFileSync(join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => Number.parseInt((JSON.parse(line) as { event: string }).event, 10)),
  );

interface Notes {
  readonly stats: Stats;
  readonly mostInFlight: number[];
  /** By output; known when it is open. */
  readonly isBulk: boolean[];
  readonly log: ReturnType<typeof memoryLog>;
  readonly clock: Clock;
  readonly draining: AbortController;
  readonly ending: AbortController;
}

const boxOf = (folder: string, output: number): string => join(folder, 'letters', String(output));

/** Everything is real except inputs and clock. */
const run = (options: RigOptions, notes: Notes): Promise<Result<PipelineEnd>> => {
  const { folder, outputs } = options;
  const { stats, clock, draining, ending, isBulk } = notes;
  const { log } = notes.log;
  const context = { clock, log, directory: folder, signal: ending.signal };
  const parts = {
    builders: {
      inputs: [async () => E.right(endlessInput(0, 1))],
      producer: async () => E.right(countingProducer(stats, notes.mostInFlight)),
      formatters: outputs.map(() => async () => E.right(plainFormatter)),
      outputs: outputs.map((open, index) => async () => {
        const opened = await open(context);
        isBulk[index] = E.isRight(opened) && opened.right.isBulk;
        return opened;
      }),
    },
    start: () => ({ now: 0, skipPast: false }),
    tags: [[]],
    isLive: false,
    batch: { size: BATCH, delay: 1 },
    queue: QUEUE,
    keep_order: false,
    max_concurrency: 100,
    write_timeout_ms: options.write_timeout_ms ?? LONG_MS,
    retry: { ...RETRY, attempts: options.attempts ?? RETRY.attempts },
    random: () => 0.5,
    clock,
    stats,
    log,
    draining,
    signal: ending.signal,
    outputLog: () => log,
    deadLetters: (index: number) =>
      options.hasLetters === false ? null : deadLetterFiles(boxOf(folder, index), clock),
    checkpoint: null,
    onRunning: () => {},
  };
  return runPipeline(parts);
};

/** Polls: real sockets and files send no signal. */
const makeUntil = (
  ended: Promise<Result<PipelineEnd>>,
  { lines }: Notes['log'],
  signal: AbortSignal,
): Rig['until'] => {
  let end: Result<PipelineEnd> | null = null;
  void ended.then((how) => {
    end = how;
  });
  return async (what, holds) => {
    const limit = systemClock.monotonicMs() + PATIENCE_MS;
    while (!(await holds())) {
      if (end !== null) throw new Error(`the pipeline ended before: ${what} (${JSON.stringify(end)})`);
      if (systemClock.monotonicMs() > limit) {
        throw new Error(`never happened: ${what}; last logged: ${lines.at(-1)?.message}`);
      }
      await systemClock.sleepMs(POLL_MS, signal);
    }
  };
};

/** True once a value has not changed for a while. */
const standsStill = (value: () => number): (() => boolean) => {
  let last = Number.NaN;
  let since = 0;
  return () => {
    const now = value();
    if (now !== last) since = systemClock.monotonicMs();
    last = now;
    return systemClock.monotonicMs() - since > STILL_MS;
  };
};

/** Starts the pipeline; the test drains it and checks its account. */
export const startRig = (options: RigOptions): Rig => {
  const { folder, outputs } = options;
  const stats = makeStats(1, outputs.length);
  const notes: Notes = {
    stats,
    mostInFlight: outputs.map(() => 0),
    isBulk: outputs.map(() => false),
    log: memoryLog(),
    clock,
    draining: new AbortController(),
    ending: new AbortController(),
  };
  const ended = run(options, notes);
  const until = makeUntil(ended, notes.log, notes.ending.signal);
  const produced = (): number => readStat(stats, 'produced');
  const count: Rig['count'] = (name, output = 0) => readOutputStat(stats, output, name);
  return {
    produced,
    count,
    lines: notes.log.lines,
    until,
    writesOn: (more = 2 * BATCH, output = 0) => {
      const before = count('written', output);
      return until(`${more} more events written`, () => count('written', output) >= before + more);
    },
    isHeldBack: () => until('a full queue', standsStill(produced)),
    abort: () => notes.ending.abort(),
    drain: () => {
      notes.draining.abort(DRAIN);
      return ended;
    },
    ended,
    account: () => ({
      produced: produced(),
      sums: outputs.map((_, index) => fatesOf(stats, index)),
      mostInFlight: notes.mostInFlight,
      allowed: notes.isBulk.map((bulk) => (bulk ? HELD.bulk : HELD.direct)),
      dead_lettered: outputs.map((_, index) => count('dead_lettered', index)),
      write_failed: outputs.map((_, index) => count('write_failed', index)),
    }),
    letters: (output = 0) => lettersIn(boxOf(folder, output)),
  };
};
