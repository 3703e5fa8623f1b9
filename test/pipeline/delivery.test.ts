import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { type ErrorCode, failure } from '../../src/domain/errors.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import {
  closedStats,
  FATES,
  makeStats,
  readOutputStat,
  readStat,
  type Stats,
} from '../../src/domain/stats/stats.js';
import { backoffMs } from '../../src/domain/waiting.js';
import { makeBreaker } from '../../src/pipeline/delivery/attempts.js';
import { deliver } from '../../src/pipeline/delivery/deliver.js';
import { type PipelineParts, pipeline } from '../../src/pipeline/pipeline.js';
import { DRAIN } from '../../src/pipeline/run.js';
import type { Formatter, Output } from '../../src/plugins/kit.js';
import type { DeadLetters } from '../../src/ports/deadLetters.js';
import { fakeClock } from '../support/clocks/fakeClock.js';
import {
  endlessInput,
  listInput,
  memoryOutput,
  partsOf,
  plainFormatter,
} from '../support/pipelines/pipelineParts.js';

const run = (parts: PipelineParts): Promise<number> =>
  lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Fails as the list says, one entry per write, then works. */
const failing = (codes: readonly ErrorCode[], more: Partial<Output> = {}) => {
  const output = memoryOutput();
  let call = 0;
  const write: Output['write'] = async (batch, signal) => {
    const code = codes[call++];
    return code === undefined ? output.write(batch, signal) : E.left(failure(code, `write ${call}: ${code}`));
  };
  return { ...output, ...more, write, calls: () => call };
};

const memoryLetters = (isFull = false) => {
  const kept: string[] = [];
  const letters: DeadLetters = {
    put: async (events, { message }) => {
      if (isFull) return E.left(failure('too_large', 'full'));
      kept.push(...events.map((event) => `${event}: ${message}`));
      return E.right(undefined);
    },
  };
  return { letters, kept };
};

const withLetters = (parts: PipelineParts, letters: DeadLetters): PipelineParts => ({
  ...parts,
  destinations: parts.destinations.map((destination) => ({ ...destination, deadLetters: letters })),
});

/** Every produced event is in exactly one counter of each output. */
const sumOf = (stats: Stats, output: number): number =>
  FATES.map((name) => readOutputStat(stats, output, name)).reduce((sum, count) => sum + count, 0);

const RETRY = { attempts: 5, base_ms: 200, cap_ms: 5_000 };

describe('retries', () => {
  test('a write that fails for a moment is retried in order, without loss', async () => {
    const output = failing(['output_failed', 'timed_out']);
    const { parts, clock } = partsOf({
      inputs: [listInput(numbers(4))],
      outputs: [output],
      more: { batch: { size: 2, delay: null }, retry: RETRY },
    });
    const running = run(parts);
    await clock.advanceMs(1_000);
    await running;
    expect(output.events).toEqual(['1', '2', '3', '4']);
    expect(readOutputStat(parts.stats, 0, 'retries')).toBe(2);
    expect(readOutputStat(parts.stats, 0, 'written')).toBe(4);
  });

  test('a failure that is not retryable is not retried', async () => {
    const output = failing(['rejected']);
    const { letters, kept } = memoryLetters();
    const { parts } = partsOf({ inputs: [listInput([1])], outputs: [output], more: { retry: RETRY } });
    await run(withLetters(parts, letters));
    expect(output.calls()).toBe(1);
    expect(kept).toEqual(['1: write 1: rejected']);
  });

  test('pauses grow to their cap, half of each is random', () => {
    expect([1, 2, 3, 4, 5, 6, 40].map((attempt) => backoffMs(RETRY, attempt, 1))).toEqual([
      200, 400, 800, 1_600, 3_200, 5_000, 5_000,
    ]);
    expect(backoffMs(RETRY, 3, 0)).toBe(400);
  });
});

