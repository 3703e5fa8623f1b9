import { describe, expect, test } from '@jest/globals';
import { lastValueFrom } from 'rxjs';

import { pipeline } from '../../src/pipeline/pipeline.js';
import { listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

/** Durations in a histogram. */
const countOf = (slots: Float64Array): number => slots.reduce((sum, count) => sum + count, 0);
const PAST = 5_000;
const LIVE = 20;
const STEP = 100_000;

/** A timestamp each tenth of a second, from 500 s before the start to 2 s after it. */
const make = (startsInPast: boolean) => {
  const output = memoryOutput();
  const { clock } = partsOf({ inputs: [], outputs: [output] });
  const start = clock.now();
  const due = Array.from({ length: PAST + LIVE }, (_, i) => start + (i - PAST) * STEP);
  const made = partsOf({
    inputs: [listInput(due)],
    outputs: [output],
    more: { batch: { size: 1_000, delay: 1 } },
  });
  const parts = { ...made.parts, isLive: true, clock, startsInPast };
  const running = lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
  return { output, clock, due, parts, running, lines: made.lines };
};

describe('a stream that begins in the past', () => {
  test('makes it at once in full batches, then goes on as events are due, without a seam', async () => {
    const { output, clock, due, running } = make(true);
    await clock.settle();
    expect(output.events).toHaveLength(PAST + 1);
    // The first ones are small, so that a thousand slow generators start at once.
    expect(output.batches.slice(2, 6).map(({ count }) => count)).toEqual([1_000, 1_000, 1_000, 1_000]);
    await clock.advanceMs(1_000);
    expect(output.events).toHaveLength(PAST + 11);
    await clock.advanceMs(1_000);
    await running;
    expect(output.events).toEqual(due.map(String));
  });

  test('is not late: lateness counts from the start', async () => {
    const { clock, parts, running, lines } = make(true);
    await clock.settle();
    await clock.advanceMs(2_000);
    await running;
    expect(countOf(parts.stats.lateness)).toBe(LIVE);
    expect(lines.filter(({ message }) => /the past is made/.test(message))).toHaveLength(1);
    expect(lines.filter(({ level }) => level === 'warning')).toEqual([]);
  });

  test('unless it begins now, and was late', async () => {
    const { clock, parts, running, lines } = make(false);
    await clock.settle();
    await clock.advanceMs(2_000);
    await running;
    expect(countOf(parts.stats.lateness)).toBe(PAST + LIVE);
    expect(lines.filter(({ message }) => /the past is made/.test(message))).toEqual([]);
  });
});
