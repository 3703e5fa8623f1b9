import { describe, expect, test } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import { bytesBatch, textBatch } from '../../src/domain/events/eventBatch.js';
import { tailLimits } from '../../src/domain/events/tail.js';
import { pipeline } from '../../src/pipeline/pipeline.js';
import { makeTap, sampler } from '../../src/pipeline/produce.js';
import { listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

const setUp = (rate: number, max_bytes = 100) => {
  const clock = { ms: 0 };
  const seen: string[] = [];
  const take = sampler(
    tailLimits(rate, max_bytes),
    () => clock.ms,
    (heads) => seen.push(...heads.map(({ text }) => text)),
  );
  return { clock, seen, take };
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

describe('the tap of a pipeline', () => {
  const run = async (isOpen: boolean) => {
    const tap = makeTap();
    const seen: string[] = [];
    const output = memoryOutput();
    const { parts } = partsOf({ inputs: [listInput([1, 2, 3, 4, 5])], outputs: [output], more: { tap } });
    if (isOpen) {
      tap.take = sampler(
        tailLimits(3, 100),
        () => 0,
        (heads) => seen.push(...heads.map(({ text }) => text)),
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
