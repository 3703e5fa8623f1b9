import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { failure } from '../../src/domain/errors.js';
import { emptyBatch, textBatch } from '../../src/domain/events/eventBatch.js';
import { quantile } from '../../src/domain/stats/histogram.js';
import { readGenerated, readOutputStat, readStat } from '../../src/domain/stats/stats.js';
import { type PipelineParts, pipeline } from '../../src/pipeline/pipeline.js';
import { DRAIN } from '../../src/pipeline/run.js';
import type { EventProducer } from '../../src/plugins/kit.js';
import {
  echoProducer,
  endlessInput,
  listInput,
  memoryOutput,
  partsOf,
} from '../support/pipelines/pipelineParts.js';

const run = (parts: PipelineParts): Promise<number> =>
  lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
const numbers = (events: readonly string[]): number[] => events.map((event) => Number(event.split(' ')[0]));

describe('sample mode', () => {
  test('merges inputs in time order, ties in the order of the inputs, each with its tags', async () => {
    const output = memoryOutput();
    const inputs = [listInput([10, 20, 20, 50], 1), listInput([5, 20, 60], 2), listInput([20])];
    const { parts } = partsOf({ inputs, outputs: [output], more: { tags: [['a'], ['b'], ['c']] } });
    await run(parts);
    expect(output.events).toEqual(['5 b', '10 a', '20 a', '20 a', '20 b', '20 c', '50 a', '60 b']);
    expect([0, 1, 2].map((input) => readGenerated(parts.stats, input))).toEqual([4, 3, 1]);
  });

  test.each([
    [25, 10],
    [40_003, 7],
    [1_000, 1],
  ])(
    'never waits, and cuts %d events at batch.size %d: only the last batch is smaller',
    async (count, size) => {
      const output = memoryOutput();
      const far = Array.from({ length: count }, (_, i) => i * 86_400_000_000);
      const { parts } = partsOf({
        inputs: [listInput(far)],
        outputs: [output],
        more: { batch: { size, delay: 1 } },
      });
      await run(parts);
      const sizes = output.batches.map((batch) => batch.count);
      expect(sizes.slice(0, -1).every((each) => each === size)).toBe(true);
      expect(sizes.at(-1)).toBe(count % size || size);
      expect(output.events).toEqual(far.map(String));
    },
  );

  test('a stalled output stops the pulling: batches in flight stay within the queue limits', async () => {
    let release: () => void = () => {};
    const stalled = new Promise<void>((resolve) => {
      release = resolve;
    });
    const output = memoryOutput(() => stalled);
    let produced = 0;
    const producer: EventProducer = {
      ...echoProducer,
      produce: (request) => {
        produced += request.to - request.from;
        return echoProducer.produce(request);
      },
    };
    const { parts, clock } = partsOf({
      inputs: [endlessInput(0, 1)],
      outputs: [output],
      more: {
        producer,
        batch: { size: 100, delay: null },
        queue: { max_timestamp_batches: 3, max_event_batches: 4 },
      },
    });
    const running = run(parts);
    await clock.settle();
    const whileStalled = produced;
    await clock.settle();
    expect(produced).toBe(whileStalled);
    expect(produced).toBeLessThanOrEqual(4 * 100);
    parts.draining.abort(DRAIN);
    release();
    await running;
    expect(output.events).toHaveLength(whileStalled);
  });

  test('batches have sequence numbers without gaps and the low-water mark follows them', async () => {
    const output = memoryOutput();
    const { parts } = partsOf({
      inputs: [listInput([1, 2, 3, 4, 5])],
      outputs: [output],
      more: { batch: { size: 2, delay: null } },
    });
    expect(await run(parts)).toBe(3);
    expect(readStat(parts.stats, 'sequence')).toBe(3);
    expect(readStat(parts.stats, 'low_water')).toBe(3);
  });

  test('an input that throws is dropped and reported; the others continue', async () => {
    const output = memoryOutput();
    const broken = {
      ...listInput([]),
      fill: () => {
        throw new Error('no more');
      },
    };
    const { parts, failures } = partsOf({ inputs: [broken, listInput([1, 2])], outputs: [output] });
    await run(parts);
    expect(numbers(output.events)).toEqual([1, 2]);
    expect(failures).toEqual(['no more']);
  });

  test('an exhausted producer ends the pipeline, its last events are delivered', async () => {
    const output = memoryOutput();
    const producer: EventProducer = {
      produce: ({ micros, from }) => ({
        consumed: 2,
        events: textBatch([String(micros[from])]),
        failed: 0,
        dropped: 0,
        exhausted: true,
      }),
      close: async () => {},
    };
    const { parts } = partsOf({ inputs: [endlessInput(7, 1)], outputs: [output], more: { producer } });
    await run(parts);
    expect(output.events).toEqual(['7']);
  });

  test('failed and dropped timestamps are counted and an empty batch is not passed on', async () => {
    const output = memoryOutput();
    const producer: EventProducer = {
      produce: ({ from, to }) => ({
        consumed: to - from,
        events: emptyBatch,
        failed: 1,
        dropped: 2,
        exhausted: false,
      }),
      close: async () => {},
    };
    const { parts } = partsOf({ inputs: [listInput([1, 2, 3])], outputs: [output], more: { producer } });
    await run(parts);
    expect(output.batches).toHaveLength(0);
    expect(readStat(parts.stats, 'produce_failed')).toBe(1);
    expect(readStat(parts.stats, 'dropped')).toBe(2);
    expect(readGenerated(parts.stats, 0)).toBe(3);
  });
});

