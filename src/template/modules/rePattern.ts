import {
  compileRegex,
  type MatchMode,
  pointsOf,
  type Regex,
  type RegexSubject,
  SearchTooLarge,
  type Spans,
} from '../../regex/regex.js';
import { raise } from '../errors.js';
import { checkGrown, checkLonger, spend } from '../limits.js';
import { textOf } from '../values/types/markup.js';
import { typeName, type Value } from '../values/value.js';

export const FLAGS = { A: 256, I: 2, M: 8, S: 16, U: 32, X: 64 } as const;

const STEPS_PER_SEARCH = 2;

/** Engine steps per budget step. */
const STEPS_PER_STEP = 16;
const meter = (steps: number): void => spend(steps / STEPS_PER_STEP);

/** Fixed cost of compiling a pattern. */
const STEPS_PER_PATTERN = 64;

const KNOWN = new Map<string, Regex>();
const MAX_KNOWN = 500;
const MAX_LENGTH = 1_000;

/** Throws Python's `error` for an invalid pattern. */
export const compiled = (pattern: string, flags: number): Regex => {
  const key = `${flags};${pattern}`;
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  spend(pattern.length + STEPS_PER_PATTERN);
  const made = compileRegex(pattern, {
    isAscii: (flags & FLAGS.A) !== 0,
    ignoresCase: (flags & FLAGS.I) !== 0,
    isMultiline: (flags & FLAGS.M) !== 0,
    dotMatchesAll: (flags & FLAGS.S) !== 0,
    isVerbose: (flags & FLAGS.X) !== 0,
  });
  if (typeof made === 'string') return raise('error', made);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  if (pattern.length <= MAX_LENGTH) KNOWN.set(key, made);
  return made;
};

export const needPattern = (value: Value): string =>
  textOf(value) ??
  raise(
    'TypeError',
    `expected string or bytes-like object, got '${typeName(value)}' (patterns match texts only)`,
  );

/** A text to search between two positions, by code points. */
export interface Searched {
  readonly subject: RegexSubject;
  readonly from: number;
}

const UNITS_PER_STEP = 64;

export const searched = (text: string, from = 0, to = Number.MAX_SAFE_INTEGER): Searched => {
  spend(text.length / UNITS_PER_STEP);
  const whole = pointsOf(text);
  const length = Math.max(0, Math.min(whole.length, to));
  const subject = length === whole.length ? whole : { ...whole, length };
  return { subject, from: Math.max(0, from) };
};

export const cutText = ({ text, points }: RegexSubject, from: number, to: number): string => {
  if (points === null) return text.slice(from, to);
  let result = '';
  for (let i = from; i < to; i++) result += String.fromCodePoint(points[i] as number);
  return result;
};

export const memoized = (
  regex: Regex,
  { subject, from }: Searched,
  mode: MatchMode,
  mustTake = false,
): Spans | null => {
  if (from > subject.length) return null;
  spend(STEPS_PER_SEARCH);
  try {
    return regex.run(subject, from, mode, meter, mustTake);
  } catch (thrown) {
    if (!(thrown instanceof SearchTooLarge)) throw thrown;
    return raise(
      'LimitError',
      'this search has too many ways to go back to: the pattern or the text is too large',
    );
  }
};

/** All matches; an empty match never lies in or right after another. */
export function* matches(regex: Regex, { subject, from }: Searched, limit = 0): Generator<Spans> {
  let at = from;
  let mustTake = false;
  for (let count = 1; ; count++) {
    const spans = memoized(regex, { subject, from: at }, 'search', mustTake);
    if (spans === null) return;
    yield spans;
    if (count === limit) return;
    if ((count & 0xff) === 0) checkGrown(count);
    const end = spans[1] as number;
    mustTake = end === spans[0];
    at = end;
  }
}

interface Groups {
  readonly indexOf: (group: Value) => number;
  readonly group: (index: number) => Value;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

const PART = /\\(?:g<([^>]*)>|([1-9]\d?)|(0[0-7]{0,2}|[0-7]{3})|([\s\S]?))/g;

const grouped = (match: Groups, group: Value, at: number): string => {
  try {
    return textOf(match.group(match.indexOf(group))) ?? '';
  } catch {
    if (typeof group === 'number')
      return raise('error', `invalid group reference ${group} at position ${at}`);
    return raise('IndexError', `unknown group name '${String(group)}'`);
  }
};

/** Expands `\1`, `\g<1>`, `\g<name>`, `\n`. */
export const expanded = (template: string, match: Groups): string => {
  if (!template.includes('\\')) return template;
  let result = '';
  let from = 0;
  for (const part of template.matchAll(PART)) {
    const [whole, name, number, octal, letter] = part;
    result += template.slice(from, part.index);
    from = part.index + whole.length;
    if (name !== undefined)
      result += grouped(match, /^\d+$/.test(name) ? Number(name) : name, part.index + 3);
    else if (number !== undefined) result += grouped(match, Number(number), part.index + 1);
    else if (octal !== undefined) result += String.fromCharCode(Number.parseInt(octal, 8));
    else result += escapeText(letter ?? '', whole, part.index);
    checkLonger(result.length);
  }
  return result + template.slice(from);
};

const escapeText = (letter: string, whole: string, at: number): string => {
  if (letter === '') return raise('error', `bad escape (end of pattern) at position ${at}`);
  const known = ESCAPES[letter];
  if (known !== undefined) return known;
  return /[A-Za-z]/.test(letter) ? raise('error', `bad escape ${whole} at position ${at}`) : whole;
};
