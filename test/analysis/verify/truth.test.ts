import { describe, expect, test } from '@jest/globals';
import { makeTruth, type Truth } from '../../../src/analysis/verify/truth.js';
import type { Labelled } from '../../../src/domain/imperfections.js';
import { crcText, readLabel } from '../../../src/imperfections/label.js';
import { events, verified } from './support.js';

interface Given {
  readonly sequence: number;
  readonly what: Labelled;
  /** The damaged line. */
  readonly line?: string;
}

const labelText = ({ sequence, what, line }: Given): string =>
  JSON.stringify({
    at: '2026-11-24T04:00:00+00:00',
    output: '1-file',
    event: sequence,
    mark: `00000001:${sequence}`,
    what,
    ...(line === undefined
      ? {}
      : { bytes: Buffer.byteLength(line), crc: crcText(Buffer.from(line), 0, Buffer.byteLength(line)) }),
  });

const truthOf = (given: readonly Given[]): Truth => {
  const truth = makeTruth();
  for (const one of given) {
    const label = readLabel(labelText(one));
    if (label === null) throw new Error('no label');
    truth.add(label);
  }
  return truth;
};

const ten = events(10);
const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const line = (sequence: number): string => ten[sequence - 1] as string;

describe('a verification with the ground truth', () => {
  test('accepts what was dropped on purpose, and still finds what is lost', () => {
    const truth = (): Truth => truthOf([{ sequence: 4, what: 'dropped' }]);
    const without = (...gone: readonly number[]): string =>
      lines(...ten.filter((_, index) => !gone.includes(index + 1)));
    const explained = verified([without(4)], { truth: truth(), expected: 10 });
    expect(explained).toMatchObject({ ok: true, problems: [], events: 9 });
    expect(explained.streams[0]).toMatchObject({ lost: { count: 0 }, on_purpose: { dropped: 1 } });
    const lost = verified([without(4, 7)], { truth: truth(), expected: 10 });
    expect(lost.problems).toEqual(['1 event is lost', 'expected 10 events, 8 arrived, 1 did not on purpose']);
    expect(lost.streams[0]?.lost).toEqual({ count: 1, ranges: [[7, 7]] });
  });

  test('accepts a dropped last event', () => {
    const truth = truthOf([{ sequence: 10, what: 'dropped' }]);
    expect(verified([lines(...ten.slice(0, 9))], { truth, expected: 10 }).ok).toBe(true);
  });

  test('accepts one second copy of each doubled event; others are duplicates', () => {
    const truth = (): Truth => truthOf([{ sequence: 2, what: 'doubled' }]);
    const twice = lines(line(1), line(2), line(2), line(3));
    expect(verified([twice], { truth: truth() }).ok).toBe(true);
    const more = verified([lines(line(1), line(2), line(2), line(2), line(3), line(3))], { truth: truth() });
    expect(more.problems).toEqual(['2 duplicates']);
    expect(more.streams[0]?.duplicates.first).toEqual([2, 3]);
    expect(more.streams[0]?.on_purpose).toMatchObject({ doubled: 1, missing_copies: 0 });
  });

  test('misses a second copy that did not arrive', () => {
    const truth = truthOf([{ sequence: 2, what: 'doubled' }]);
    expect(verified([lines(...ten)], { truth }).problems).toEqual(['1 copy of the ground truth is lost']);
  });

  test('knows damaged lines again, and tells them from others', () => {
    const cut = line(3).slice(0, -5);
    const broken = line(5).replace('event', 'ev\u0000ent');
    const given: readonly Given[] = [
      { sequence: 3, what: 'truncated', line: cut },
      { sequence: 5, what: 'malformed', line: broken },
    ];
    const damaged = lines(line(1), line(2), cut, line(4), broken, line(6));
    const explained = verified([damaged], { truth: truthOf(given) });
    expect(explained).toMatchObject({ ok: true, torn: { count: 0 }, mismatches: { count: 0 } });
    expect(explained.streams[0]?.on_purpose).toMatchObject({ truncated: 1, malformed: 1 });
    const worse = verified([damaged.replace(`${line(6)}\n`, `${line(6).slice(0, -4)}\n${line(7)}\n`)], {
      truth: truthOf(given),
    });
    expect(worse.problems).toEqual(['1 event is lost', '1 torn line']);
  });

  test('a damaged line that did not arrive is lost', () => {
    const truth = truthOf([{ sequence: 3, what: 'truncated', line: line(3).slice(0, -5) }]);
    const found = verified([lines(line(1), line(2), line(4))], { truth });
    expect(found.problems).toEqual(['1 event is lost']);
  });

  test('a damaged event that arrived whole, from the dead letters, is not lost', () => {
    const truth = truthOf([{ sequence: 3, what: 'truncated', line: line(3).slice(0, -5) }]);
    expect(verified([lines(...ten)], { truth }).ok).toBe(true);
  });

  test('accepts what was lost in a silence, and still finds what is lost', () => {
    const given: readonly Given[] = [4, 5, 6].map((sequence) => ({ sequence, what: 'silenced' }));
    const without = (...gone: readonly number[]): string =>
      lines(...ten.filter((_, index) => !gone.includes(index + 1)));
    const explained = verified([without(4, 5, 6)], { truth: truthOf(given), expected: 10 });
    expect(explained).toMatchObject({ ok: true, problems: [], events: 7 });
    expect(explained.streams[0]?.on_purpose).toMatchObject({ silenced: 3, dropped: 0 });
    const lost = verified([without(4, 5, 6, 7)], { truth: truthOf(given), expected: 10 });
    expect(lost.problems).toEqual(['1 event is lost', 'expected 10 events, 6 arrived, 3 did not on purpose']);
  });

  test('accepts events that come after a silence; without a label they are out of order', () => {
    const burst = lines(line(1), line(4), line(2), line(3), line(5));
    const given: readonly Given[] = [2, 3].map((sequence) => ({ sequence, what: 'buffered' }));
    const explained = verified([burst], { truth: truthOf(given) });
    expect(explained.streams[0]).toMatchObject({ out_of_order: 0, on_purpose: { buffered: 2 } });
    const inOrder = verified([lines(...ten)], { truth: truthOf(given) });
    expect(inOrder.streams[0]).toMatchObject({ out_of_order: 0, on_purpose: { buffered: 2 } });
    const unexplained = verified([burst], { truth: truthOf(given.slice(1)) });
    expect(unexplained.streams[0]).toMatchObject({ out_of_order: 1, on_purpose: { buffered: 1 } });
  });

  test('counts the events with a wrong clock that arrived, each once', () => {
    const given: readonly Given[] = [2, 3, 4].map((sequence) => ({ sequence, what: 'skewed' }));
    const found = verified([lines(line(1), line(2), line(2), line(3))], { truth: truthOf(given) });
    expect(found.problems).toEqual(['1 duplicate']);
    expect(found.streams[0]?.on_purpose).toMatchObject({ skewed: 2 });
    const missing = verified([lines(line(1), line(2), line(4))], { truth: truthOf(given) });
    expect(missing.problems).toEqual(['1 event is lost']);
  });

  test('labels of other streams and repeated labels change nothing', () => {
    const truth = truthOf([
      { sequence: 2, what: 'doubled' },
      { sequence: 2, what: 'doubled' },
    ]);
    expect(verified([lines(...events(3, 'text', 2))], { truth }).ok).toBe(true);
  });

  test.each(['', 'no label', '{"what": "lost"}', '[]', '{"output": "1", "event": 1, "what": "eaten"}'])(
    'takes %j for no label',
    (text) => {
      expect(readLabel(text)).toBeNull();
    },
  );
});
