import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { cronPlugin } from '../../../../src/plugins/inputs/cron/plugin.js';
import { cronSpec } from '../../../../src/plugins/inputs/cron/spec.js';
import type { Input } from '../../../../src/plugins/kit.js';
import { paramsShape } from '../../../../src/plugins/shapes.js';
import { decode } from '../../../../src/schema/index.js';
import { memoryLog } from '../../../support/logs.js';
import { buildInput, drain, NOW } from '../../../support/pipelines/inputs.js';

/** Builds, or fails the test with the sentence. */
const build = async (params: unknown, more: Parameters<typeof buildInput>[2] = {}): Promise<Input> => {
  const input = await buildInput(cronPlugin, params, more);
  if (typeof input === 'string') throw new Error(input);
  return input;
};

const times = (texts: readonly string[]): string[] => texts.map((text) => text.slice(11));

/** All timestamps up to `most`, taken in the given lengths by turns. */
const take = (input: Input, most: number, lengths: readonly number[]): number[] => {
  const all: number[] = [];
  for (let i = 0; all.length < most; i++) {
    const out = new Float64Array(Math.min(lengths[i % lengths.length] ?? 1, most - all.length));
    const count = input.fill(out);
    if (count === 0) break;
    all.push(...out.subarray(0, count));
  }
  return all;
};

describe('the cron input', () => {
  test('gives each tick count times, from now on, without an end', async () => {
    const input = await build({ expression: '*/10 * * * * *', count: 3 });
    expect(times(drain(input, 7, 2))).toEqual([
      ...['19:05:10Z', '19:05:10Z', '19:05:10Z'],
      ...['19:05:20Z', '19:05:20Z', '19:05:20Z'],
      '19:05:30Z',
    ]);
  });

  test('holds ticks exactly at start and at end', async () => {
    const params = { expression: '* * * * *', count: 1, start: '2026-11-20T08:00:00Z', end: '+2m' };
    expect(times(drain(await build(params)))).toEqual(['08:00:00Z', '08:01:00Z', '08:02:00Z']);
  });

  test('reads start, end and the expression in the zone of the generator', async () => {
    const params = { expression: '30 9 * * *', count: 1, start: '2026-03-28', end: '2026-03-30 12:00' };
    expect(drain(await build(params, { zoneId: 'Europe/Berlin' }))).toEqual([
      '2026-03-28T08:30:00Z',
      '2026-03-29T07:30:00Z',
      '2026-03-30T07:30:00Z',
    ]);
  });

  test('leaves out past ticks when told to, and keeps one exactly at now', async () => {
    const params = { expression: '* * * * * *', count: 2, start: '-2s', end: '+3s' };
    const [all, rest] = [await build(params), await build(params, { skipPast: true })];
    expect(times(drain(all)).filter((_, i) => i % 2 === 0)).toEqual([
      '19:05:07Z',
      '19:05:08Z',
      '19:05:09Z',
      '19:05:10Z',
    ]);
    expect(times(drain(rest))).toEqual(['19:05:09Z', '19:05:09Z', '19:05:10Z', '19:05:10Z']);
  });

  test('with all ticks past ends at once and says so', async () => {
    const { log, lines } = memoryLog();
    const params = { expression: '0 0 1 1 *', count: 1, start: '2020-01-01', end: '2026-12-01' };
    expect(drain(await build(params, { skipPast: true, log }))).toEqual([]);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'info', message: expect.stringContaining('no tick') }),
    ]);
  });

  test.each([
    { end: '2026-01-01' },
    { start: 'now', end: '2026-01-01T00:00:00Z' },
    { end: '00:00' },
    { end: 'yesterday' },
  ])('with %j, which has passed, has no ticks and says so', async (range) => {
    const { log, lines } = memoryLog();
    for (const skipPast of [true, false])
      expect(
        drain(await build({ expression: '* * * * * *', count: 2, ...range }, { log, skipPast })),
      ).toEqual([]);
    expect(lines.map(({ message }) => message)).toEqual(Array(2).fill(expect.stringContaining('no tick')));
  });

  test('says nothing when there are ticks', async () => {
    const { log, lines } = memoryLog();
    await build({ expression: '@yearly', count: 1 }, { log });
    expect(lines).toEqual([]);
  });

  test.each([
    [{ expression: '61 * * * *', count: 1 }, 'expression the minute field (1 of 5) has 61'],
    [{ expression: '', count: 1 }, 'expression the expression is empty'],
    [{ expression: '* * * * *', count: 0 }, 'count'],
    [{ expression: '* * * * *', count: 1.5 }, 'count'],
    [{ expression: '* * * * *' }, 'count is required'],
    [{ count: 1 }, 'expression is required'],
    [{ expression: 5, count: 1 }, 'expression must be text'],
    [{ expression: '* * * * *', count: 1, start: 'never' }, 'start must not be never'],
    [{ expression: '* * * * *', count: 1, start: '2026-01-02', end: '2026-01-01' }, 'end is before start'],
    [{ expression: '* * * * *', count: 1, end: '-1h' }, 'end is before start'],
    [{ expression: '* * * * *', count: 1, ends: 'never' }, 'ends'],
  ])('refuses %j', async (params, problem) => {
    expect(await buildInput(cronPlugin, params)).toContain(problem);
  });

  test('reads back what it was given, defaults filled in', () => {
    const shape = paramsShape(cronSpec);
    const decoded = shape.stored.decode({
      expression: '${params.schedule}',
      count: '${params.rate}',
      end: null,
    });
    expect(E.isRight(decoded) ? decoded.right : decoded.left).toEqual({
      expression: '${params.schedule}',
      count: '${params.rate}',
      tags: [],
      globals: {},
      start: null,
      end: null,
    });
  });

  test.each(cronSpec.examples)('its example "$title" decodes and gives timestamps', async ({ params }) => {
    expect(E.isRight(decode(paramsShape(cronSpec), params))).toBe(true);
    expect(take(await build(params), 5, [2])).toHaveLength(5);
  });
});

