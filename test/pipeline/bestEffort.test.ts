import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { failure } from '../../src/domain/errors.js';
import { type EventBatch, textBatch } from '../../src/domain/events/eventBatch.js';
import { makeStats, readOutputStat, readStat } from '../../src/domain/stats/stats.js';
import { deliver } from '../../src/pipeline/delivery/deliver.js';
import type { Destination } from '../../src/pipeline/delivery/writer.js';
import { type PipelineParts, pipeline } from '../../src/pipeline/pipeline.js';
import { DRAIN } from '../../src/pipeline/run.js';
import type { DeliveryChoices, Output } from '../../src/plugins/kit.js';
import { listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

const run = (parts: PipelineParts): Promise<number> =>
  lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const RETRY = { attempts: 5, base_ms: 200, cap_ms: 5_000 };
const BEST_EFFORT: DeliveryChoices = { retry: {}, write_timeout_ms: null, isBestEffort: true };

const choosing = (parts: PipelineParts, choices: readonly DeliveryChoices[]): readonly Destination[] =>
  parts.destinations.map((destination, index) => {
    const choice = choices[index];
    return choice === undefined ? destination : { ...destination, choices: choice };
  });

/** Never answers, not even after an abort. */
const hanging = (more: Partial<Output> = {}): Output => ({
  ...memoryOutput(undefined, false),
  ...more,
  write: () => new Promise(() => {}),
});

describe('a best-effort output', () => {
  test('gets one attempt and no dead letters', async () => {
    let calls = 0;
    const output: Output = {
      ...memoryOutput(),
      write: async () => {
        calls++;
        return E.left(failure('output_failed', 'down'));
      },
    };
    const { parts } = partsOf({
      inputs: [listInput(numbers(3))],
      outputs: [output],
      more: { retry: RETRY },
    });
    const puts: (readonly string[])[] = [];
    const destinations = choosing(parts, [BEST_EFFORT]).map((destination) => ({
      ...destination,
      deadLetters: {
        put: async (events: readonly string[]) => {
          puts.push(events);
          return E.right(undefined);
        },
      },
    }));
    await run({ ...parts, destinations });
    expect([calls, puts]).toEqual([1, []]);
    expect(readOutputStat(parts.stats, 0, 'write_failed')).toBe(3);
    expect(readOutputStat(parts.stats, 0, 'retries')).toBe(0);
  });

  test.each([false, true])(
    'that hangs holds back neither live events of others nor the low-water mark (bulk: %s)',
    async (isBulk) => {
      const other = memoryOutput();
      const made = partsOf({ inputs: [], outputs: [hanging({ isBulk }), other] });
      const start = made.clock.now();
      const due = Array.from({ length: 100 }, (_, index) => start + index * 50_000);
      const { parts } = made;
      const stats = makeStats(1, 2);
      const running = run({
        ...parts,
        inputs: [listInput(due)],
        destinations: choosing(parts, [BEST_EFFORT]),
        isLive: true,
        batch: { size: 1, delay: 1 },
        queue: { max_timestamp_batches: 2, max_event_batches: 3 },
        stats,
      });
      await made.clock.advanceMs(5_000);
      expect(other.events).toEqual(due.map(String));
      expect(readStat(stats, 'low_water')).toBe(100);
      const lost = readOutputStat(stats, 0, 'write_failed');
      expect(lost).toBeGreaterThan(90);
      // The rest is in the bounded queue.
      expect(lost).toBeLessThan(100);
      await made.clock.advanceMs(60_000);
      await running;
      expect(readOutputStat(stats, 0, 'write_failed')).toBe(100);
      expect(made.lines.some(({ message }) => message.includes('best-effort'))).toBe(true);
    },
  );

  test('that is slow loses nothing in sample mode: the generator waits', async () => {
    const output = memoryOutput();
    const made = partsOf({
      inputs: [listInput(numbers(50))],
      outputs: [
        {
          ...output,
          write: async (batch, signal) => {
            await made.clock.sleepMs(100, signal);
            return output.write(batch, signal);
          },
        },
      ],
      more: { batch: { size: 1, delay: null }, queue: { max_timestamp_batches: 2, max_event_batches: 2 } },
    });
    const running = run({ ...made.parts, destinations: choosing(made.parts, [BEST_EFFORT]) });
    await made.clock.advanceMs(20_000);
    await running;
    expect(output.events).toHaveLength(50);
  });

  test('keeps the memory of its events until its write has ended', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const slow = memoryOutput(() => held);
    const { parts, clock } = partsOf({ inputs: [], outputs: [slow, memoryOutput()], more: { isLive: true } });
    const marks: number[] = [];
    const delivery = deliver({
      ...parts,
      destinations: choosing(parts, [BEST_EFFORT]),
      max_event_batches: 2,
      onLowWater: (mark) => marks.push(mark),
    });
    let released = 0;
    const events: EventBatch = { ...textBatch(['a']), release: () => released++ };
    await delivery.accept({ sequence: 1, events, firstEvent: 0, tags: [], producedAtMs: 0 });
    expect([released, marks]).toEqual([0, [1]]);
    letGo();
    await clock.settle();
    await delivery.finish();
    expect([released, slow.events]).toEqual([1, ['a']]);
  });

  test('alone does not stop the low-water mark, and its events are counted at the end of a run', async () => {
    const made = partsOf({ inputs: [], outputs: [hanging()] });
    const ending = new AbortController();
    const stats = makeStats(1, 1);
    const start = made.clock.now();
    const parts = {
      ...made.parts,
      inputs: [listInput(numbers(6).map((n) => start + n * 1_000))],
      destinations: choosing(made.parts, [BEST_EFFORT]),
      isLive: true,
      batch: { size: 1, delay: null },
      signal: ending.signal,
      stats,
    };
    const running = run(parts);
    await made.clock.advanceMs(100);
    expect(readStat(stats, 'low_water')).toBe(readStat(stats, 'sequence'));
    parts.draining.abort(DRAIN);
    ending.abort();
    await made.clock.advanceMs(5_000);
    await running;
    expect(readOutputStat(stats, 0, 'write_failed')).toBe(6);
    expect(readOutputStat(stats, 0, 'abandoned')).toBe(0);
  });
});

