import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { makeInspector } from '../../../src/analysis/inspect/inspector.js';
import { INSPECT_LIMITS } from '../../../src/analysis/inspect/limits.js';
import { hourlyRates, ratesOf } from '../../../src/analysis/inspect/rates.js';
import { jsonReport } from '../../../src/analysis/inspect/report.js';
import { DAY, inspected, reportOf, scheduleOf, sequence } from './support.js';

describe('events', () => {
  test('are measured in UTF-8 bytes, counted by kind and distinct text', async () => {
    const report = await inspected(['{"a":1}', 'é', 'a=1 b=2', 'é']);
    expect(report).toMatchObject({
      made: 4,
      failed: 0,
      distinct: { count: 3, is_exact: true },
      kinds: { json: 1, key_value: 1, text: 2 },
      size_bytes: { min: 2, median: 2, p95: 7, max: 7, mean: 4.5, total: 18 },
      limits: [],
    });
  });

  test('that are all different beyond the limit are estimated', async () => {
    const { distinct, limits } = await inspected(
      sequence(5_000, (index) => `line ${index}`),
      { max_distinct_events: 1_000 },
    );
    expect(distinct.is_exact).toBe(false);
    expect(Math.abs(distinct.count - 5_000)).toBeLessThan(250);
    expect(limits).toMatchObject([{ limit: 'distinct_events', max: 1_000 }]);
  });

  test('compress as gzip does, up to a limit', async () => {
    const events = sequence(20_000, (index) => JSON.stringify({ index, text: `value ${index % 7}` }));
    const { gzip, limits } = await inspected(events);
    const whole = Buffer.from(`${events.join('\n')}\n`);
    expect(gzip?.bytes).toBe(whole.length);
    const expected = gzipSync(whole, { level: 6 }).length;
    expect(Math.abs((gzip?.compressed_bytes ?? 0) - expected)).toBeLessThan(expected * 0.01);
    expect(limits.map(({ limit }) => limit)).not.toContain('gzip_bytes');

    const cut = await inspected(events, { max_gzip_bytes: 1_000 });
    expect(cut.gzip?.bytes).toBe(1_000);
    expect(cut.limits).toMatchObject([{ limit: 'values' }, { limit: 'gzip_bytes', max: 1_000 }]);
  });

  test('that fail are counted, with the first reasons', async () => {
    const inspector = makeInspector();
    const failures = sequence(100, (index) => ({
      kind: 'produce' as const,
      reason: index < 60 ? 'no such name' : `reason ${index}`,
    }));
    await inspector.add({ micros: [], events: [], failures });
    await inspector.add({
      micros: [],
      events: [],
      failures: [{ kind: 'input', reason: 'x'.repeat(10_000) }],
    });
    const report = await inspector.report();
    expect(report).toMatchObject({ made: 0, failed: 100, size_bytes: null, gzip: null, fields: [] });
    expect(report.failures).toHaveLength(10);
    expect(report.failures[0]).toEqual({ kind: 'produce', reason: 'no such name', count: 60 });
  });

  test('take bounded memory: growing names and unique values leave a small report', async () => {
    const inspector = makeInspector();
    for (let batch = 0; batch < 4; batch++) {
      const events = sequence(500, (index) => {
        const id = batch * 500 + index;
        return JSON.stringify({
          [`name-${id}`]: `${id}`.repeat(50),
          list: sequence(100, (item) => `${id}-${item}`),
        });
      });
      await inspector.add({ micros: [batch], events, failures: [] });
    }
    const report = await inspector.report();
    expect(report.fields).toHaveLength(1_000);
    expect(JSON.stringify(report).length).toBeLessThan(2_000_000);
    expect(report.fields.find(({ path }) => path === '/list[*]')?.distinct.is_exact).toBe(false);
  });
});

describe('rates', () => {
  const HOUR = 3_600_000_000;
  const events = {
    made: 50,
    size_bytes: { mean: 99, min: 0, median: 0, p95: 0, max: 0, total: 0, is_exact: true },
  };

  test('multiply the schedule by events per timestamp and size with line end', () => {
    const schedule = scheduleOf([
      ...sequence(3_600, (index) => DAY + index * 1_000_000),
      ...sequence(7_200, (index) => DAY + HOUR + index * 500_000),
    ]);
    const rates = ratesOf(schedule, events, 100);
    expect(rates.events_per_timestamp).toBe(0.5);
    expect(rates.events_per_second).toMatchObject({ min: 0, max: 1 });
    expect(rates.events_per_second.mean).toBeCloseTo(5_400 / 86_400, 9);
    expect(rates.bytes_per_second.max).toBe(100);
    expect(rates.bytes_per_day).toBeCloseTo(540_000, 3);
  });

  test('of a schedule that was cut use the time of its last hour', () => {
    const schedule = scheduleOf(
      sequence(10_000, (index) => DAY + index * 1_000_000),
      5_401,
    );
    expect(hourlyRates(schedule, 1)).toEqual([1, 1_801 / 1_800]);
  });

  test('of nothing are zero', () => {
    expect(ratesOf(scheduleOf([]), { made: 0, size_bytes: null }, 0)).toEqual({
      events_per_timestamp: 0,
      events_per_second: { mean: 0, min: 0, max: 0 },
      bytes_per_second: { mean: 0, min: 0, max: 0 },
      bytes_per_day: 0,
    });
  });
});

test('the document has the documented members, in order, with instants as text', async () => {
  const document = jsonReport(await reportOf(['{"a":1}']), (at) => new Date(at / 1_000).toISOString());
  expect(Object.keys(document)).toEqual([
    'generator',
    'seed',
    'now',
    'timezone',
    'wanted',
    'timestamps',
    'made',
    'failed',
    'failures',
    'distinct',
    'kinds',
    'size_bytes',
    'size_bins',
    'fields',
    'gzip',
    'limits',
    'rates',
    'speed',
    'schedule',
    'times',
  ]);
  expect(document).toMatchObject({
    now: '2026-03-02T00:00:00.000Z',
    schedule: {
      from: '2026-03-02T00:00:00.000Z',
      hours: { 1: { start: '2026-03-02T01:00:00.000Z', timestamps: 0 } },
    },
    times: { bins: [{ start: '1970-01-01T00:00:00.000Z', count: 1 }] },
  });
});

test('the guide lists every limit and every member of the document', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../docs/inspecting-generators.md'), 'utf8');
  const { max_fields, max_depth, max_values, max_shown_chars, max_distinct_events, max_pair_chars } =
    INSPECT_LIMITS;
  const rows = {
    fields: max_fields,
    depth: max_depth,
    values: max_values,
    value_chars: max_shown_chars,
    distinct_events: max_distinct_events,
    pair_chars: max_pair_chars,
  };
  for (const [limit, max] of Object.entries(rows))
    expect(guide).toContain(`| \`${limit}\` | ${max.toLocaleString('en-US')}`);
  const report = await reportOf(['{"a":1}']);
  const names = [report, report.rates, report.speed, report.schedule, report.times, ...report.fields].flatMap(
    (part) => Object.keys(part),
  );
  for (const name of names) expect(guide).toContain(`\`${name}\``);
});
