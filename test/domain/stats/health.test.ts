import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../src/domain/random.js';
import {
  countersOf,
  type HealthReport,
  type HealthSample,
  mergeHealth,
} from '../../../src/domain/stats/health.js';
import { type HealthState, judge, shownHealth } from '../../../src/domain/stats/judgeHealth.js';
import { addTo, addToOutput, makeStats, setTo } from '../../../src/domain/stats/stats.js';

const OUTPUT = { name: 'http', written: 0, lost: 0, rejected: 0, unformatted: 0, retries: 0 };

const BASE: HealthSample = {
  atMs: 0,
  phase: 'running',
  isUp: true,
  reason: null,
  isLive: true,
  run: 1,
  generated: 0,
  produced: 0,
  produce_failed: 0,
  dropped: 0,
  lateness_micros: 0,
  isBlocked: false,
  outputs: [OUTPUT],
  hasDeadLetters: false,
  causeOf: (plugin) => (plugin === 'event' ? 'division by zero' : 'HTTP 400: no such index'),
};

/** What happens in one second: counts add up, all else stays until it changes. */
type Second = Partial<Omit<HealthSample, 'outputs' | 'atMs'>> & {
  readonly out?: readonly Partial<typeof OUTPUT>[];
};

const GOOD: Second = { generated: 10, produced: 10, out: [{ written: 10 }] };
const REJECTED: Second = { generated: 10, produced: 10, out: [{ lost: 10, rejected: 10 }] };
const AWAY: Second = { generated: 10, produced: 10, out: [{ lost: 10 }] };
const UNFORMATTED: Second = { produced: 10, out: [{ lost: 10, unformatted: 10 }] };
const FAILED: Second = { generated: 10, produce_failed: 10 };
const QUIET: Second = {};

const COUNTED = ['generated', 'produced', 'produce_failed', 'dropped', 'lateness_micros'] as const;

const after = (former: HealthSample, { out, ...second }: Second): HealthSample => ({
  ...former,
  ...second,
  ...Object.fromEntries(COUNTED.map((name) => [name, former[name] + (second[name] ?? 0)])),
  atMs: former.atMs + 1_000,
  outputs: former.outputs.map((output, index) => {
    const more = out?.[index] ?? {};
    return {
      ...output,
      written: output.written + (more.written ?? 0),
      lost: output.lost + (more.lost ?? 0),
      rejected: output.rejected + (more.rejected ?? 0),
      unformatted: output.unformatted + (more.unformatted ?? 0),
      retries: output.retries + (more.retries ?? 0),
    };
  }),
});

const times = (count: number, second: Second): readonly Second[] =>
  Array.from({ length: count }, () => second);

/** The report after each second. */
const follow = (seconds: readonly Second[], first: Partial<HealthSample> = {}): readonly HealthReport[] => {
  let sample: HealthSample = { ...BASE, ...first };
  let state: HealthState = judge(null, sample);
  return seconds.map((second) => {
    sample = after(sample, second);
    state = judge(state, sample);
    return shownHealth(state);
  });
};

const last = (seconds: readonly Second[], first: Partial<HealthSample> = {}): HealthReport =>
  follow(seconds, first).at(-1) as HealthReport;

const changes = (reports: readonly HealthReport[]): readonly string[] =>
  reports.map(({ health }) => health).filter((health, index, all) => health !== all[index - 1]);

