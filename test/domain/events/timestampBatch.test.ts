import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstAfter, makeTimestampBatch } from '../../../src/domain/events/timestampBatch.js';
import { MAX_MICROS, NEVER } from '../../../src/domain/time/micros.js';
import { merge } from '../../../src/pipeline/schedule/merge.js';
import { listInput } from '../../support/pipelines/pipelineParts.js';

describe('a timestamp batch', () => {
  test('is empty at first, with room for its capacity', () => {
    const batch = makeTimestampBatch(3);
    expect([batch.length, batch.micros.length, batch.inputs.length]).toEqual([0, 3, 3]);
  });

  test('is filled with microseconds of the year 2255 and numbers of many inputs, without loss', () => {
    const INPUTS = 300;
    const batch = makeTimestampBatch(INPUTS);
    const inputs = Array.from({ length: INPUTS }, (_, i) => listInput([MAX_MICROS - INPUTS + i]));
    merge(inputs, () => {}).take(batch, INPUTS, NEVER);
    expect([...batch.micros]).toEqual(Array.from({ length: INPUTS }, (_, i) => MAX_MICROS - INPUTS + i));
    expect([...batch.inputs]).toEqual(Array.from({ length: INPUTS }, (_, i) => i));
  });
});

describe('the first timestamp after a moment', () => {
  const micros = Float64Array.of(10, 20, 20, 30);

  test.each([
    [5, 0],
    [10, 1],
    [19, 1],
    [20, 3],
    [29, 3],
    [30, 4],
    [99, 4],
  ])('after %d is at %d', (at, index) => {
    expect(firstAfter(micros, 0, 4, at)).toBe(index);
  });

  test('is searched in its range only', () => {
    expect(firstAfter(micros, 2, 3, 0)).toBe(2);
    expect(firstAfter(micros, 0, 2, 99)).toBe(2);
    expect(firstAfter(micros, 2, 2, 0)).toBe(2);
  });

  test('equals that of a linear search', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 30 })),
        fc.nat({ max: 31 }),
        fc.nat({ max: 40 }),
        (values, at, start) => {
          const sorted = Float64Array.from(values).sort();
          const from = Math.min(start, sorted.length);
          const found = sorted.findIndex((value, index) => index >= from && value > at);
          expect(firstAfter(sorted, from, sorted.length, at)).toBe(found === -1 ? sorted.length : found);
        },
      ),
    );
  });
});
