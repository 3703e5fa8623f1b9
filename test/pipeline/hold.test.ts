import { describe, expect, test } from '@jest/globals';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import type { LateChoices, SilentChoices } from '../../src/domain/imperfections.js';
import { drawKey, seededRandom } from '../../src/domain/random.js';
import { readOutputStat } from '../../src/domain/stats/stats.js';
import { silenceAt } from '../../src/imperfections/times.js';
import { deliver } from '../../src/pipeline/delivery/deliver.js';
import { makeShelf } from '../../src/pipeline/delivery/shelf.js';
import type { SequencedBatch } from '../../src/pipeline/produce.js';
import { memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

const SECOND = 1_000_000;
/** Every event is late by exactly ten seconds: longer delays are cut. */
const TEN_SECONDS: LateChoices = {
  share: 1,
  distribution: 'normal',
  mean: 1_000,
  deviation: 1e-9,
  max: 10,
};

interface Given {
  readonly late: LateChoices | null;
  readonly window?: number;
  readonly silent?: SilentChoices;
}

const delivering = (given: Given) => {
  const output = memoryOutput();
  const { parts, clock } = partsOf({ inputs: [], outputs: [output] });
  const marks: number[] = [];
  const choices = {
    dropped: 0,
    doubled: 0,
    truncated: 0,
    malformed: 0,
    kinds: ['control_bytes'] as const,
    late: given.late,
    out_of_order: given.window === undefined ? null : { share: 1, window: given.window },
    skewed: 0,
    silent: given.silent ?? null,
  };
  const key = drawKey(seededRandom('a seed'));
  const imperfections = { choices, key, skew: null, output: '1-memory', truth: null };
  const delivery = deliver({
    ...parts,
    destinations: parts.destinations.map((one) => ({ ...one, imperfections })),
    max_event_batches: 10,
    isLive: true,
    onLowWater: (mark) => marks.push(mark),
    onAllGone: () => {},
  });
  const start = clock.now();
  let released = 0;
  const batch = (sequence: number, count: number, first: number, at = start): SequencedBatch => ({
    sequence,
    events: {
      ...textBatch(Array.from({ length: count }, (_, index) => `${first + index}`)),
      release: () => released++,
    },
    firstEvent: first,
    times: Float64Array.from({ length: count }, () => at),
    tags: [],
    producedAtMs: 0,
  });
  return { output, parts, clock, key, marks, delivery, batch, releasedOf: () => released };
};

describe('an output that holds events', () => {
  test('delivers a late event when the clock reaches its time, and the mark waits for it', async () => {
    const { output, clock, marks, delivery, batch, releasedOf } = delivering({ late: TEN_SECONDS });
    await delivery.accept(batch(1, 2, 0));
    expect(output.events).toEqual([]);
    // The text of held events is their own: the batch is free.
    expect(releasedOf()).toBe(1);
    await clock.advanceMs(9_999);
    expect([output.events, marks]).toEqual([[], []]);
    await clock.advanceMs(2);
    await delivery.finish();
    expect([output.events, marks]).toEqual([['0', '1'], [1]]);
  });

  test('delivers nothing in a silence, and its events and those due in it when it ends', async () => {
    const silent = { every: 1_000, for: 100, events: 'delivered' } as const;
    const { output, clock, key, marks, delivery, batch } = delivering({ late: TEN_SECONDS, silent });
    const now = clock.now();
    const next = Array.from({ length: 2_000 }, (_, second) => silenceAt(silent, key, now + second * SECOND));
    const silence = next.find((one) => one !== null && one.from > now + 20 * SECOND) ?? { from: 0, until: 0 };
    const msTo = (micros: number): number => Math.ceil((micros - clock.now()) / 1_000);
    // Late by ten seconds: due in the silence.
    await clock.advanceMs(msTo(silence.from - 5 * SECOND));
    await delivery.accept(batch(1, 1, 0, silence.from - 5 * SECOND));
    await clock.advanceMs(msTo(silence.from + 50 * SECOND));
    await delivery.accept(batch(2, 2, 1, silence.from + 50 * SECOND));
    await clock.advanceMs(msTo(silence.until) - 2);
    expect([output.events, marks]).toEqual([[], []]);
    await clock.advanceMs(5);
    await delivery.finish();
    expect([output.events, marks]).toEqual([
      ['0', '1', '2'],
      [1, 2],
    ]);
  });

  test('delivers what it holds at once when it ends', async () => {
    const { output, parts, marks, delivery, batch } = delivering({ late: TEN_SECONDS });
    await delivery.accept(batch(1, 3, 0));
    await delivery.accept(batch(2, 2, 3));
    await delivery.finish();
    expect(output.events).toEqual(['0', '1', '2', '3', '4']);
    expect(marks.at(-1)).toBe(2);
    expect(readOutputStat(parts.stats, 0, 'imperfect_early')).toBe(5);
    expect(readOutputStat(parts.stats, 0, 'imperfect_late')).toBe(5);
  });

  test('that a patch removes delivers what it holds', async () => {
    const { output, delivery, batch } = delivering({ late: TEN_SECONDS });
    await delivery.accept(batch(1, 3, 0));
    const left = new Promise((resolve) => delivery.exchange([], resolve));
    await left;
    expect(output.events).toEqual(['0', '1', '2']);
  });

  test('holds an event out of order until enough others came', async () => {
    const { output, marks, delivery, batch } = delivering({ late: null, window: 1 });
    await delivery.accept(batch(1, 1, 0));
    expect([output.events, marks]).toEqual([[], []]);
    await delivery.accept(batch(2, 2, 1));
    // All are moved by one place: each comes before the event after the next.
    expect([output.events, marks]).toEqual([['0'], [1]]);
    await delivery.finish();
    expect([output.events, marks]).toEqual([
      ['0', '1', '2'],
      [1, 2],
    ]);
  });
});

describe('a shelf of held events', () => {
  const event = (ordinal: number, dueMicros: number, text = 'x') => ({
    dueOrdinal: null,
    dueMicros,
    ordinal,
    micros: 0,
    sequence: 1,
    producedAtMs: 0,
    text,
  });

  test('gives the next one due when there are too many', () => {
    const shelf = makeShelf(2, 100);
    for (const [ordinal, due] of [
      [1, 30],
      [2, 10],
      [3, 20],
    ] as const)
      shelf.add(event(ordinal, due * SECOND));
    expect(shelf.overflow().map(({ ordinal }) => ordinal)).toEqual([2]);
    expect(shelf.overflow()).toEqual([]);
    expect(shelf.nextTime()).toBe(20 * SECOND);
  });

  test('gives the next one due when the texts are too long', () => {
    const shelf = makeShelf(100, 10);
    shelf.add(event(1, 30, 'x'.repeat(6)));
    shelf.add(event(2, 40, 'x'.repeat(6)));
    expect(shelf.overflow().map(({ ordinal }) => ordinal)).toEqual([1]);
    shelf.add(event(3, 50, 'x'.repeat(4)));
    expect(shelf.overflow()).toEqual([]);
  });
});
