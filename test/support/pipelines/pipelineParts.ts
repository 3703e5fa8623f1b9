import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../src/domain/events/eventBatch.js';
import { textBatch } from '../../../src/domain/events/eventBatch.js';
import { makeStats } from '../../../src/domain/stats/stats.js';
import { noCheckpointer } from '../../../src/pipeline/checkpoint.js';
import type { PipelineParts } from '../../../src/pipeline/pipeline.js';
import type { EventProducer, Formatter, Input, Output } from '../../../src/plugins/kit.js';
import { fakeClock } from '../clocks/fakeClock.js';
import { memoryLog } from '../logs.js';

/** Gives the listed timestamps, at most `step` per call. */
export const listInput = (micros: readonly number[], step = Number.POSITIVE_INFINITY): Input => {
  let at = 0;
  return {
    fill: (out) => {
      const count = Math.min(out.length, step, micros.length - at);
      for (let i = 0; i < count; i++) out[i] = micros[at + i] as number;
      at += count;
      return count;
    },
    remaining: () => micros.length - at,
    snapshot: () => at,
    restore: (state) => {
      at = state as number;
    },
  };
};

/** Endless: one timestamp every `step` microseconds from `start`. */
export const endlessInput = (start: number, step: number): Input => {
  let n = 0;
  return {
    fill: (out) => {
      for (let i = 0; i < out.length; i++) out[i] = start + (n + i) * step;
      n += out.length;
      return out.length;
    },
    snapshot: () => n,
    restore: (state) => {
      n = state as number;
    },
  };
};

/** Events are the timestamps as text, followed by a space and the tags, if any. */
export const echoProducer: EventProducer = {
  produce: ({ micros, from, to, tagsOf }) => {
    const texts: string[] = [];
    for (let i = from; i < to; i++) texts.push([String(micros[i]), ...tagsOf(i)].join(' '));
    return { consumed: to - from, events: textBatch(texts), failed: 0, dropped: 0, exhausted: false };
  },
  close: async () => {},
};

export const plainFormatter: Formatter = {
  joins: false,
  format: (batch) => ({ batch, eventsPerItem: 1, failures: [] }),
};

export interface MemoryOutput extends Output {
  readonly events: string[];
  readonly batches: EventBatch[];
}

/** An output that stores its events; `before` can delay a write. */
export const memoryOutput = (
  before: (batch: EventBatch, signal: AbortSignal) => Promise<void> = async () => {},
  isOrdered = true,
): MemoryOutput => {
  const events: string[] = [];
  const batches: EventBatch[] = [];
  return {
    events,
    batches,
    isBulk: false,
    isOrdered,
    write: async (batch, signal) => {
      await before(batch, signal);
      batches.push(batch);
      events.push(...batch.texts());
      return E.right({ written: batch.count, failed: 0, bytes: 0 });
    },
    flush: async () => E.right(undefined),
    close: async () => E.right(undefined),
  };
};

/** Parts of a pipeline with these inputs and outputs, and defaults for the rest. */
export const partsOf = (given: {
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  readonly more?: Partial<PipelineParts>;
}) => {
  const clock = fakeClock();
  const { log, lines } = memoryLog();
  const failures: string[] = [];
  const parts: PipelineParts = {
    inputs: given.inputs,
    tags: given.inputs.map(() => []),
    producer: echoProducer,
    destinations: given.outputs.map((output, index) => ({
      index,
      output,
      formatter: plainFormatter,
      log,
      deadLetters: null,
    })),
    isLive: false,
    batch: { size: 10_000, delay: 1 },
    queue: { max_timestamp_batches: 10, max_event_batches: 10 },
    keep_order: false,
    max_concurrency: 100,
    write_timeout_ms: 10_000,
    retry: { attempts: 1, base_ms: 100, cap_ms: 1_000 },
    random: () => 0.5,
    clock,
    stats: makeStats(given.inputs.length, given.outputs.length),
    log,
    checkpointer: noCheckpointer,
    lastBefore: null,
    draining: new AbortController(),
    signal: new AbortController().signal,
    onInputFailure: (_number, reason) => failures.push(reason),
    onAllGone: () => {},
    ...given.more,
  };
  return { parts, clock, lines, failures };
};