describe('a restored cron input', () => {
  const expressions = fc.constantFrom(
    '* * * * * *',
    '*/7 1-3 * * *',
    '30 2 * * *',
    '0 0 29 2 *',
    '15,45 * * * *',
  );
  const lengths = fc.array(fc.integer({ min: 1, max: 29 }), { minLength: 1, maxLength: 6 });

  test('goes on with the very next timestamp, wherever the snapshot was taken', async () => {
    await fc.assert(
      fc.asyncProperty(
        expressions,
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'UTC'),
        fc.integer({ min: 0, max: 150 }),
        lengths,
        async (expression, count, zoneId, done, sizes) => {
          const params = { expression, count, start: '2026-03-01' };
          const whole = take(await build(params, { zoneId }), 300, [300]);
          const first = await build(params, { zoneId });
          expect(take(first, done, sizes)).toEqual(whole.slice(0, done));
          const state = JSON.parse(JSON.stringify(first.snapshot()));
          const second = await build(params, { zoneId });
          second.restore(state);
          expect(second.snapshot()).toEqual(state);
          expect(take(second, whole.length - done, sizes)).toEqual(whole.slice(done));
          expect(take(first, whole.length - done, sizes)).toEqual(whole.slice(done));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('keeps the end that it began with, though it was relative to the start', async () => {
    const params = { expression: '* * * * * *', count: 2, end: '+4s' };
    const first = await build(params);
    expect(take(first, 5, [5])).toHaveLength(5);
    const second = await build(params, { now: NOW + 2_000_000, skipPast: true });
    second.restore(first.snapshot());
    expect(times(drain(second))).toEqual(['19:05:11Z', '19:05:12Z', '19:05:12Z', '19:05:13Z', '19:05:13Z']);
  });

  test('with a smaller count than it was saved with goes on with the next tick', async () => {
    const first = await build({ expression: '* * * * * *', count: 5 });
    take(first, 4, [4]);
    const second = await build({ expression: '* * * * * *', count: 2 });
    second.restore(first.snapshot());
    expect(times(drain(second, 2))).toEqual(['19:05:10Z', '19:05:10Z']);
  });

  test.each([
    null,
    7,
    {},
    { at: 'x', given: 0, end: null },
    { at: 1, given: -1, end: null },
    { at: 1, given: 0 },
  ])('ignores %j, which is no position', async (state) => {
    const input = await build({ expression: '* * * * * *', count: 1 });
    input.restore(state);
    expect(times(drain(input, 1))).toEqual(['19:05:09Z']);
  });
});
