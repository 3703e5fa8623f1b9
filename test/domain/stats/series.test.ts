import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../src/domain/random.js';
import { recordDuration } from '../../../src/domain/stats/histogram.js';
import {
  busiest,
  LEVELS,
  makeSeries,
  mergeParts,
  type Series,
  type SeriesPart,
} from '../../../src/domain/stats/series.js';
import { makeSpans } from '../../../src/domain/stats/seriesSpans.js';
import {
  addTo,
  addToOutput,
  makeStats,
  noteWork,
  type Stats,
  setTo,
} from '../../../src/domain/stats/stats.js';

/** A whole minute, so that all resolutions begin there. */
const T0 = 1_800_000_000_000;
const NAMES = ['produced', 'written', 'failed', 'dead_lettered'] as const;

/** A generator on a clock of its own: `step` lets time pass and events be made, then looks. */
const watched = (series: Series = makeSeries()) => {
  const spanOf = makeSpans();
  const state = { wall: T0, monotonic: 5_000, run: T0, stats: makeStats(1, 1) };
  const look = (): void => {
    const span = spanOf({
      at_ms: state.wall,
      monotonic_ms: state.monotonic,
      run_ms: state.run,
      stats: state.stats,
    });
    if (span !== null) series.add(span);
  };
  return {
    series,
    state,
    look,
    /** `walled` is the time by the wall clock, if it differs. */
    step: (ms: number, events: number, walled = ms): void => {
      state.wall += walled;
      state.monotonic += ms;
      addTo(state.stats, 'produced', events);
      addToOutput(state.stats, 0, 'written', events);
      look();
    },
    begin: (): void => {
      state.run = state.wall;
      state.stats = makeStats(1, 1);
      look();
    },
  };
};

const totals = (part: SeriesPart): Readonly<Record<string, number>> =>
  Object.fromEntries(NAMES.map((name) => [name, part[name].reduce((sum, count) => sum + count, 0)]));

const counted = (stats: Stats): number => stats.slots[0] as number;

describe('a series', () => {
  test('has each second with its events and how much of it is known', () => {
    const { series, step } = watched();
    for (const events of [10, 20, 0, 40]) step(1_000, events);
    step(500, 5);
    expect(series.read(T0, T0 + 5_000, 1_000)).toEqual({
      from_ms: T0,
      step_ms: 1_000,
      covered_ms: [1_000, 1_000, 1_000, 1_000, 500],
      produced: [10, 20, 0, 40, 5],
      written: [10, 20, 0, 40, 5],
      failed: [0, 0, 0, 0, 0],
      dead_lettered: [0, 0, 0, 0, 0],
      lateness_p50_micros: [0, 0, 0, 0, 0],
      lateness_p99_micros: [0, 0, 0, 0, 0],
      delivery_lag_micros: [0, 0, 0, 0, 0],
      queue_batches: [0, 0, 0, 0, 0],
      busy_permille: [0, 0, 0, 0, 0],
    });
  });

  test('spreads looks that come a little late over their seconds, so that none is empty and none is double', () => {
    const { series, step } = watched();
    for (let look = 0; look < 600; look++) step(1_007, 1_007);
    const { produced, covered_ms } = series.read(T0, T0 + 600_000, 1_000);
    expect([...new Set(produced)]).toEqual([1_000]);
    expect([...new Set(covered_ms)]).toEqual([1_000]);
  });

  test('is read in any whole number of steps, from the coarsest resolution that fits', () => {
    const { series, step } = watched();
    for (let second = 0; second < 1_200; second++) step(1_000, 3);
    const now = T0 + 1_200_000;
    expect(series.read(T0, now, 600_000).produced).toEqual([1_800, 1_800]);
    expect(series.read(T0, now, 30_000).produced).toEqual(Array.from({ length: 40 }, () => 90));
    // Seconds reach back for 15 minutes, and up to two more.
    const seconds = series.read(T0, now, 1_000);
    expect(seconds.produced.slice(-900)).toEqual(Array.from({ length: 900 }, () => 3));
    expect([seconds.covered_ms[0], seconds.produced[0]]).toEqual([0, 0]);
  });

  test('keeps 99 % of the lateness of each second, not that since the start', () => {
    const { series, state, step } = watched();
    const late = (micros: number): void => {
      recordDuration(state.stats.lateness, micros, 1_000);
      addTo(state.stats, 'max_lateness_micros', micros);
      step(1_000, 1_000);
    };
    late(100_000);
    late(50);
    const [first = 0, second = 0] = series.read(T0, T0 + 2_000, 1_000).lateness_p99_micros;
    expect(first).toBeGreaterThanOrEqual(100_000);
    expect(second).toBeLessThan(100);
    expect(series.read(T0, T0 + 10_000, 10_000).lateness_p99_micros).toEqual([first]);
  });

  test('keeps half of the lateness, delivery lag, queue and work of each second, and the highest of longer steps', () => {
    const { series, state, step } = watched();
    recordDuration(state.stats.lateness, 1_000, 60);
    recordDuration(state.stats.lateness, 90_000, 40);
    recordDuration(state.stats.deliveryLag, 5_000, 100);
    addTo(state.stats, 'max_lateness_micros', 90_000);
    setTo(state.stats, 'in_flight_batches', 70_000);
    noteWork(state.stats, 250);
    step(1_000, 100);
    setTo(state.stats, 'in_flight_batches', 3);
    noteWork(state.stats, 750);
    step(1_000, 100);
    step(1_000, 0);
    const seconds = series.read(T0, T0 + 3_000, 1_000);
    expect(seconds).toMatchObject({
      lateness_p50_micros: [1_023, 0, 0],
      lateness_p99_micros: [98_303, 0, 0],
      delivery_lag_micros: [5_119, 0, 0],
      // More than a column holds.
      queue_batches: [65_535, 3, 3],
      busy_permille: [250, 750, 0],
    });
    expect(series.read(T0, T0 + 10_000, 10_000)).toMatchObject({
      lateness_p50_micros: [1_023],
      delivery_lag_micros: [5_119],
      queue_batches: [65_535],
      busy_permille: [750],
    });
  });

  test('counts failures and dead letters', () => {
    const { series, state, step } = watched();
    step(1_000, 1);
    addTo(state.stats, 'produce_failed', 2);
    addToOutput(state.stats, 0, 'dead_lettered', 3);
    addToOutput(state.stats, 0, 'format_failed', 4);
    step(1_000, 1);
    expect(series.read(T0, T0 + 2_000, 1_000)).toMatchObject({ failed: [0, 6], dead_lettered: [0, 3] });
  });
});

