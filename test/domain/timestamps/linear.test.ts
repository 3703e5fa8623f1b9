import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { compilePattern } from '../../../src/domain/timestamps/pattern.js';
import { timestampSpan } from '../../../src/domain/timestamps/span.js';
import { execFileSync } from '../../support/programs.js';

const FLAGS = [
  '--enable-experimental-regexp-engine',
  '--enable-experimental-regexp-engine-on-excessive-backtracks',
];

/** Runs a program in a Node of its own, with V8's linear engine on. */
const inLinearNode = (program: string, input: unknown): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [...FLAGS, '-e', program], {
      input: JSON.stringify(input),
      encoding: 'utf8',
      // Only for an engine that backtracks for years.
      timeout: 600_000,
    }),
  );

const ATOMS = ['a', '.', String.raw`\d`, String.raw`\s`, '[^x]', '[a-c]', String.raw`\b`, '^'];
const QUANTIFIERS = ['', '*', '+', '?', '+?', '{2}', '{3,}', '{1,5}', '{0,17}', '{16}'];
const part: fc.Arbitrary<string> = fc.letrec<{ part: string; group: string }>((tie) => ({
  part: fc
    .tuple(
      fc.oneof({ depthSize: 'small' }, fc.constantFrom(...ATOMS), tie('group')),
      fc.constantFrom(...QUANTIFIERS),
    )
    .map(([atom, quantifier]) => (atom === '^' || atom === String.raw`\b` ? atom : atom + quantifier)),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?='), fc.array(tie('part'), { minLength: 1, maxLength: 3 }))
    .map(([open, parts]) => `${open}${parts.join('')})`),
})).part;
const source = fc
  .tuple(fc.array(part, { maxLength: 4 }), fc.array(part, { maxLength: 2 }))
  .map(([before, after]) => `${before.join('')}(?P<timestamp>\\d+)${after.join('')}`);

describe('patterns that are searched in linear time', () => {
  test('are those that the linear engine of V8 takes', () => {
    const patterns = fc.sample(source, { numRuns: 3_000, seed: 7 }).flatMap((text) => {
      const compiled = compilePattern(text);
      return E.isRight(compiled) && compiled.right.isLinear ? [compiled.right.line.source] : [];
    });
    expect(patterns.length).toBeGreaterThan(500);
    const refused = inLinearNode(
      `const all = JSON.parse(require('fs').readFileSync(0, 'utf8'));
       console.log(JSON.stringify(all.filter((source) => {
         try { new RegExp(source, 'l'); new RegExp(source, 'lgm'); return false; } catch { return true; }
       })));`,
      patterns,
    );
    expect(refused).toEqual([]);
  });

  test('end where backtracking would take years', () => {
    const compiled = compilePattern(String.raw`(a+)+(?P<timestamp>\d)$`);
    if (E.isLeft(compiled)) throw new Error(compiled.left);
    const { line, lines } = compiled.right;
    const found = inLinearNode(
      `const [source, flags] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
       console.log(JSON.stringify(flags.map((flag) => new RegExp(source, flag).exec('a'.repeat(5000) + '!'))));`,
      [line.source, [line.flags, lines.flags]],
    );
    expect(found).toEqual([null, null]);
  });

  test('find the same places as patterns that count characters, in texts with characters beyond U+FFFF', () => {
    const text = fc
      .array(fc.constantFrom('a', ' ', '7', 'x', 'ä', '😀', '\ue000', '𝔸'), { maxLength: 12 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(source, text, (pattern, line) => {
        const linear = compilePattern(pattern);
        if (E.isLeft(linear) || !linear.right.isLinear) return;
        const { line: search } = linear.right;
        const counting = { ...linear.right, line: new RegExp(search.source, 'u'), isLinear: false };
        expect(timestampSpan(line, linear.right)).toEqual(timestampSpan(line, counting));
      }),
      { numRuns: 2_000 },
    );
  });
});
