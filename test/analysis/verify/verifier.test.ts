import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { events, linesOf, marked, microsOf, verified } from './support.js';

describe('verify', () => {
  test.each(['text', 'tsv', 'json'] as const)('%s: events that all arrived in order are ok', (mode) => {
    const report = verified([linesOf(events(100, mode))]);
    expect(report).toEqual({
      ok: true,
      problems: [],
      lines: 100,
      events: 100,
      expected: null,
      streams: [
        {
          stream: '00000001',
          events: 100,
          first: 1,
          last: 100,
          lost: { count: 0, ranges: [] },
          duplicates: { count: 0, first: [] },
          out_of_order: 0,
          latency_ms: null,
          on_purpose: null,
        },
      ],
      unmarked: { count: 0, first: [] },
      torn: { count: 0, first: [] },
      mismatches: { count: 0, first: [] },
      unchecked: 0,
      too_long: { count: 0, first: [] },
      uncounted: 0,
    });
  });

  test('lost events are counted, with their first ranges; the missing head counts', () => {
    const kept = events(120).filter((_, i) => i !== 0 && !(i >= 16 && i <= 19) && i !== 98);
    const report = verified([linesOf(kept)]);
    expect(report.ok).toBe(false);
    expect(report.problems).toEqual(['6 events are lost']);
    expect(report.streams[0]).toMatchObject({
      first: 2,
      last: 120,
      lost: {
        count: 6,
        ranges: [
          [1, 1],
          [17, 20],
          [99, 99],
        ],
      },
    });
  });

  test('a missing end is seen only when the number is known', () => {
    const kept = linesOf(events(90));
    expect(verified([kept])).toMatchObject({ ok: true });
    const report = verified([kept], { expected: 100 });
    expect(report.problems).toEqual(['10 events are lost', 'expected 100 events, 90 arrived']);
    expect(report.streams[0]?.lost.ranges).toEqual([[91, 100]]);
    expect(verified([kept], { expected: 89 }).problems).toEqual(['expected 89 events, 90 arrived']);
    const two = [kept, linesOf(events(10, 'text', 2))];
    expect(verified(two, { expected: 100 }).ok).toBe(true);
    expect(verified(two, { expected: 101 }).problems).toEqual(['expected 101 events, 100 arrived']);
  });

  test('duplicates fail unless they are allowed, and are no events out of order', () => {
    const lines = events(10);
    lines.splice(7, 0, lines[2] ?? '', lines[2] ?? '', lines[4] ?? '');
    const report = verified([linesOf(lines)]);
    expect(report.problems).toEqual(['3 duplicates']);
    expect(report.streams[0]).toMatchObject({
      events: 10,
      duplicates: { count: 3, first: [3, 5] },
      out_of_order: 0,
    });
    expect(verified([linesOf(lines)], { allow_duplicates: true }).ok).toBe(true);
  });

  test('events out of order are counted and do not fail; rows of a table have no order', () => {
    const [one = '', two = '', three = '', four = ''] = events(4);
    const text = linesOf([three, one, two, four]);
    expect(verified([text])).toMatchObject({ ok: true, streams: [{ out_of_order: 2 }] });
    expect(verified([text], { has_order: false }).streams[0]?.out_of_order).toBeNull();
  });

  test('a changed event has not arrived: its checksum is named with its place, its number is lost', () => {
    const lines = events(5);
    lines[2] = (lines[2] ?? '').replace('event', 'evEnt');
    const report = verified([linesOf(lines)]);
    expect(report.problems).toEqual(['1 event is lost', '1 wrong checksum']);
    expect(report.mismatches).toEqual({
      count: 1,
      first: [{ input: '', line: 3, stream: '00000001', sequence: 3 }],
    });
  });

  test('a broken mark reserves no memory for its number', () => {
    const wrong = 'x spate=00000001:9007199254740991:1:00000000';
    const report = verified([linesOf([...events(2), wrong, wrong.replace('00000001', '00000009')])]);
    expect(report.streams).toHaveLength(1);
    expect(report.streams[0]).toMatchObject({ last: 2, lost: { count: 0 } });
    expect(report.mismatches.count).toBe(2);
  });

  test('a mark without text is counted and cannot be checked', () => {
    const alone = events(3).map((line) => line.replace(/^.* spate=/, ''));
    expect(verified([linesOf(alone)])).toMatchObject({ ok: true, events: 3, unchecked: 3 });
  });

  test('lines without mark are counted and do not fail', () => {
    const report = verified([linesOf(['head', ...events(2), '', 'x', ...events(3).slice(2), 'tail'])]);
    expect(report).toMatchObject({ ok: true, lines: 7 });
    expect(report.unmarked).toEqual({
      count: 4,
      first: [1, 4, 5, 7].map((line) => ({ input: '', line })),
    });
  });

  test('no mark at all is not ok', () => {
    expect(verified(['a\nb\n']).problems).toEqual(['no line has a mark']);
    expect(verified([]).problems).toEqual(['no line has a mark']);
    expect(verified(['a\nb']).problems).toEqual(['no line has a mark']);
  });

  test('a torn line is found at the end and within the file', () => {
    const whole = linesOf(events(4));
    const start = whole.lastIndexOf('event');
    for (let to = start + 1; to < whole.length - 1; to++) {
      const report = verified([whole.slice(0, to)], { expected: 4 });
      expect([report.torn.count, report.events, report.mismatches.count]).toEqual([1, 3, 0]);
    }
    // All but the line feed is there: the event is.
    expect(verified([whole.slice(0, -1)])).toMatchObject({ ok: true, torn: { count: 0 }, events: 4 });
    const [one = '', two = ''] = events(2);
    const mended = linesOf([one, two.slice(0, -5), two]);
    expect(verified([mended]).problems).toEqual(['1 torn line']);
    expect(verified([mended], { allow_duplicates: true })).toMatchObject({
      ok: true,
      torn: { count: 1, first: [{ line: 2 }] },
    });
  });

  test('a torn event that runs into the next one is a wrong checksum', () => {
    const [one = '', two = '', three = ''] = events(3);
    const report = verified([linesOf([one, two.slice(0, 12) + three])]);
    expect(report.problems).toEqual(['1 wrong checksum']);
    expect(verified([linesOf([one, two.slice(0, 12) + three])], { expected: 3 }).streams[0]?.lost.count).toBe(
      2,
    );
  });

  test('streams may be interleaved, over several inputs; places name the input', () => {
    const [a, b] = [events(50, 'text', 0xa), events(50, 'json', 0xb)];
    const mixed = a.flatMap((line, i) => (i === 20 ? [line] : [line, b[i] ?? '']));
    const report = verified([linesOf(mixed.slice(0, 30)), linesOf([...mixed.slice(30), 'odd'])]);
    expect(report.streams.map(({ stream, events: n, lost }) => [stream, n, lost.count])).toEqual([
      ['0000000a', 50, 0],
      ['0000000b', 49, 1],
    ]);
    expect(report.unmarked.first).toEqual([{ input: 'file 2', line: 70 }]);
  });

  test('events of several lines are whole events, with other lines around them', () => {
    const trace = marked(2, 'Error: no\n  at a (b.js:1)\n\n  at c');
    const row = marked(4, 'a\tb\n', 'tsv');
    const [one = '', , three = ''] = events(3);
    const report = verified([linesOf(['noise', one, 'more noise', trace, three, row])]);
    expect(report).toMatchObject({ ok: true, events: 4, unmarked: { count: 2 } });
    expect(report.unmarked.first.map(({ line }) => line)).toEqual([1, 3]);
  });

  test('any events are recognized as intact', () => {
    const unit = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom('a', ' ', '\t', '\n', '\r', '\n', '{', '"', ' spate='),
    );
    const event = fc.array(unit, { maxLength: 20 }).map((units) => units.join(''));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), fc.constantFrom('text', 'tsv'), (list, mode) => {
        const text = linesOf(list.map((one, i) => marked(i + 1, one, mode as 'text')));
        const report = verified([text], { expected: list.length });
        expect(report).toMatchObject({ events: list.length, mismatches: { count: 0 } });
        expect([report.unmarked.count, report.torn.count]).toEqual([0, 0]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  test.each(['text', 'tsv', 'json'] as const)('%s: no changed byte of a file goes unnoticed', (mode) => {
    const good = Buffer.from(linesOf(events(12, mode).map((line) => line.replace(': ', ':'))));
    expect(verified([good], { expected: 12 }).ok).toBe(true);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] ?? 0) ^ change;
        const report = verified([bad], { expected: 12, chunk_bytes: 4_096 });
        expect(report.ok).toBe(false);
        expect(report.events).toBeGreaterThanOrEqual(10);
      }),
      { seed: 1, numRuns: 3_000 },
    );
  });

  test('any bytes at all are read without complaint', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('{', '[', '"spate":"', ' spate=', '\t', '\n', ':1:', '00000001', '"}', '\ufeff')
        .map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const report = verified([Buffer.concat([...pieces, Buffer.from(`\n${linesOf(events(2))}`)])]);
        expect(report.events).toBeGreaterThanOrEqual(2);
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });

  test('a byte order mark is ignored', () => {
    for (const mode of ['text', 'json'] as const) {
      expect(verified([`\ufeff${linesOf(events(2, mode))}`])).toMatchObject({ ok: true, events: 2 });
    }
    // Here it belongs to the event.
    expect(verified([linesOf([marked(1, '\ufeffa')])])).toMatchObject({ ok: true, events: 1 });
  });

  test('line ends may be CR LF', () => {
    for (const mode of ['text', 'tsv', 'json'] as const) {
      expect(verified([events(3, mode).join('\r\n')])).toMatchObject({ ok: true, events: 3 });
    }
  });

  test('an indented JSON event is found by its mark', () => {
    const indented = events(2, 'json').map((text) => JSON.stringify(JSON.parse(text), null, 2));
    expect(verified([linesOf(indented)])).toMatchObject({ ok: true, events: 2, unchecked: 2 });
  });

  test('a JSON array of events is checked event by event', () => {
    const report = verified([
      `[${events(3, 'json').join(', ')}]\n[${events(5, 'json').slice(3).join(',')}]\n`,
    ]);
    expect(report).toMatchObject({ ok: true, events: 5, lines: 2, unchecked: 0 });
  });

  test('latency is arrival minus timestamp; what came early counts as 0 and is counted', () => {
    const arrived = microsOf(8) + 500_000;
    const report = verified([linesOf(events(9))], { arrived });
    const latency = report.streams[0]?.latency_ms;
    expect(latency).toMatchObject({ max: 7_500, early: 1 });
    expect(latency?.p50).toBeGreaterThanOrEqual(3_500);
    expect(latency?.p50).toBeLessThanOrEqual(3_500 * 1.25);
    expect(latency?.p99).toBe(7_500);
  });

  test('uncounted marks are reported', () => {
    const lines = [...events(3), ...events(2, 'text', 2), marked(40_000, 'far')];
    const report = verified([linesOf(lines)], { max_streams: 1, max_blocks: 1 });
    expect(report).toMatchObject({ events: 3, uncounted: 3, ok: false });
    expect(report.problems).toEqual(['3 marks could not be counted']);
  });

  test('of each kind only the first ones are listed', () => {
    const kept = events(100).filter((_, i) => i % 2 === 1);
    const report = verified([linesOf([...kept, ...kept, ...kept.map(() => 'no')])], { max_shown: 2 });
    expect(report.streams[0]?.lost).toEqual({
      count: 50,
      ranges: [
        [1, 1],
        [3, 3],
      ],
    });
    expect(report.streams[0]?.duplicates).toEqual({ count: 50, first: [2, 4] });
    expect([report.unmarked.count, report.unmarked.first.length]).toEqual([50, 2]);
  });
});
