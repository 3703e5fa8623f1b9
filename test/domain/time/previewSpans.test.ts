import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { MAX_SPANS, parseSpan, previewSpans, type SpanCounts } from '../../../src/domain/time/span.js';
import { type Zone, zoneOf } from '../../../src/domain/time/zone.js';

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

/** A zone with the given offsets, in seconds, from the given instants on. */
const zoneWith = (initial: number, changes: readonly (readonly [at: number, offset: number])[]): Zone => {
  const offsetSecondsAt = (at: number): number =>
    changes.reduce((offset, [from, next]) => (at >= from ? next : offset), initial);
  const instantsOf = (local: number): readonly number[] => {
    const offsets = new Set([initial, ...changes.map(([, offset]) => offset)]);
    return [...offsets]
      .map((offset) => local - offset * SECOND)
      .filter((at) => at + offsetSecondsAt(at) * SECOND === local)
      .sort((a, b) => a - b);
  };
  return {
    id: 'Test/Zone',
    offsetSecondsAt,
    instantsOf,
    instantOf: (local) =>
      instantsOf(local)[0] ??
      changes.map(([at]) => at).find((at) => at + offsetSecondsAt(at) * SECOND > local) ??
      local,
    nextTransition: (at) =>
      changes.map(([from]) => from).find((from) => from > at && from <= at + 400 * DAY) ?? null,
  };
};

const UTC = zoneWith(0, []);
const SPRING = Date.UTC(2026, 2, 29, 1) * 1_000;
const AUTUMN = Date.UTC(2026, 9, 25, 1) * 1_000;
/** Berlin in 2026: one hour ahead, two in summer. */
const BERLIN = zoneWith(3_600, [
  [SPRING, 7_200],
  [AUTUMN, 3_600],
]);

const sampleOf = (times: readonly number[], inputs: readonly number[] = times.map(() => 0)) => ({
  micros: times,
  inputs,
  length: times.length,
});

const spansOf = (times: readonly number[], span: number | null, zone: Zone): SpanCounts => {
  const result = previewSpans(sampleOf(times), 1, span, zone);
  if (E.isLeft(result)) throw new Error(result.left);
  return result.right;
};

const iso = (edges: readonly number[]): string[] =>
  edges.map((edge) => new Date(edge / 1_000).toISOString().slice(5, 16));

