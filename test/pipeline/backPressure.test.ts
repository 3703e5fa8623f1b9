import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import type { EventBatch } from '../../src/domain/events/eventBatch.js';
import { type PipelineParts, pipeline } from '../../src/pipeline/pipeline.js';
import type { Output } from '../../src/plugins/kit.js';
import { listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

const run = (parts: PipelineParts): Promise<number> =>
  lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Joins writes, without a limit of time or size, until no more can come. */
const joiningOutput = () => {
  const told: boolean[] = [];
  /** Writes of each joined group. */
  const groups: number[] = [];
  const events: string[] = [];
  let isHeldBack = true;
  let open: { readonly batch: EventBatch; readonly done: () => void }[] = [];
  const settle = (): void => {
    if (!isHeldBack || open.length === 0) return;
    const group = open;
    open = [];
    groups.push(group.length);
    for (const { batch, done } of group) {
      events.push(...batch.texts());
      done();
    }
  };
  const output: Output = {
    ...memoryOutput(undefined, false),
    isBulk: true,
    isPacedByReader: true,
    onBackPressure: (now) => {
      told.push(now);
      isHeldBack = now;
      settle();
    },
    write: async (batch) => {
      await new Promise<void>((done) => {
        open.push({ batch, done });
        settle();
      });
      return E.right({ written: batch.count, failed: 0, bytes: 0 });
    },
  };
  return { output, told, groups, events };
};

const QUEUE = { max_timestamp_batches: 3, max_event_batches: 4 };

describe('an output that joins writes', () => {
  test('gets as many as the queue holds, and is told at the end: nothing waits for more', async () => {
    const { output, groups, events } = joiningOutput();
    const { parts } = partsOf({
      inputs: [listInput(numbers(95))],
      outputs: [output],
      more: { batch: { size: 10, delay: null }, queue: QUEUE },
    });
    await run(parts);
    expect(events).toEqual(numbers(95).map(String));
    expect(Math.max(...groups)).toBe(QUEUE.max_event_batches - 1);
    expect(groups.length).toBeLessThanOrEqual(6);
  });

  test('is told that few events are the last', async () => {
    const { output, told, groups } = joiningOutput();
    const { parts } = partsOf({
      inputs: [listInput(numbers(5))],
      outputs: [output],
      more: { batch: { size: 10, delay: null }, queue: QUEUE },
    });
    await run(parts);
    expect(groups).toEqual([1]);
    expect(told).toEqual([false, true]);
  });

  test('writes one at a time with keep_order', async () => {
    const { output, told, groups } = joiningOutput();
    const { parts } = partsOf({
      inputs: [listInput(numbers(50))],
      outputs: [output],
      more: { batch: { size: 10, delay: null }, queue: QUEUE, keep_order: true },
    });
    await run(parts);
    expect(groups).toEqual([1, 1, 1, 1, 1]);
    expect(told).toEqual([true]);
  });

  test('is told when its writes keep another output from its own', async () => {
    const { output, events } = joiningOutput();
    const other = memoryOutput(undefined, false);
    const { parts } = partsOf({
      inputs: [listInput(numbers(50))],
      outputs: [output, other],
      more: {
        batch: { size: 10, delay: null },
        queue: { ...QUEUE, max_event_batches: 10 },
        max_concurrency: 2,
      },
    });
    await run(parts);
    expect(events).toHaveLength(50);
    expect(other.events).toHaveLength(50);
  });

  test('is told with a queue of one, too', async () => {
    const { output, groups } = joiningOutput();
    const { parts } = partsOf({
      inputs: [listInput(numbers(30))],
      outputs: [output],
      more: { batch: { size: 10, delay: null }, queue: { ...QUEUE, max_event_batches: 1 } },
    });
    await run(parts);
    expect(groups).toEqual([1, 1, 1]);
  });
});