describe('dead letters', () => {
  test('get the original events of a write after its last attempt', async () => {
    const output = failing(Array.from({ length: 5 }, () => 'output_failed' as const));
    const { letters, kept } = memoryLetters();
    const { parts, clock } = partsOf({
      inputs: [listInput([1, 2])],
      outputs: [output],
      more: { retry: RETRY },
    });
    const running = run(withLetters(parts, letters));
    await clock.advanceMs(10_000);
    await running;
    expect(kept).toEqual(['1: write 5: output_failed', '2: write 5: output_failed']);
    expect(readOutputStat(parts.stats, 0, 'dead_lettered')).toBe(2);
    expect(readStat(parts.stats, 'low_water')).toBe(1);
  });

  test('that are full count the events as failed, with an error in the log', async () => {
    const output = failing(['rejected']);
    const { parts, lines } = partsOf({ inputs: [listInput([1])], outputs: [output] });
    await run(withLetters(parts, memoryLetters(true).letters));
    expect(readOutputStat(parts.stats, 0, 'write_failed')).toBe(1);
    expect(String(lines.at(-1)?.context['hint'])).toContain('full');
  });

  test('every event ends in exactly one counter, for any failures', async () => {
    const codes = fc.constantFrom<ErrorCode | 'ok'>(
      'ok',
      'output_failed',
      'rejected',
      'timed_out',
      'unwritable',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(codes, { maxLength: 30 }),
        fc.boolean(),
        fc.boolean(),
        async (outcomes, isBulk, isFull) => {
          const good = memoryOutput();
          let call = 0;
          const output: Output = {
            ...good,
            isBulk,
            write: async (batch, signal) => {
              const outcome = outcomes[call++] ?? 'ok';
              return outcome === 'ok' ? good.write(batch, signal) : E.left(failure(outcome, outcome));
            },
          };
          const made = partsOf({
            inputs: [listInput(numbers(40))],
            outputs: [output],
            more: { batch: { size: 7, delay: 1 }, retry: { ...RETRY, attempts: 3 } },
          });
          const { letters, kept } = memoryLetters(isFull);
          const running = run(withLetters(made.parts, letters));
          await made.clock.advanceMs(120_000);
          await running;
          expect(sumOf(made.parts.stats, 0)).toBe(40);
          expect(good.events.length + (isFull ? 0 : kept.length)).toBe(
            isFull ? 40 - readOutputStat(made.parts.stats, 0, 'write_failed') : 40,
          );
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a run that is given up', () => {
  /** Outcome of a write; `hangs`: ignores its signal. */
  type Outcome = 'ok' | 'half' | 'fails' | 'waits' | 'hangs';
  const outcomeOf = fc.constantFrom<Outcome>('ok', 'half', 'fails', 'waits', 'hangs');

  test('at any moment, with writes in any state, counts every event once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          outcomes: fc.array(fc.array(outcomeOf, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
          isBulk: fc.boolean(),
          keep_order: fc.boolean(),
          hasLetters: fc.boolean(),
          after_ms: fc.nat(20_000),
        }),
        async ({ outcomes, isBulk, keep_order, hasLetters, after_ms }) => {
          const ending = new AbortController();
          const outputs = outcomes.map((of): Output => {
            let call = 0;
            return {
              ...memoryOutput(),
              isBulk,
              isPacedByReader: true,
              write: async (batch, signal) => {
                const outcome = of[call++] ?? 'ok';
                const reason = failure(outcome === 'fails' ? 'output_failed' : 'timed_out', outcome);
                if (outcome === 'hangs') return new Promise(() => {});
                if (outcome === 'waits')
                  await new Promise((resolve) => signal.addEventListener('abort', resolve));
                if (outcome === 'waits' || outcome === 'fails') return E.left(reason);
                if (outcome === 'ok') return E.right({ written: batch.count, failed: 0, bytes: 0 });
                const count = Math.floor(batch.count / 2);
                return E.right({
                  written: batch.count - count,
                  failed: count,
                  bytes: 0,
                  stopped: { count, reason },
                });
              },
            };
          });
          const made = partsOf({
            inputs: [endlessInput(1_700_000_000_000_000, 1_000_000)],
            outputs,
            more: {
              batch: { size: 3, delay: 1 },
              isLive: true,
              keep_order,
              queue: { max_timestamp_batches: 2, max_event_batches: 3 },
              retry: { ...RETRY, attempts: 2 },
              signal: ending.signal,
            },
          });
          const { letters, kept } = memoryLetters();
          const running = run(hasLetters ? withLetters(made.parts, letters) : made.parts);
          await made.clock.advanceMs(after_ms);
          made.parts.draining.abort(DRAIN);
          ending.abort();
          await made.clock.advanceMs(60_000);
          await running;
          const { stats } = made.parts;
          const produced = readStat(stats, 'produced');
          const counted = outputs.map((_, index) => sumOf(stats, index));
          expect(counted).toEqual(outputs.map(() => produced));
          const closed = closedStats(stats);
          expect(outputs.map((_, index) => sumOf(closed, index))).toEqual(counted);
          const of = (name: 'abandoned' | 'dead_lettered'): number =>
            outputs.reduce((sum, _, index) => sum + readOutputStat(stats, index, name), 0);
          expect(of('dead_lettered')).toBe(kept.length);
          if (hasLetters) expect(of('abandoned')).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the circuit breaker', () => {
  test('opens after a failed write, allows a probe after five seconds, closes after a success', async () => {
    const clock = fakeClock();
    const breaker = makeBreaker(clock.monotonicMs);
    expect(breaker.allows()).toBe('all_attempts');
    breaker.note('down');
    expect(breaker.allows()).toBe('none');
    await clock.advanceMs(5_000);
    expect(breaker.allows()).toBe('one_attempt');
    breaker.note('down');
    expect(breaker.allows()).toBe('none');
    await clock.advanceMs(5_000);
    breaker.note('up');
    expect(breaker.allows()).toBe('all_attempts');
  });

  test('an output that is down delays one batch, not each, and recovers without a restart', async () => {
    const output = failing(Array.from({ length: 5 }, () => 'output_failed' as const));
    const { letters, kept } = memoryLetters();
    const made = partsOf({ inputs: [], outputs: [output] });
    const start = made.clock.now();
    const due = Array.from({ length: 12 }, (_, second) => start + second * 1_000_000);
    const parts = {
      ...made.parts,
      inputs: [listInput(due)],
      isLive: true,
      retry: RETRY,
      stats: makeStats(1, 1),
    };
    const running = run(withLetters(parts, letters));
    await made.clock.advanceMs(30_000);
    await running;
    expect(output.calls()).toBeLessThan(5 + 12);
    expect(kept.length).toBeGreaterThan(0);
    expect(output.events.at(-1)).toBe(String(due.at(-1)));
    expect(kept.length + output.events.length).toBe(12);
  });
});

describe('collecting for bulk outputs', () => {
  test('a bulk output gets batches of batch.size, the last one smaller', async () => {
    const output = { ...memoryOutput(), isBulk: true };
    const made = partsOf({ inputs: [], outputs: [output] });
    const due = Array.from({ length: 25 }, (_, i) => made.clock.now() + i * 10_000);
    const parts = {
      ...made.parts,
      inputs: [listInput(due)],
      isLive: true,
      batch: { size: 10, delay: 60 },
      stats: makeStats(1, 1),
    };
    const running = run(parts);
    await made.clock.advanceMs(1_000);
    await running;
    expect(output.batches.map(({ count }) => count)).toEqual([10, 10, 5]);
    expect(output.events).toEqual(due.map(String));
    expect(readStat(parts.stats, 'low_water')).toBe(readStat(parts.stats, 'sequence'));
  });

  test('or the events within batch.delay of clock time', async () => {
    const output = { ...memoryOutput(), isBulk: true };
    const made = partsOf({ inputs: [], outputs: [output] });
    const due = [0, 100, 200, 5_000].map((ms) => made.clock.now() + ms * 1_000);
    const parts = {
      ...made.parts,
      inputs: [listInput(due)],
      isLive: true,
      batch: { size: null, delay: 1 },
      stats: makeStats(1, 1),
    };
    const running = run(parts);
    await made.clock.advanceMs(900);
    expect(output.batches).toHaveLength(0);
    await made.clock.advanceMs(200);
    expect(output.batches.map(({ count }) => count)).toEqual([3]);
    await made.clock.advanceMs(10_000);
    await running;
    expect(output.batches.map(({ count }) => count)).toEqual([3, 1]);
  });

  test('a joining formatter collects for an output that is not bulk, beside one that gets each slice', async () => {
    const joining: Formatter = {
      joins: true,
      format: (batch) => ({
        batch: textBatch([batch.texts().join('+')]),
        eventsPerItem: batch.count,
        failures: [],
      }),
    };
    const [joined, direct] = [memoryOutput(), memoryOutput()];
    const made = partsOf({ inputs: [listInput(numbers(5))], outputs: [joined, direct] });
    const destinations = made.parts.destinations.map((destination, index) => ({
      ...destination,
      formatter: index === 0 ? joining : plainFormatter,
    }));
    await run({ ...made.parts, destinations, batch: { size: 2, delay: 60 } });
    expect(joined.events).toEqual(['1+2', '3+4', '5']);
    expect(direct.events).toEqual(['1', '2', '3', '4', '5']);
    expect(readOutputStat(made.parts.stats, 0, 'written')).toBe(5);
  });

  test('a bulk output that stalls stops the pulling', async () => {
    let release: () => void = () => {};
    const stalled = new Promise<void>((resolve) => {
      release = resolve;
    });
    const output = { ...memoryOutput(() => stalled, false), isBulk: true, isPacedByReader: true };
    const { parts, clock } = partsOf({
      inputs: [endlessInput(0, 1)],
      outputs: [output],
      more: { batch: { size: 100, delay: null }, queue: { max_timestamp_batches: 3, max_event_batches: 4 } },
    });
    const running = run(parts);
    await clock.settle();
    const produced = readStat(parts.stats, 'produced');
    await clock.settle();
    expect(readStat(parts.stats, 'produced')).toBe(produced);
    expect(produced).toBeLessThanOrEqual(9 * 100);
    parts.draining.abort(DRAIN);
    release();
    await running;
    expect(output.events).toHaveLength(produced);
  });

  test('batches that wait for room together take it once, for their collection', async () => {
    const releases: (() => void)[] = [];
    const held = () => new Promise<void>((resolve) => releases.push(resolve));
    const output = { ...memoryOutput(held, false), isBulk: true };
    const { parts, clock } = partsOf({
      inputs: [],
      outputs: [output],
      more: { batch: { size: 10, delay: null } },
    });
    const delivery = deliver({ ...parts, max_event_batches: 1, onLowWater: () => {} });
    const batch = (sequence: number, count: number) => ({
      sequence,
      events: textBatch(numbers(count).map(String)),
      tags: [],
      firstEvent: 0,
      producedAtMs: 0,
    });
    const accepted = [batch(1, 10), batch(2, 5), batch(3, 5), batch(4, 10)].map(delivery.accept);
    for (let writes = 1; writes <= 3; writes++) {
      await clock.settle();
      expect(releases).toHaveLength(writes);
      releases.at(-1)?.();
    }
    await Promise.all(accepted);
    await delivery.finish();
    expect(output.batches.map(({ count }) => count)).toEqual([10, 10, 10]);
  });

  test('draining writes what is collected at once', async () => {
    const output = { ...memoryOutput(), isBulk: true };
    const made = partsOf({ inputs: [], outputs: [output] });
    const start = made.clock.now();
    const inputs = [listInput([start, start + 3_600_000_000])];
    const parts = {
      ...made.parts,
      inputs,
      isLive: true,
      batch: { size: 1_000, delay: 60 },
      stats: makeStats(1, 1),
    };
    const running = run(parts);
    await made.clock.advanceMs(100);
    parts.draining.abort(DRAIN);
    await running;
    expect(output.events).toHaveLength(1);
  });
});