describe('live mode', () => {
  test('nothing leaves before its time, and everything due leaves', async () => {
    const output = memoryOutput();
    const made = partsOf({ inputs: [], outputs: [output] });
    const start = made.clock.now();
    const due = [0, 0, 250, 1_000, 1_001, 3_000].map((ms) => start + ms * 1_000);
    const { parts } = partsOf({ inputs: [listInput(due)], outputs: [output] });
    const seen: [number, number][] = [];
    const producer: EventProducer = {
      ...echoProducer,
      produce: (request) => {
        for (let i = request.from; i < request.to; i++) {
          seen.push([request.micros[i] as number, made.clock.now()]);
        }
        return echoProducer.produce(request);
      },
    };
    const running = run({ ...parts, producer, isLive: true, clock: made.clock });
    await made.clock.advanceMs(900);
    expect(numbers(output.events)).toEqual(due.slice(0, 3));
    await made.clock.advanceMs(2_100);
    await running;
    expect(numbers(output.events)).toEqual(due);
    for (const [at, producedAt] of seen) expect(producedAt).toBeGreaterThanOrEqual(at);
    expect(quantile(parts.stats.lateness, 0.99)).toBeLessThanOrEqual(8_000);
  });

  test('a dense schedule is released in slices of a few milliseconds, not event by event', async () => {
    const output = memoryOutput();
    const made = partsOf({ inputs: [], outputs: [output] });
    const dense = Array.from({ length: 1_000 }, (_, i) => made.clock.now() + i * 100);
    const { parts } = partsOf({ inputs: [listInput(dense)], outputs: [output] });
    const running = run({ ...parts, isLive: true, clock: made.clock });
    await made.clock.advanceMs(200);
    await running;
    expect(numbers(output.events)).toEqual(dense);
    expect(output.batches.length).toBeLessThanOrEqual(25);
  });

  test('draining wakes a sleeping schedule at once and discards what is not due', async () => {
    const output = memoryOutput();
    const made = partsOf({ inputs: [], outputs: [output] });
    const start = made.clock.now();
    const { parts } = partsOf({ inputs: [listInput([start, start + 3_600_000_000])], outputs: [output] });
    const running = run({ ...parts, isLive: true, clock: made.clock });
    await made.clock.advanceMs(10);
    parts.draining.abort(DRAIN);
    await running;
    expect(output.events).toHaveLength(1);
  });

  test('a wall clock that is set back holds events until it has caught up', async () => {
    const output = memoryOutput();
    const made = partsOf({ inputs: [], outputs: [output] });
    const start = made.clock.now();
    const { parts } = partsOf({ inputs: [listInput([start + 1_000_000])], outputs: [output] });
    const running = run({ ...parts, isLive: true, clock: made.clock });
    made.clock.setWall(start - 5_000_000);
    await made.clock.advanceMs(2_000);
    expect(output.events).toHaveLength(0);
    await made.clock.advanceMs(4_000);
    await running;
    expect(output.events).toHaveLength(1);
  });
});

describe('a live generator whose outputs do not keep up', () => {
  test('is reported at most every ten seconds, and loses nothing', async () => {
    let release: () => void = () => {};
    const stalled = new Promise<void>((resolve) => {
      release = resolve;
    });
    const output = { ...memoryOutput(() => stalled), isPacedByReader: true };
    const made = partsOf({ inputs: [], outputs: [output] });
    const every100ms = Array.from({ length: 250 }, (_, i) => made.clock.now() + i * 100_000);
    const { parts } = partsOf({ inputs: [listInput(every100ms)], outputs: [output] });
    const running = run({ ...parts, isLive: true, clock: made.clock, log: made.parts.log });
    await made.clock.advanceMs(9_000);
    const warnings = () => made.lines.filter(({ level }) => level === 'warning').length;
    expect(warnings()).toBe(1);
    release();
    await made.clock.advanceMs(20_000);
    await running;
    expect(warnings()).toBe(1);
    expect(numbers(output.events)).toEqual(every100ms);
  });
});

