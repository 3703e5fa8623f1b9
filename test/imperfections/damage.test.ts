import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { type ImperfectionChoices, MALFORMED_KINDS } from '../../src/domain/imperfections.js';
import { drawKey, seededRandom } from '../../src/domain/random.js';
import { applyImperfections } from '../../src/imperfections/apply.js';
import { malformed, truncated } from '../../src/imperfections/damage.js';

const NONE = {
  dropped: 0,
  doubled: 0,
  truncated: 0,
  late: null,
  out_of_order: null,
  skewed: 0,
  silent: null,
};
const anyText = fc.string({ unit: 'grapheme', maxLength: 40 });
const anySeed = fc.integer();
const drawsOf = (seed: number) => (purpose: number) => seededRandom([seed, purpose]).next();

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

const applied = (choices: ImperfectionChoices, texts: readonly string[]) => {
  const made = applyImperfections(
    { choices, key: drawKey(seededRandom('a seed')), skew: null },
    textBatch(texts),
    { ordinals: [...texts.keys()], times: null, texts: () => texts },
  );
  if (made === null) throw new Error('nothing was damaged');
  return {
    batch: made.batch,
    damages: made.flawed.map((one) => (one.what === 'silenced' ? null : one.damaged)),
  };
};

describe('a damaged event', () => {
  test('that is truncated is the beginning of its text, in whole characters', () => {
    fc.assert(
      fc.property(anyText, anySeed, (text, seed) => {
        const damaged = truncated(text, drawsOf(seed));
        if (damaged === null) return Array.from(text).length < 2;
        const kept = damaged.bytes.toString();
        return kept !== '' && kept.length < text.length && text.startsWith(kept) && isUtf8(damaged.bytes);
      }),
    );
  });

  test('with a control byte has one more character, which is a control', () => {
    fc.assert(
      fc.property(anyText, anySeed, (text, seed) => {
        const { bytes, at, kind } = malformed(text, 'control_bytes', drawsOf(seed));
        const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
        expect([0, 7, 8, 27, 127]).toContain(bytes[at]);
        return kind === 'control_bytes' && rest.toString() === text;
      }),
    );
  });

  test('with a bad encoding is no UTF-8, and whole without the bad byte', () => {
    fc.assert(
      fc.property(anyText, anySeed, (text, seed) => {
        const { bytes, at } = malformed(text, 'bad_encoding', drawsOf(seed));
        const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
        return !isUtf8(bytes) && rest.toString() === text;
      }),
    );
  });

  test('of broken JSON lacks one character and cannot be parsed', () => {
    const anyObject = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(anyObject, anySeed, (text, seed) => {
        const { bytes, kind } = malformed(text, 'broken_json', drawsOf(seed));
        expect(() => JSON.parse(bytes.toString())).toThrow();
        return kind === 'broken_json' && bytes.toString().length === text.length - 1;
      }),
    );
  });

  test.each(['plain text', '12', 'null', ''])(
    '%j, which has no JSON to break, gets a control byte',
    (text) => {
      expect(malformed(text, 'broken_json', drawsOf(1)).kind).toBe('control_bytes');
    },
  );

  test('keeps its bytes in a batch, also beside events of several lines', () => {
    const choices = { ...NONE, malformed: 1, kinds: ['bad_encoding'] as const };
    const made = applied(choices, ['a\nb', 'é']);
    const expected = made.damages.map((damaged) => `${damaged?.bytes.toString('latin1')}\n`).join('');
    expect(Buffer.from(made.batch.bytes('\n')).toString('latin1')).toBe(expected);
    expect(made.batch.texts().join()).toContain('\ufffd');
  });

  test('is of each kind in equal shares', () => {
    const choices = { ...NONE, malformed: 1, kinds: MALFORMED_KINDS };
    const texts = Array.from({ length: 3_000 }, () => '{"a":1}');
    const made = applied(choices, texts);
    for (const kind of MALFORMED_KINDS) {
      const count = made.damages.filter((damaged) => damaged?.kind === kind).length;
      // Four standard deviations.
      expect(Math.abs(count - 1_000)).toBeLessThan(104);
    }
  });
});
