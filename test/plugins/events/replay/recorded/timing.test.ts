import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { runPipeline } from '../../../../../src/pipeline/run.js';
import { memoryOutput, partsOf, plainFormatter } from '../../../../support/pipelines/pipelineParts.js';
import { inputOf, isoAt, recording } from '../../../inputs/recorded/support.js';
import { producerOf } from './support.js';

const START = 1_700_000_000_000_000;
const HOUR = 3_600_000_000;
const MS = 1_000;

/** Times of a log of an hour with bursts: thousands of records, up to a hundred within a second. */
const burstyHour = (): readonly number[] => {
  const times: number[] = [];
  for (let at = 0; at < HOUR; ) {
    times.push(at);
    at += times.length % 40 < 30 ? 10_007 + ((times.length * 7_919) % 90_001) : 31_000_013;
  }
  return times;
};

test.each([1, 10, 100])(
  'a live hour at speed %d on a fake clock: each spacing is exact to 3 ms',
  async (speed) => {
    const times = burstyHour();
    const folder = recording({ 'a.log': times.map((at, i) => `${isoAt(at)} ${i}\n`).join('') });
    const arrivals: number[] = [];
    const output = memoryOutput(async (batch) => {
      for (let i = 0; i < batch.count; i++) arrivals.push(clock.now() - START);
    });
    const { parts, clock } = partsOf({ inputs: [], outputs: [output], more: { isLive: true } });
    const input = await inputOf({ path: `${folder}/a.log`, speed, start: 'now' }, { now: START });
    const ended = runPipeline({
      ...parts,
      builders: {
        inputs: [async () => E.right(input)],
        producer: async () => E.right((await producerOf({})).producer),
        formatters: [async () => E.right(plainFormatter)],
        outputs: [async () => E.right(output)],
      },
      outputLog: () => parts.log,
      deadLetters: () => null,
      start: () => ({ now: START, skipPast: false }),
      checkpoint: null,
      onRunning: () => {},
    });
    await clock.advanceMs(HOUR / speed / MS + 1_000);
    expect(await ended).toEqual(E.right('completed'));
    expect(output.events.map((event) => event.split(' ')[1])).toEqual(times.map((_, i) => String(i)));
    const errors = arrivals.slice(1).map((at, i) => {
      const spacing = ((times[i + 1] as number) - (times[i] as number)) / speed;
      return Math.abs(at - (arrivals[i] as number) - spacing);
    });
    // A millisecond of the clock, and slices 2 ms apart.
    expect(Math.max(...errors)).toBeLessThanOrEqual(3 * MS);
  },
);