describe('delivery', () => {
  test('every batch goes to every output; a failing one does not affect the others', async () => {
    const good = memoryOutput();
    const bad = { ...memoryOutput(), write: async () => E.left(failure('output_failed', 'no route')) };
    const { parts, lines } = partsOf({ inputs: [listInput([1, 2, 3])], outputs: [bad, good] });
    await run(parts);
    expect(good.events).toHaveLength(3);
    expect(readOutputStat(parts.stats, 0, 'write_failed')).toBe(3);
    expect(readOutputStat(parts.stats, 1, 'written')).toBe(3);
    expect(lines.map(({ context }) => context['reason'])).toContain('no route');
  });

  test('an output that throws is a counted failure', async () => {
    const bad = {
      ...memoryOutput(),
      write: async () => {
        throw new Error('oops');
      },
    };
    const { parts } = partsOf({ inputs: [listInput([1])], outputs: [bad] });
    await run(parts);
    expect(readOutputStat(parts.stats, 0, 'write_failed')).toBe(1);
  });

  test('a write that exceeds write_timeout is aborted and retried', async () => {
    let calls = 0;
    const slow = memoryOutput(async (_batch, signal) => {
      if (++calls > 1) return;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      throw new Error('cancelled');
    });
    const { parts, clock } = partsOf({
      inputs: [listInput([1, 2])],
      outputs: [slow],
      more: {
        batch: { size: 1, delay: null },
        write_timeout_ms: 1_000,
        retry: { attempts: 2, base_ms: 100, cap_ms: 100 },
      },
    });
    const running = run(parts);
    await clock.advanceMs(1_200);
    await running;
    expect(slow.events).toEqual(['1', '2']);
    expect(readOutputStat(parts.stats, 0, 'retries')).toBe(1);
  });

  test('an output that ignores the abort is given up after a grace period', async () => {
    const deaf = { ...memoryOutput(), write: () => new Promise<never>(() => {}) };
    const { parts, clock, lines } = partsOf({
      inputs: [listInput([1])],
      outputs: [deaf],
      more: { write_timeout_ms: 1_000 },
    });
    const running = run(parts);
    await clock.advanceMs(3_000);
    await running;
    expect(readOutputStat(parts.stats, 0, 'write_failed')).toBe(1);
    expect(String(lines[0]?.context['reason'])).toContain('write_timeout');
  });

  test('an ordered output gets one batch at a time, others overlap up to max_concurrency', async () => {
    const active = { ordered: 0, free: 0 };
    const most = { ordered: 0, free: 0 };
    const hold = (kind: 'ordered' | 'free') => async (): Promise<void> => {
      most[kind] = Math.max(most[kind], ++active[kind]);
      await new Promise((resolve) => setImmediate(resolve));
      active[kind]--;
    };
    const outputs = [memoryOutput(hold('ordered')), memoryOutput(hold('free'), false)];
    const { parts } = partsOf({
      inputs: [listInput(Array.from({ length: 30 }, (_, i) => i))],
      outputs,
      more: { batch: { size: 1, delay: null }, max_concurrency: 4 },
    });
    await run(parts);
    expect(most.ordered).toBe(1);
    expect(most.free).toBeGreaterThan(1);
    expect(most.free).toBeLessThanOrEqual(4);
    expect(numbers(outputs[0]?.events ?? [])).toEqual(Array.from({ length: 30 }, (_, i) => i));
  });

  test('keep_order finishes a batch at all outputs before the next one starts', async () => {
    let active = 0;
    let most = 0;
    const hold = async (): Promise<void> => {
      most = Math.max(most, ++active);
      await new Promise((resolve) => setImmediate(resolve));
      active--;
    };
    const { parts } = partsOf({
      inputs: [listInput([1, 2, 3, 4])],
      outputs: [memoryOutput(hold, false)],
      more: { batch: { size: 1, delay: null }, keep_order: true },
    });
    await run(parts);
    expect(most).toBe(1);
  });

  test('an output without reader is not written again; once all have none, the pipeline is told once', async () => {
    let calls = 0;
    const gone = (): ReturnType<typeof memoryOutput> => ({
      ...memoryOutput(),
      write: async () => {
        calls++;
        return E.left(failure('reader_gone', 'nobody reads'));
      },
    });
    const told: string[] = [];
    const { parts } = partsOf({
      inputs: [listInput([1, 2, 3])],
      outputs: [gone(), gone()],
      more: { batch: { size: 1, delay: null }, onAllGone: ({ message }) => told.push(message) },
    });
    await run(parts);
    expect(calls).toBe(2);
    expect(told).toEqual(['nobody reads']);
    expect(readOutputStat(parts.stats, 0, 'write_failed')).toBe(3);
  });
});