describe('the health of a generator', () => {
  test.each<[string, readonly Second[], Partial<HealthSample>, string, RegExp | null]>([
    ['that writes', times(5, GOOD), {}, 'ok', null],
    ['that is not due', times(30, QUIET), {}, 'ok', null],
    ['whose events are dropped on purpose', times(9, { generated: 5, dropped: 5 }), {}, 'ok', null],
    [
      'whose batches are rejected',
      times(6, REJECTED),
      {},
      'failing',
      /^every batch of output http is rejected: HTTP 400: no such index$/,
    ],
    [
      'with some rejected events',
      times(9, { ...GOOD, out: [{ written: 9, lost: 1, rejected: 1 }] }),
      {},
      'degraded',
      /^some events of output http are rejected: HTTP 400/,
    ],
    [
      'whose events cannot be formatted',
      times(6, UNFORMATTED),
      {},
      'failing',
      /^no event of output http can be formatted: HTTP 400/,
    ],
    ['whose output is away', times(6, AWAY), {}, 'failing', /^output http is away: HTTP 400/],
    [
      'whose output loses some',
      times(6, { out: [{ written: 5, lost: 5 }] }),
      {},
      'degraded',
      /^output http takes only some events: /,
    ],
    [
      'whose writes are retried',
      times(6, { out: [{ retries: 1 }] }),
      {},
      'degraded',
      /^writes to output http are retried: /,
    ],
    ['with a retry now and then', times(6, { out: [{ written: 3, retries: 1 }] }), {}, 'ok', null],
    ['whose events all fail', times(6, FAILED), {}, 'failing', /^every event fails: division by zero$/],
    [
      'some of whose events fail',
      times(6, { produced: 9, produce_failed: 1 }),
      {},
      'degraded',
      /^some events fail: division by zero$/,
    ],
    [
      'that is late',
      times(6, { ...GOOD, lateness_micros: 60_000_000 }),
      {},
      'degraded',
      /^events are more than 5 s late$/,
    ],
    [
      'that is late in the past',
      times(6, { ...GOOD, lateness_micros: 60_000_000 }),
      { isLive: false },
      'ok',
      null,
    ],
    [
      'whose queue is full for 12 s',
      times(12, { isBlocked: true }),
      {},
      'failing',
      /^nothing is produced though timestamps are due/,
    ],
    ['whose queue is full for 5 s', times(5, { isBlocked: true }), {}, 'ok', null],
    ['whose queue is full but moves', times(20, { ...GOOD, isBlocked: true }), {}, 'ok', null],
    [
      'with waiting dead letters',
      times(3, { ...GOOD, hasDeadLetters: true }),
      {},
      'ok',
      /^dead letters are waiting$/,
    ],
    [
      'that failed',
      [{ phase: 'failed', isUp: false, reason: 'no disk' }],
      {},
      'failing',
      /^failed: no disk$/,
    ],
    [
      'that backs off',
      [{ phase: 'backing_off', isUp: false, reason: 'no route' }],
      {},
      'failing',
      /^fails and is restarted: no route$/,
    ],
    ['that was stopped', [{ phase: 'stopped' }], {}, 'idle', /^stopped on purpose$/],
    [
      'that was stopped with dead letters',
      [{ phase: 'stopped', hasDeadLetters: true }],
      {},
      'idle',
      /^stopped on purpose; dead letters are waiting$/,
    ],
    ['that is done', [{ phase: 'finished' }], {}, 'idle', /^has made all its events$/],
    ['that was never started', [], { phase: 'idle', isUp: false }, 'idle', /^not started$/],
    [
      'that starts',
      [{ phase: 'loading', isUp: false }],
      { phase: 'idle', isUp: false },
      'idle',
      /^is starting$/,
    ],
    ['that opens its outputs', times(3, { isUp: false }), { isUp: false }, 'idle', /^opens its outputs$/],
    [
      'that opens its outputs for long',
      times(12, { isUp: false }),
      { isUp: false },
      'degraded',
      /^its outputs are not open yet$/,
    ],
  ])('%s', (_, seconds, first, health, sentence) => {
    const report =
      seconds.length === 0 ? shownHealth(judge(null, { ...BASE, ...first })) : last(seconds, first);
    expect(report.health).toBe(health);
    if (sentence === null) expect(report.health_reason).toBeNull();
    else expect(report.health_reason).toMatch(sentence);
    // Whatever is wrong has a remedy.
    if (health === 'failing' || health === 'degraded') expect(report.remedy).not.toBeNull();
  });

  test('names the output by its number where two have the same plugin', () => {
    const { health_reason } = last(times(6, { out: [{ written: 5 }, { lost: 5, rejected: 5 }] }), {
      outputs: [OUTPUT, OUTPUT],
    });
    expect(health_reason).toMatch(/^every batch of output 2 \(http\) is rejected/);
  });

  test.each<[string, Second]>([
    ['rejects', REJECTED],
    ['is away', AWAY],
    ['rejects one event a second', { produced: 1, out: [{ lost: 1, rejected: 1 }] }],
  ])('is failing 10 s after an output %s, and ok 10 s after it recovered', (_, broken) => {
    const reports = follow([...times(10, GOOD), ...times(60, broken), ...times(10, GOOD)]);
    expect(reports[9]?.health).toBe('ok');
    expect(reports.slice(10).findIndex(({ health }) => health === 'failing')).toBeLessThan(10);
    expect(reports[19]?.health).toBe('failing');
    expect(reports[79]).toEqual({ health: 'ok', health_reason: null, remedy: null });
    expect(changes(reports)).toEqual(['ok', 'degraded', 'failing', 'ok']);
  });

  test('keeps the first cause while the same thing is wrong', () => {
    let number = 0;
    const causeOf = (): string => `request ${++number} was refused`;
    const sentences = new Set(
      follow(times(30, REJECTED), { causeOf }).map(({ health_reason }) => health_reason),
    );
    expect(sentences.size).toBeLessThanOrEqual(3);
  });

  test('stays as it is while a slow generator makes nothing', () => {
    const lone = (second: Second): readonly Second[] => [second, ...times(59, QUIET)];
    const one = { produced: 1, out: [{ lost: 1, rejected: 1 }] };
    const reports = follow([
      ...lone(one),
      ...lone(one),
      ...lone(one),
      ...lone({ produced: 1, out: [{ written: 1 }] }),
    ]);
    expect(reports[179]?.health).toBe('failing');
    expect(reports[190]?.health).toBe('ok');
  });

  test('does not flicker while events are rejected now and then, whatever the chance', () => {
    const random = seededRandom('health');
    for (const chance of [0.02, 0.1, 0.5, 0.9]) {
      const seconds = Array.from({ length: 600 }, (): Second => {
        const isBad = random.next() < chance;
        return { produced: 1, out: [isBad ? { lost: 1, rejected: 1 } : { written: 1 }] };
      });
      expect(changes(follow(seconds)).length).toBeLessThanOrEqual(24);
    }
  });

  test('of a generator that restarts again and again stays failing', () => {
    const round: readonly Second[] = [
      { phase: 'backing_off', isUp: false, reason: 'refused' },
      { phase: 'loading', isUp: false },
      { phase: 'running', isUp: false },
      { phase: 'running', isUp: true },
    ];
    const reports = follow(Array.from({ length: 30 }, () => round).flat());
    expect(changes(reports)).toEqual(['failing']);
    expect(changes(follow([...round, ...times(10, GOOD)]))).toEqual(['failing', 'ok']);
  });

  test('of a new start owes nothing to the run before', () => {
    const reports = follow([
      ...times(10, REJECTED),
      { phase: 'stopped' },
      { phase: 'loading', isUp: false },
      { phase: 'running', isUp: true, run: 2 },
      ...times(3, GOOD),
    ]);
    expect(changes(reports)).toEqual(['failing', 'idle', 'ok']);
  });

  test('takes a counter that began again for a new one', () => {
    let sample: HealthSample = {
      ...BASE,
      outputs: [{ ...OUTPUT, written: 1_000, lost: 900, rejected: 900 }],
    };
    let state = judge(null, sample);
    sample = { ...sample, atMs: 1_000, outputs: [{ ...OUTPUT, written: 5 }] };
    state = judge(state, sample);
    expect(shownHealth(state).health).toBe('ok');
  });
});