describe('a gap', () => {
  test('is the time in which a generator does not run', () => {
    const { series, state, step, begin } = watched();
    step(1_000, 7);
    state.wall += 3_000;
    state.monotonic += 3_000;
    begin();
    step(1_000, 9);
    expect(series.read(T0, T0 + 5_000, 1_000)).toMatchObject({
      covered_ms: [1_000, 0, 0, 0, 1_000],
      produced: [7, 0, 0, 0, 9],
    });
  });

  test('is the time of a suspended machine: what was made around it counts near its end', () => {
    const { series, step } = watched();
    step(1_000, 10);
    step(1_000, 12, 3_601_000);
    const { covered_ms, produced } = series.read(T0, T0 + 3_602_000, 1_000);
    expect(covered_ms.filter((known) => known > 0)).toEqual([1_000, 1_000]);
    expect(produced.at(-1)).toBe(12);
    // Nobody looked for half an hour although time went on.
    step(1_800_000, 20);
    const later = series.read(T0 + 3_602_000, T0 + 5_402_000, 1_000);
    expect(later.covered_ms.filter((known) => known > 0)).toEqual([1_000]);
    expect(later.produced.at(-1)).toBe(20);
  });

  test('is no spike where the clock is set back: time that comes again is known twice', () => {
    const { series, step } = watched();
    for (let second = 0; second < 60; second++) step(1_000, 10);
    step(1_000, 10, -29_000);
    for (let second = 0; second < 89; second++) step(1_000, 10);
    const { covered_ms, produced } = series.read(T0, T0 + 120_000, 1_000);
    const rates = produced.map((events, i) => (events * 1_000) / (covered_ms[i] as number));
    expect(new Set(rates)).toEqual(new Set([10]));
    expect(Math.max(...covered_ms)).toBe(2_000);
    // As far back as no second reaches.
    step(1_000, 10, -7_200_000);
    step(1_000, 10);
    expect(series.read(T0 - 7_200_000, T0, 1_000).covered_ms.filter((known) => known > 0)).toEqual([
      1_000, 1_000,
    ]);
  });

  test('is not a negative rate where counters begin again at 0, and a lost output takes nothing away', () => {
    const { series, state, step, begin } = watched();
    step(1_000, 100);
    begin();
    step(1_000, 5);
    state.stats = makeStats(1, 1);
    step(1_000, 2);
    step(1_000, 4);
    expect(series.read(T0, T0 + 4_000, 1_000).produced).toEqual([100, 5, 0, 4]);
  });
});

