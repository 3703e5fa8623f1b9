import { describe, expect, test } from '@jest/globals';
import { compileRegex, type Flags, NO_FLAGS, PatternError, pointsOf, Regex } from '../src/regex/regex.js';
import { hasPython, spawnSync } from './support/programs.js';
import { makeRandom } from './support/templates/regexFuzz.js';

const hasOracle = hasPython('import re');

const PYTHON = `
import json, re, sys, warnings
warnings.simplefilter('ignore')
F = {'': 0, 'i': re.I, 'm': re.M, 's': re.S, 'a': re.A}
out = []
for pattern, text, flag in json.load(sys.stdin):
    try:
        r = re.compile(pattern, F[flag])
        ms = (r.search(text), r.match(text), r.fullmatch(text))
        out.append([None if m is None else [list(m.span(i)) for i in range(r.groups + 1)] for m in ms])
    except re.error as e:
        out.append(str(e))
json.dump(out, sys.stdout)
`;

const FLAGS: Readonly<Record<string, Partial<Flags>>> = {
  '': {},
  i: { ignoresCase: true },
  m: { isMultiline: true },
  s: { dotMatchesAll: true },
  a: { isAscii: true },
};

const answerOf = ([pattern, text, flag]: readonly [string, string, string]): unknown => {
  try {
    const regex = new Regex(pattern, { ...NO_FLAGS, ...FLAGS[flag] });
    const subject = pointsOf(text);
    return (['search', 'match', 'full'] as const).map((mode) => {
      const spans = regex.run(subject, 0, mode, () => {});
      return spans && Array.from({ length: spans.length / 2 }, (_, g) => [spans[2 * g], spans[2 * g + 1]]);
    });
  } catch (thrown) {
    if (thrown instanceof PatternError) return thrown.message;
    throw thrown;
  }
};

describe('regular expressions', () => {
  (hasOracle ? test : test.skip)('4,000 random patterns give the groups and the errors of Python', () => {
    const { cases } = makeRandom(20_261_123, 4_000);
    const { stdout } = spawnSync('python3', ['-c', PYTHON], {
      input: JSON.stringify(cases),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const theirs = JSON.parse(stdout) as unknown[];
    const different = cases
      .map((each, index) => ({ each, theirs: theirs[index], ours: answerOf(each) }))
      .filter(({ theirs, ours }) => JSON.stringify(theirs) !== JSON.stringify(ours));
    expect(different).toEqual([]);
  });

  test.each([
    ['(a+)+$', 'a'],
    ['(a*)*b', 'a'],
    ['a*b', 'a'],
    ['(x+x+)+y', 'x'],
    ['(.*)(.*)(.*)(.*)[^#]$', 'a'],
    ['(?:a|a|aa)*!', 'a'],
  ])('%s fails on a long text in a time linear in it', (pattern, character) => {
    const regex = compileRegex(pattern);
    if (typeof regex === 'string') throw new Error(regex);
    const stepsOf = (length: number): number => {
      let steps = 0;
      const subject = pointsOf(`${character.repeat(length)}##`);
      expect(
        regex.run(subject, 0, 'search', (more) => {
          steps += more;
        }),
      ).toBeNull();
      return steps;
    };
    expect(regex.isLinear).toBe(true);
    expect(stepsOf(40_000) / stepsOf(20_000)).toBeLessThan(2.3);
  });

  test('a pattern with an exploding reference is given up', () => {
    const regex = compileRegex('(a+)+\\1$');
    if (typeof regex === 'string') throw new Error(regex);
    expect(regex.isLinear).toBe(false);
    expect(regex.search(`${'a'.repeat(60)}#`)).toBeNull();
    expect(regex.gaveUp).toBe(true);
    expect(regex.search('aa')).toEqual(Int32Array.of(0, 2, 0, 1));
    expect(regex.gaveUp).toBe(false);
  });

  test('errors of a pattern are worded as in Python, with the position', () => {
    expect(compileRegex('a(b')).toBe('missing ), unterminated subpattern at position 1');
    expect(compileRegex('(?P<n>a)(?P<n>b)')).toBe(
      "redefinition of group name 'n' as group 2; was group 1 at position 12",
    );
    expect(compileRegex('((a{60000}){60000}){60000}')).toBe('the pattern is too large at position 0');
  });
});