test('samples are read from the shared counters', () => {
  const stats = makeStats(2, 2);
  addTo(stats, 'produced', 7);
  addTo(stats, 'generated_before', 3);
  setTo(stats, 'is_blocked', 1);
  addToOutput(stats, 1, 'written', 4);
  addToOutput(stats, 1, 'dead_lettered', 2);
  addToOutput(stats, 1, 'write_failed', 1);
  addToOutput(stats, 1, 'format_failed', 1);
  addToOutput(stats, 1, 'rejected', 2);
  expect(countersOf(stats, ['file', 'http'])).toMatchObject({
    generated: 3,
    produced: 7,
    isBlocked: true,
    outputs: [
      { name: 'file', written: 0 },
      { name: 'http', written: 4, lost: 4, rejected: 2, unformatted: 1 },
    ],
  });
  expect(countersOf(null, []).outputs).toEqual([]);
});

test('the worst partition decides and is named, unless all say the same', () => {
  const report = (health: HealthReport['health'], health_reason: string | null): HealthReport => ({
    health,
    health_reason,
    remedy: null,
  });
  const parts = (...reports: readonly HealthReport[]) =>
    reports.map((one, index) => ({ index, report: one }));
  expect(mergeHealth(parts(report('ok', null), report('failing', 'no disk')))).toEqual(
    report('failing', 'partition 1: no disk'),
  );
  expect(mergeHealth(parts(report('idle', 'stopped'), report('ok', null)))).toEqual(report('ok', null));
  expect(mergeHealth(parts(report('failing', 'x'), report('failing', 'x')))).toEqual(report('failing', 'x'));
});
