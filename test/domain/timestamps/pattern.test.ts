import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { compilePattern, type TimestampPattern } from '../../../src/domain/timestamps/pattern.js';
import { timestampSpan } from '../../../src/domain/timestamps/span.js';

const pattern = (source: string): TimestampPattern => {
  const compiled = compilePattern(source);
  if (E.isLeft(compiled)) throw new Error(compiled.left);
  return compiled.right;
};

const found = (source: string, line: string): string | undefined => {
  const place = timestampSpan(line, pattern(source));
  return place === null ? undefined : line.slice(...place);
};

const refusal = (source: string): string => {
  const compiled = compilePattern(source);
  return E.isLeft(compiled) ? compiled.left : 'accepted';
};

describe('timestamp patterns', () => {
  test.each([
    [String.raw`\[(?P<timestamp>[^\]]+)\]`, 'a [x] [y]', 'x'],
    [String.raw`\[(?<timestamp>[^\]]+)\]`, 'a [x] [y]', 'x'],
    [String.raw`(?P<q>["'])(?P<timestamp>\d+)(?P=q)`, `"1' '22'`, '22'],
    [String.raw`(["'])(?P<timestamp>\d+)\1`, `"1' '22'`, '22'],
    [String.raw`(?i)at=(?P<timestamp>\w+)`, 'AT=Now', 'Now'],
    ['(?P<timestamp>a{,2})b', 'xaaab', 'aa'],
    ['(?P<timestamp>[]x]+)', 'a]x]', ']x]'],
    ['(?P<timestamp>[^]x]+)', ']x]ab]', 'ab'],
    ['(?P<timestamp>[^-a]+)', '-aXYZa', 'XYZ'],
    ['(?P<timestamp>[^a-]+)', '-aXYZa', 'XYZ'],
    [String.raw`\A(?P<timestamp>\d+)\Z`, '42', '42'],
    [String.raw`(?#when)(?P<timestamp>\d+)(?# digits )`, 'a7', '7'],
    [String.raw`(?P<timestamp>[\\a]+)`, String.raw`x\a`, String.raw`\a`],
    [String.raw`(?P<timestamp>\x41\u0042\U00000043)`, 'ABC', 'ABC'],
    [String.raw`(?P<timestamp>\"\-\/\#\ )`, '"-/# ', '"-/# '],
    [String.raw`(?P<timestamp>\(\[\{)`, '([{', '([{'],
    ['x(?P<timestamp>.)', 'x\r', '\r'],
    ['x{}(?P<timestamp>}])', 'x{}}]', '}]'],
    ['(?P<timestamp>[[a]+)', 'x[a', '[a'],
    ['(?P<timestamp>.)b', '😀b', '😀'],
    [String.raw`(?P<timestamp>[\x41-\x43\060]+)`, 'zABC0', 'ABC0'],
    ['(?s)x(?P<timestamp>.)', 'x1', '1'],
  ])('%s finds in %j the text %j', (source, line, text) => {
    expect(found(source, line)).toBe(text);
  });

  test.each([
    ['abc', "has no group named 'timestamp'"],
    ['(timestamp)', "has no group named 'timestamp'"],
    [String.raw`\(?P<timestamp>x\)`, "has no group named 'timestamp'"],
    ['[(?P<timestamp>x)]', "has no group named 'timestamp'"],
    ['(?P<timestamp>x', 'is not a valid regular expression: unterminated group'],
    ['(?P<timestamp>x))', 'is not a valid regular expression'],
    ['(?P<timestamp>[x)', 'a `[` has no `]`'],
    ['(?P<timestamp>*)', 'nothing to repeat'],
    ['(?P<timestamp>[z-a])', 'out of order'],
    ['(?P<timestamp>x)(?P<timestamp>y)', 'is not a valid regular expression'],
    ['(?>(?P<timestamp>x))', 'atomic groups'],
    ['(?P<timestamp>x++)', 'possessive'],
    ['(?P<timestamp>x{1,2}+)', 'possessive'],
    ['(?P<timestamp>x)(?(1)a|b)', 'conditional groups'],
    ['(?P<timestamp>(?i:x))', 'flags for a part'],
    ['(?P<timestamp>(?-i:x))', 'flags for a part'],
    ['(?x) (?P<timestamp> x )', 'the flag `x`'],
    ['(?P<timestamp>x)(?i)', 'must be at its start'],
    [String.raw`(?P<timestamp>\N{BULLET})`, 'characters by name'],
    [String.raw`(?P<timestamp>x)\2`, 'refers to group 2, but has only 1'],
    [`${'(?P<timestamp>x)'}\\`, 'single backslash'],
    [String.raw`(?P<timestamp>\q)`, 'the escape `\\q` is unknown'],
    ['(?P>timestamp)', 'is not a known kind of group'],
  ])('%s is refused: %s', (source, reason) => {
    expect(refusal(source)).toContain(reason);
  });

  test('non-capturing groups and lookarounds are no flags', () => {
    expect(found(String.raw`(?:a|b)(?=1)(?!2)(?<=b)(?<!x)(?P<timestamp>\d)`, 'b1')).toBe('1');
  });

  test('no part of a pattern matches a line end', () => {
    const sources = [
      String.raw`\s`,
      String.raw`\S`,
      String.raw`\D`,
      String.raw`\W`,
      '.',
      '[^x]',
      String.raw`[\s\S]`,
      String.raw`[\D]`,
      String.raw`[\W]`,
      String.raw`[\x00-\x7f]`,
      String.raw`\n`,
      String.raw`\x0a`,
      String.raw`\u000a`,
      String.raw`\cJ`,
      String.raw`\012`,
      '\n',
      String.raw`\U0000000a`,
      String.raw`\P{L}`,
      String.raw`[\n]`,
      '[^-x]',
    ];
    for (const source of sources) {
      const { lines, group } = pattern(`(?P<timestamp>${source})`);
      lines.lastIndex = 0;
      expect([source, lines.exec('\n\n')?.[group]]).toEqual([source, undefined]);
    }
  });
});