describe('preview spans', () => {
  test('nothing to count gives empty rows for every input', () => {
    expect(previewSpans(sampleOf([]), 2, null, UTC)).toEqual(
      E.right({ span: 0, edges: [], counts: { 1: [], 2: [] } }),
    );
  });

  test('edges are aligned, gaps are included, each input has a row', () => {
    const sample = sampleOf([11 * SECOND, 12 * SECOND, 12 * SECOND, 41 * SECOND], [0, 1, 0, 1]);
    expect(previewSpans(sample, 3, 10 * SECOND, UTC)).toEqual(
      E.right({
        span: 10 * SECOND,
        edges: [10, 20, 30, 40].map((s) => s * SECOND),
        counts: { 1: [2, 0, 0, 0], 2: [1, 0, 0, 1], 3: [0, 0, 0, 0] },
      }),
    );
  });

  test('a time stamp on an edge belongs to the span that starts there', () => {
    expect(spansOf([9 * SECOND, 10 * SECOND], 10 * SECOND, UTC).counts).toEqual({ 1: [1, 1] });
  });

  test('times before 1970 are aligned downwards', () => {
    expect(spansOf([-1], 10 * SECOND, UTC).edges).toEqual([-10 * SECOND]);
  });

  test('seven-day spans start on Thursdays', () => {
    const monday = Date.UTC(2026, 0, 5) * 1_000;
    expect(iso(spansOf([monday], 7 * DAY, UTC).edges)).toEqual(['01-01T00:00']);
  });

  test('days start at midnight of the zone, also where they last 23 or 25 hours', () => {
    const spring = spansOf([SPRING - HOUR, SPRING + DAY], DAY, BERLIN);
    expect(iso(spring.edges)).toEqual(['03-28T23:00', '03-29T22:00']);
    const autumn = spansOf([AUTUMN - HOUR, AUTUMN, AUTUMN + DAY], DAY, BERLIN);
    expect(iso(autumn.edges)).toEqual(['10-24T22:00', '10-25T23:00']);
    expect(autumn.counts).toEqual({ 1: [2, 1] });
  });

  test('a spring gap leaves no hour out and makes no empty one', () => {
    const { edges, counts } = spansOf([SPRING - HOUR, SPRING - 1, SPRING, SPRING + HOUR], HOUR, BERLIN);
    expect(iso(edges)).toEqual(['03-29T00:00', '03-29T01:00', '03-29T02:00']);
    expect(counts).toEqual({ 1: [2, 1, 1] });
  });

  test('a span whose start lies in the gap starts at its end', () => {
    expect(iso(spansOf([SPRING + 1, SPRING + HOUR], 2 * HOUR, BERLIN).edges)).toEqual([
      '03-29T01:00',
      '03-29T02:00',
    ]);
  });

  test('both passes of a repeated hour have spans of their own', () => {
    const times = [AUTUMN - HOUR, AUTUMN - HOUR / 2, AUTUMN, AUTUMN + HOUR / 2, AUTUMN + HOUR];
    expect(spansOf(times, HOUR / 2, BERLIN)).toMatchObject({ edges: times, counts: { 1: [1, 1, 1, 1, 1] } });
  });

  test('a first time stamp in the second pass starts in the second pass', () => {
    expect(spansOf([AUTUMN + 1], HOUR, BERLIN).edges).toEqual([AUTUMN]);
  });

  test('a first time stamp on a change backward starts the span that is in use there', () => {
    const { edges, counts } = spansOf([1_792_890_000_000_000], 2_700 * SECOND, BERLIN);
    expect(edges).toHaveLength(1);
    expect(counts).toEqual({ '1': [1] });
  });

  test('too many spans name the smallest span allowed, and that one works', () => {
    const times = [0, 10 * DAY];
    const refused = previewSpans(sampleOf(times), 1, 1_000, BERLIN);
    const message = E.isLeft(refused) ? refused.left : '';
    expect(message).toContain('more than 10000 spans');
    const named = parseSpan(/allowed here is (\w+)\./.exec(message)?.[1] ?? '');
    expect(E.isRight(named)).toBe(true);
    const allowed = spansOf(times, E.isRight(named) ? named.right : 0, BERLIN);
    expect(allowed.edges.length).toBeLessThanOrEqual(MAX_SPANS);
    expect(allowed.edges.length).toBeGreaterThan(MAX_SPANS * 0.99);
  });

  test('exactly the limit is allowed, one more is not', () => {
    expect(E.isRight(previewSpans(sampleOf([0, (MAX_SPANS - 1) * SECOND]), 1, SECOND, UTC))).toBe(true);
    expect(E.isLeft(previewSpans(sampleOf([0, MAX_SPANS * SECOND]), 1, SECOND, UTC))).toBe(true);
  });

  test('for any span edges ascend, cover all timestamps, and each is counted once', () => {
    const times = fc.array(fc.integer({ min: -3 * 86_400, max: 3 * 86_400 }), {
      minLength: 1,
      maxLength: 50,
    });
    const spans = fc.constantFrom(300, 420, 1_800, 2_700, 3_600, 7_200, 14_400, 86_400, 604_800);
    const bases = fc.constantFrom(SPRING, AUTUMN);
    fc.assert(
      fc.property(times, spans, bases, (offsets, seconds, base) => {
        const sorted = offsets.map((offset) => base + offset * SECOND).sort((a, b) => a - b);
        const { edges, counts } = spansOf(sorted, seconds * SECOND, BERLIN);
        const row = counts['1'] ?? [];
        expect(row.length).toBe(edges.length);
        expect(edges.every((edge, i) => i === 0 || edge > (edges[i - 1] as number))).toBe(true);
        expect(edges[0]).toBeLessThanOrEqual(sorted[0] as number);
        expect(edges[1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(sorted[0] as number);
        expect(edges.at(-1)).toBeLessThanOrEqual(sorted.at(-1) as number);
        expect(row.reduce((a, b) => a + b, 0)).toBe(sorted.length);
        expect(row[0]).toBeGreaterThan(0);
        expect(row.at(-1)).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([HOUR / 12, HOUR, 2 * HOUR, DAY, 7 * DAY])(
    'the real zone gives what the model of it gives: %d',
    (span) => {
      const berlin = zoneOf('Europe/Berlin');
      const times = [SPRING - DAY, SPRING - 1, SPRING, SPRING + DAY];
      const autumn = times.map((time) => time + AUTUMN - SPRING);
      for (const sorted of [times, autumn])
        expect(berlin && spansOf(sorted, span, berlin)).toEqual(spansOf(sorted, span, BERLIN));
    },
  );

  test('a range of centuries is counted', () => {
    const berlin = zoneOf('Europe/Berlin');
    const first = Date.UTC(1900, 0, 1) * 1_000;
    const last = Date.UTC(2200, 0, 1) * 1_000;
    const spans = berlin && spansOf([first, last], 30 * DAY, berlin);
    expect(spans?.edges.length).toBeGreaterThan(3_650);
    expect(spans?.counts['1']?.reduce((a, b) => a + b, 0)).toBe(2);
  });
});
