import * as E from 'fp-ts/lib/Either.js';
import { compileStrftime } from '../../../../domain/time/strftime.js';
import { utc } from '../../../../domain/time/zone.js';
import { escaped } from './slots.js';

/** Digits of the codes that write numbers, and their blank padding. */
const TWO = 'CdgHIMmSUVWy';
const BLANK = 'ekl';
const PATTERNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...TWO].map((code) => [code, '\\d{2}'])),
  ...Object.fromEntries([...BLANK].map((code) => [code, '[ \\d]\\d'])),
  G: '\\d{4}',
  Y: '\\d{4}',
  j: '\\d{3}',
  s: '\\d{1,11}',
  u: '[1-7]',
  w: '[0-6]',
  A: '[A-Z][a-z]{5,8}',
  a: '[A-Z][a-z]{2}',
  B: '[A-Z][a-z]{2,8}',
  b: '[A-Z][a-z]{2}',
  h: '[A-Z][a-z]{2}',
  P: '[ap]m',
  p: '[AP]M',
  Z: '[A-Za-z+-][\\w:+-]{0,9}',
  z: '[+-]\\d{4}',
  ':z': '[+-]\\d{2}:\\d{2}',
  n: '\\n',
  t: '\\t',
  '%': '%',
  f: '\\d{6}',
  L: '\\d{3}',
  c: '[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}',
  D: '\\d{2}/\\d{2}/\\d{2}',
  F: '\\d{4}-\\d{2}-\\d{2}',
  R: '\\d{2}:\\d{2}',
  r: '\\d{2}:\\d{2}:\\d{2} [AP]M',
  T: '\\d{2}:\\d{2}:\\d{2}',
  X: '\\d{2}:\\d{2}:\\d{2}',
  x: '\\d{2}/\\d{2}/\\d{2}',
};

const UNPADDED: Readonly<Record<string, string>> = { '-': '\\d{1,4}', _: '[ \\d]\\d{0,3}' };

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?[+-]\d{2}:\d{2}$/;

const isNumber = (code: string): boolean => /^[CdgHIMmSUVWyekljGYsuw]$/.test(code);

/** Returns a pattern of what a format writes, or an error that says why the format is refused. */
export const lookOf = (format: string): E.Either<string, RegExp> => {
  const compiled = compileStrftime(format, utc);
  if (E.isLeft(compiled)) return compiled;
  if (format === 'iso8601') return E.right(ISO);
  const source = format.replace(
    /(?<=%f)0+|%([-_0]?)(:z|[A-Za-z%])|([^%]+)/g,
    (whole: string, flag: string | undefined, code: string | undefined, literal: string | undefined) => {
      // Digits that are finer than microseconds.
      if (whole.startsWith('0') && code === undefined) return `\\d{${whole.length}}`;
      if (literal !== undefined) return escaped(literal);
      const unpadded = isNumber(code ?? '') ? UNPADDED[flag ?? ''] : undefined;
      return unpadded ?? PATTERNS[code ?? ''] ?? '';
    },
  );
  return E.right(new RegExp(`^${source}$`));
};