test('the sums of every resolution are the counters, whatever happens', () => {
  const random = seededRandom('series');
  const below = (limit: number): number => Math.floor(random.next() * limit);
  for (let round = 0; round < 12; round++) {
    const { series, state, step, begin } = watched();
    let former = 0;
    const start = state.wall;
    for (let move = 0; move < 300; move++) {
      const kind = below(20);
      if (kind === 0) {
        former += counted(state.stats);
        state.wall += below(5_000);
        begin();
      }
      if (kind === 1) step(1_000, below(50), 1_000 + below(20_000));
      else if (kind === 2) step(1_000, below(50), -below(20_000));
      else step(1 + below(2_000), below(3) === 0 ? 0 : below(200_000));
    }
    // What happened since a look in the same millisecond comes with the next one.
    step(1_000, 0);
    const all = former + counted(state.stats);
    for (const { step_ms } of LEVELS) {
      const sum = totals(series.read(start - 600_000, start + 1_200_000, step_ms));
      expect([step_ms, sum['produced'], sum['written']]).toEqual([step_ms, all, all]);
    }
    const copy = makeSeries();
    expect(copy.restore(series.dump(state.wall))).toBe(true);
    expect(copy.read(start, state.wall, 10_000)).toEqual(series.read(start, state.wall, 10_000));
  }
});

describe('the memory of a series', () => {
  const bytesAfter = (days: number, failures: number): number => {
    const { series, state, step } = watched();
    for (let minute = 0; minute < days * 1_440; minute++) {
      state.wall += 59_000;
      state.monotonic += 59_000;
      addTo(state.stats, 'produce_failed', failures);
      step(1_000, 1);
    }
    for (let second = 0; second < 21_600; second++) {
      addTo(state.stats, 'produce_failed', failures);
      step(1_000, 1);
    }
    return series.dump(state.wall).byteLength;
  };

  test('is limited, and little for a young one', () => {
    const { series, step } = watched();
    expect(series.dump(T0).byteLength).toBe(0);
    step(1_000, 1);
    expect(series.dump(T0 + 1_000).byteLength).toBeLessThan(8_000);
    // Without the heads of the pages.
    expect(bytesAfter(4, 0)).toBeLessThanOrEqual(156_000 + 65 * 12);
    expect(bytesAfter(4, 1)).toBeLessThanOrEqual(218_400 + 65 * 12);
    expect(bytesAfter(4, 1)).toBe(bytesAfter(5, 1));
  });

  test('is given away in a dump, which is refused when it is none', () => {
    const { series, step } = watched();
    step(1_000, 1);
    const dump = series.dump(T0 + 1_000);
    for (const broken of [dump.slice(0, -1), Uint32Array.of(9, 1, 0), Uint32Array.of(0, 1, 2)]) {
      const copy = makeSeries();
      expect(copy.restore(broken)).toBe(false);
      expect(copy.dump(T0 + 1_000)).toHaveLength(0);
    }
  });
});

test('parts of several generators or nodes are one: events are summed, and gaps are those of all', () => {
  const [a, b] = [watched(), watched()];
  a.step(1_000, 1);
  a.step(1_000, 2);
  b.state.wall += 1_000;
  b.state.monotonic += 1_000;
  b.begin();
  b.step(1_000, 10);
  b.step(1_000, 20);
  const merged = mergeParts([
    a.series.read(T0, T0 + 2_000, 1_000),
    b.series.read(T0 + 1_000, T0 + 4_000, 1_000),
  ]);
  expect(merged).toMatchObject({
    from_ms: T0,
    covered_ms: [1_000, 1_000, 1_000, 0],
    produced: [1, 12, 20, 0],
  });
  expect(mergeParts([]).covered_ms).toEqual([]);
});

test('the busiest are those with most events, partitions as one; without events there are none', () => {
  const made = (id: string, ...events: readonly number[]) => {
    const one = watched();
    for (const count of events) one.step(1_000, count);
    return { id, part: one.series.read(T0, T0 + 3_000, 1_000) };
  };
  const all = [made('low', 1, 1, 1), made('web', 2, 0, 2), made('none', 0, 0, 0), made('web', 1, 0, 3)];
  const named = (count: number) => busiest(all, count).map(({ id, part }) => [id, ...part.produced]);
  expect(named(1)).toEqual([['web', 3, 0, 5]]);
  expect(named(9)).toEqual([
    ['web', 3, 0, 5],
    ['low', 1, 1, 1],
  ]);
});

test('one series takes the spans of several generators, and knows each moment once', () => {
  const total = makeSeries();
  const [a, b] = [watched(total), watched(total)];
  for (let second = 0; second < 5; second++) {
    a.step(1_000, 1);
    b.step(1_000, 10);
  }
  expect(total.read(T0, T0 + 5_000, 1_000)).toMatchObject({
    covered_ms: [1_000, 1_000, 1_000, 1_000, 1_000],
    produced: [11, 11, 11, 11, 11],
  });
});
