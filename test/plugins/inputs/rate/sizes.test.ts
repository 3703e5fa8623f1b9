import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import type { StreamPosition } from '../../../../src/domain/checkpoint.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { makeStats, readStat } from '../../../../src/domain/stats/stats.js';
import { MICROS_PER_DAY } from '../../../../src/domain/time/micros.js';
import { pipeline } from '../../../../src/pipeline/pipeline.js';
import { DRAIN, runPipeline } from '../../../../src/pipeline/run.js';
import type { EventProducer, Input } from '../../../../src/plugins/kit.js';
import { NOW } from '../../../support/pipelines/inputs.js';
import {
  listInput,
  memoryOutput,
  partsOf,
  plainFormatter,
} from '../../../support/pipelines/pipelineParts.js';
import { microsOf, rate } from './support.js';

/** Makes one event of a size for each timestamp and remembers both; up to `most` in a call. */
const sized = (sizeOf: (index: number, at: number) => number, most = 1_000) => {
  const micros: number[] = [];
  const sizes: number[] = [];
  const producer: EventProducer = {
    produce: (request) => {
      const to = Math.min(request.to, request.from + most);
      const texts: string[] = [];
      for (let i = request.from; i < to; i++) {
        const at = request.micros[i] as number;
        const size = sizeOf(micros.length, at);
        micros.push(at);
        sizes.push(size);
        if (size > 0) texts.push('x'.repeat(size - 1));
      }
      const consumed = to - request.from;
      return {
        consumed,
        events: textBatch(texts),
        failed: 0,
        dropped: consumed - texts.length,
        exhausted: false,
      };
    },
    close: async () => {},
    snapshot: () => micros.length,
  };
  const bytes = (from = 0): number => sizes.slice(from).reduce((sum, size) => sum + size, 0);
  return { producer, micros, sizes, bytes };
};

const silent = () => ({
  ...memoryOutput(),
  write: async (batch: { count: number }) => E.right({ written: batch.count, failed: 0, bytes: 0 }),
});

const flow = async (inputs: readonly Input[], producer: EventProducer, size = 10_000): Promise<void> => {
  const { parts } = partsOf({ inputs, outputs: [silent()], more: { producer, batch: { size, delay: 1 } } });
  await lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
};

const DAYS = 10;
const GB_PER_DAY = 0.003;
const wanted = GB_PER_DAY * 1e9 * DAYS;
const days = { gb_per_day: GB_PER_DAY, end: `+${DAYS}d` };

describe('a target in bytes', () => {
  test.each([
    ['equal sizes, far above the assumption', 'even', () => 4_000],
    ['sizes far below the assumption', 'poisson', (i: number) => 60 + (i % 80)],
    [
      'sizes that grow by the day',
      'poisson',
      (_: number, at: number) => Math.round(300 * 1.3 ** ((at - NOW) / MICROS_PER_DAY)),
    ],
    ['sizes by the hour', 'poisson', (_: number, at: number) => ((at / 3.6e9) % 24 < 8 ? 150 : 1_500)],
    ['some large events among small ones', 'poisson', (i: number) => (i % 97 === 0 ? 30_000 : 120)],
    ['timestamps without an event', 'even', (i: number) => (i % 3 === 0 ? 0 : 700)],
  ])('is met within 1 %% over 10 days: %s', async (_, arrivals, sizeOf) => {
    const made = sized(sizeOf);
    await flow([await rate({ ...days, arrivals, shape: 'daily' })], made.producer);
    expect(Math.abs(made.bytes() / wanted - 1)).toBeLessThan(0.01);
  });

  test('each day has its part', async () => {
    const made = sized((i) => 200 + (i % 1_000));
    await flow([await rate(days)], made.producer);
    const perDay = new Array<number>(DAYS).fill(0);
    for (const [i, at] of made.micros.entries()) {
      const day = Math.floor((at - NOW) / MICROS_PER_DAY);
      perDay[day] = (perDay[day] as number) + (made.sizes[i] as number);
    }
    for (const bytes of perDay) expect(Math.abs(bytes / (GB_PER_DAY * 1e9) - 1)).toBeLessThan(0.01);
  });

  test('events of other inputs share the mean', async () => {
    const other = Array.from({ length: 50_000 }, (_, i) => NOW + i * 17_000_000 + 3);
    const made = sized(() => 900);
    await flow([await rate(days), listInput(other)], made.producer);
    const own = made.bytes() - other.length * 900;
    expect(Math.abs(own / wanted - 1)).toBeLessThan(0.01);
  });

  test('the timestamps depend on the sizes only: not on batches, slices or turns', async () => {
    const given = { ...days, arrivals: 'poisson', total: 12_000 };
    const streams: (readonly number[])[] = [];
    for (const [most, size] of [
      [1, 10_000],
      [7, 50],
      [100_000, 100_000],
    ] as const) {
      const made = sized((i) => 100 + ((i * 7_919) % 1_300), most);
      await flow([await rate(given)], made.producer, size);
      streams.push(made.micros);
    }
    expect(streams[0]?.length).toBe(12_000);
    expect(streams[1]).toEqual(streams[0]);
    expect(streams[2]).toEqual(streams[0]);
  });

  test('a fixed size needs no events, nor does a preview', async () => {
    const fixed = microsOf(await rate({ mb_per_second: 1, event_bytes: 500, end: '+10s' }));
    expect(fixed.length).toBe(20_000);
    const preview = microsOf(await rate({ mb_per_second: 1, end: '+10s' }));
    expect(Math.abs(preview.length - 10_000_000 / 256)).toBeLessThan(1);
  });
});