describe('an output with a retry policy and a timeout of its own', () => {
  test('is retried by it; what it leaves out is that of the generator', async () => {
    const calls = [0, 0];
    const outputs = calls.map(
      (_, index): Output => ({
        ...memoryOutput(),
        write: async () => {
          calls[index] = (calls[index] as number) + 1;
          return E.left(failure('output_failed', 'down'));
        },
      }),
    );
    const made = partsOf({ inputs: [listInput([1])], outputs, more: { retry: RETRY, random: () => 1 } });
    const own: DeliveryChoices = {
      retry: { attempts: 3, cap_ms: 300 },
      write_timeout_ms: null,
      isBestEffort: false,
    };
    const running = run({ ...made.parts, destinations: choosing(made.parts, [own]) });
    // Its pauses: 200 ms, then 300 instead of 400.
    await made.clock.advanceMs(499);
    expect(calls[0]).toBe(2);
    await made.clock.advanceMs(1);
    expect(calls[0]).toBe(3);
    await made.clock.advanceMs(60_000);
    await running;
    expect(calls).toEqual([3, 5]);
  });

  test('gives an attempt up after its write_timeout', async () => {
    const made = partsOf({ inputs: [listInput([1])], outputs: [hanging()] });
    const own: DeliveryChoices = { retry: {}, write_timeout_ms: 2_000, isBestEffort: false };
    const running = run({ ...made.parts, destinations: choosing(made.parts, [own]) });
    await made.clock.advanceMs(3_100);
    await running;
    expect(made.lines.some(({ context }) => String(context['reason']).includes('2 s'))).toBe(true);
  });
});
