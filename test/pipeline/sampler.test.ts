import { describe, expect, test } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import { bytesBatch, type EventBatch, textBatch } from '../../src/domain/events/eventBatch.js';
import { type TailSample, tailLimits } from '../../src/domain/events/tail.js';
import { pipeline } from '../../src/pipeline/pipeline.js';
import { makeTap } from '../../src/pipeline/produce.js';
import { sampler } from '../../src/pipeline/sampler.js';
import { listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

const setUp = (rate: number, max_bytes = 100) => {
  const clock = { ms: 0 };
  const seen: string[] = [];
  const take = sampler(
    [tailLimits(rate, max_bytes)],
    () => clock.ms,
    ({ heads }) => seen.push(...heads.map(({ text }) => text)),
  );
  return { clock, seen, take: (batch: EventBatch) => take?.(batch) };
};

describe('a sampler', () => {
  test('takes the first events of batches, on average at the rate', () => {
    const { clock, seen, take } = setUp(5);
    take(textBatch(['a', 'b', 'c']));
    take(textBatch(['d', 'e', 'f']));
    take(textBatch(['g']));
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
    clock.ms = 399;
    take(textBatch(['h', 'i', 'j']));
    clock.ms = 400;
    take(textBatch(['k', 'l']));
    expect(seen.slice(5)).toEqual(['h', 'k']);
  });

  test('saves up one second at most', () => {
    const { clock, seen, take } = setUp(2);
    clock.ms = 60_000;
    take(textBatch(['a', 'b', 'c', 'd']));
    expect(seen).toEqual(['a', 'b']);
  });

  test('of a thousand long events a second moves four megabytes', () => {
    const { clock, take, seen } = setUp(1_000, 100_000);
    const long = textBatch(Array.from({ length: 100 }, () => 'x'.repeat(200_000)));
    take(long);
    expect(seen).toHaveLength(41);
    clock.ms = 1_000;
    take(long);
    expect(seen).toHaveLength(82);
    expect(new Set(seen.map(({ length }) => length))).toEqual(new Set([100_000]));
  });

  test('converts only the events that it takes', () => {
    const bytes = Buffer.from('one\ntwo\nthree\n');
    const batch = bytesBatch(bytes, 3);
    const { seen, take } = setUp(1);
    take(batch);
    expect(seen).toEqual(['one']);
    expect(batch.bytes('\n')).toBe(bytes);
  });
});

describe('a search', () => {
  const search = (find: string, costMs = 0) => {
    const clock = { ms: 0 };
    const samples: TailSample[] = [];
    // Each look at the clock finds it later: a search takes time.
    const monotonicMs = (): number => {
      clock.ms += costMs;
      return clock.ms;
    };
    const take = sampler([tailLimits(10, 100, find)], monotonicMs, (sample) => samples.push(sample));
    const sum = (count: 'searched' | 'skipped' | 'found'): number =>
      samples.reduce((total, sample) => total + sample[count], 0);
    const seen = () => samples.flatMap(({ heads }) => heads.map(({ text }) => text));
    return { clock, take: (batch: EventBatch) => take?.(batch), seen, sum };
  };

  test('finds one event among many thousand', () => {
    const { take, seen, sum } = search('outcome:failure');
    for (let n = 0; n < 50; n++) {
      const events = Array.from({ length: 1_000 }, (_, index) => `{"n":${index},"outcome":"success"}`);
      take(textBatch(n === 31 ? [...events, '{"n":-1,"outcome":"failure"}'] : events));
    }
    expect(seen()).toEqual(['{"n":-1,"outcome":"failure"}']);
    expect(sum('found')).toBe(1);
  });

  test('counts every event as searched or skipped, and those that the limits leave out as found', () => {
    const { take, seen, sum, clock } = search('e');
    take(textBatch(Array.from({ length: 100 }, (_, index) => `event ${index}`)));
    clock.ms += 1_000;
    take(textBatch(['other', 'none here']));
    expect(seen()).toHaveLength(12);
    expect([sum('searched'), sum('skipped'), sum('found')]).toEqual([102, 0, 102]);
  });

  test('takes a fifth of the time at most, and says what it left out', () => {
    const { take, sum, clock } = search('x', 4);
    for (let n = 0; n < 1_000; n++) {
      const before = clock.ms;
      take(textBatch(Array.from({ length: 640 }, () => 'y')));
      // A batch for each 40 ms.
      clock.ms = Math.max(clock.ms, before + 40);
    }
    expect(sum('searched') + sum('skipped')).toBeGreaterThan(600_000);
    // A look at 64 events takes 4 ms here, so that 8 of 40 ms are enough for some 100 of 640.
    expect(sum('searched') / (sum('searched') + sum('skipped'))).toBeLessThan(0.35);
    expect(sum('searched')).toBeGreaterThan(50_000);
  });

  test('is done beside a plain sample and other searches', () => {
    const samples: TailSample[] = [];
    const take = sampler(
      ['', 'b', 'c'].map((find) => tailLimits(10, 100, find)),
      () => 0,
      (sample) => samples.push(sample),
    );
    take?.(textBatch(['a', 'b', 'b c']));
    expect(samples.map(({ find, heads }) => [find, heads.map(({ text }) => text)])).toEqual([
      ['', ['a', 'b', 'b c']],
      ['b', ['b', 'b c']],
      ['c', ['b c']],
    ]);
  });

  test('without viewers nothing is taken', () => {
    expect(
      sampler(
        [],
        () => 0,
        () => {},
      ),
    ).toBeNull();
  });
});

describe('the tap of a pipeline', () => {
  const run = async (isOpen: boolean) => {
    const tap = makeTap();
    const seen: string[] = [];
    const output = memoryOutput();
    const { parts } = partsOf({ inputs: [listInput([1, 2, 3, 4, 5])], outputs: [output], more: { tap } });
    if (isOpen) {
      tap.take = sampler(
        [tailLimits(3, 100)],
        () => 0,
        ({ heads }) => seen.push(...heads.map(({ text }) => text)),
      );
    }
    await lastValueFrom(pipeline(parts).flow);
    return { seen, events: output.events };
  };

  test('shows events as they are produced, and changes none', async () => {
    const { seen, events } = await run(true);
    expect(events).toEqual(['1', '2', '3', '4', '5']);
    expect(seen).toEqual(['1', '2', '3']);
  });

  test('copies nothing without viewers', async () => {
    expect(await run(false)).toEqual({ seen: [], events: ['1', '2', '3', '4', '5'] });
  });
});