describe('a rate that cannot be kept', () => {
  test('has exact timestamps, and counts how late their events are', async () => {
    let finish = (): void => {};
    const stalled = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const output = memoryOutput(() => stalled);
    const draining = new AbortController();
    const { parts, clock, lines } = partsOf({
      inputs: [],
      outputs: [output],
      more: { isLive: true, draining },
    });
    const start = clock.now();
    const inputs = [await rate({ events_per_second: 1_000, total: 5_000 }, { now: start })];
    const counters = makeStats(1, 1);
    const ended = lastValueFrom(pipeline({ ...parts, inputs, tags: [[]], stats: counters }).flow, {
      defaultValue: 0,
    });
    for (let i = 0; i < 60; i++) await clock.advanceMs(100);
    expect(readStat(counters, 'produced')).toBeLessThan(5_000);
    expect(lines.map(({ message }) => message)).toContain(
      'the outputs fall behind the schedule: events will be late',
    );
    finish();
    for (let i = 0; i < 60; i++) await clock.advanceMs(100);
    await ended;
    expect(output.events.map(Number)).toEqual(Array.from({ length: 5_000 }, (_, i) => start + i * 1_000));
    expect(readStat(counters, 'max_lateness_micros')).toBeGreaterThan(4_000_000);
  });
});

describe('a checkpoint of a target in bytes', () => {
  const sizeOf = (i: number): number => 100 + ((i * 7_919) % 1_300);
  const given = { ...days, arrivals: 'poisson', shape: 'daily', total: 3_000 };

  /** A run from a position; it drains after `stopAfter` events. Returns its timestamps and its last position. */
  const run = async (restored: StreamPosition | null, base: number, stopAfter: number, most: number) => {
    const made = sized((i) => sizeOf(base + i), most);
    const inputs = [await rate(given)];
    const draining = new AbortController();
    const output = silent();
    const producer: EventProducer = {
      ...made.producer,
      produce: (request) => {
        const produced = made.producer.produce({
          ...request,
          to: Math.min(request.to, request.from + stopAfter - made.micros.length),
        });
        if (made.micros.length >= stopAfter) draining.abort(DRAIN);
        return produced;
      },
    };
    const { parts } = partsOf({
      inputs,
      outputs: [output],
      more: { producer, draining, batch: { size: 700, delay: 1 } },
    });
    let last: StreamPosition | null = null;
    const ended = await runPipeline({
      ...parts,
      builders: {
        inputs: inputs.map((input) => async () => E.right(input)),
        producer: async () => E.right(producer),
        formatters: [async () => E.right(plainFormatter)],
        outputs: [async () => E.right(output)],
      },
      outputLog: () => parts.log,
      deadLetters: () => null,
      start: () => ({ now: NOW, skipPast: false }),
      checkpoint: {
        restored: restored === null ? null : { inputs: restored.inputs, event: null, last: restored.last },
        disowned: new AbortController().signal,
        surroundings: () => ({ random: [], globals: null, fingerprint: { input: '', event: '' } }),
        save: async (position) => {
          last = JSON.parse(JSON.stringify(position)) as StreamPosition;
          return E.right(undefined);
        },
      },
      onRunning: () => {},
    });
    expect(ended).toEqual(E.right(expect.any(String)));
    return { micros: made.micros, last: last as StreamPosition | null };
  };

  test('goes on with the same timestamps wherever it is stopped, at the edge of a block too', async () => {
    const whole = (await run(null, 0, 1_000_000, 90)).micros;
    expect(whole.length).toBe(3_000);
    // Blocks end after 16, 80 and 336.
    for (const stops of [[1], [15, 1], [16], [17, 62, 1], [80, 256, 900], [200, 200, 200, 200]]) {
      const all: number[] = [];
      let position: StreamPosition | null = null;
      for (const stop of [...stops, 1_000_000]) {
        const part: Awaited<ReturnType<typeof run>> = await run(position, all.length, stop, 37);
        all.push(...part.micros);
        position = part.last;
      }
      expect(all).toEqual(whole);
    }
  });
});
