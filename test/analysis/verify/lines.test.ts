import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeLineCutter } from '../../../src/analysis/verify/lines.js';

/** Lines of a text that comes in pieces; `null` for one over the limit. */
const cut = (pieces: readonly string[], max_line_bytes = 1_000) => {
  const lines: (string | null)[] = [];
  let isLastEnded = true;
  const cutter = makeLineCutter(
    {
      onLine: (bytes, from, to, isEnded) => {
        lines.push(bytes.toString('utf8', from, to));
        isLastEnded = isEnded;
      },
      onTooLong: () => lines.push(null),
    },
    max_line_bytes,
  );
  for (const piece of pieces) {
    const chunk = Buffer.from(piece);
    cutter.push(chunk);
    chunk.fill('#');
  }
  cutter.end();
  return { lines, isLastEnded };
};

describe('lines', () => {
  test('are those of the whole text, however it is cut into pieces', () => {
    const pieces = fc.array(fc.array(fc.constantFrom('a', 'bc', '\n', '\n\n', 'é')).map((p) => p.join('')));
    fc.assert(
      fc.property(pieces, (texts) => {
        const expected = texts.join('').split('\n');
        const rest = expected.pop();
        const { lines, isLastEnded } = cut(texts);
        expect(lines).toEqual(rest === '' ? expected : [...expected, rest]);
        expect(isLastEnded).toBe(rest === '');
      }),
      { seed: 1 },
    );
  });

  test('over the limit are left out one by one; the next one is whole', () => {
    const long = 'x'.repeat(11);
    const whole = `a\n${long}\n${'y'.repeat(10)}\n\n${long}${long}`;
    for (const size of [1, 3, 11, 13, 100]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        whole.slice(i * size, (i + 1) * size),
      );
      expect(cut(pieces, 10).lines).toEqual(['a', null, 'y'.repeat(10), '', null]);
    }
  });
});
