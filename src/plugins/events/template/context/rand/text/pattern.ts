import type { Random } from '../../../../../../domain/random/random.js';
import { raise } from '../../../../../../template/index.js';
import { MAX_COUNT, shown } from '../calls/arguments.js';
import { bounded } from '../calls/bounded.js';
import {
  ALPHANUMERIC,
  type Alphabet,
  DECIMAL,
  HEX_LOWER,
  HEX_UPPER,
  LETTERS,
  LOWERCASE,
  NONZERO,
  PUNCTUATION,
  UPPERCASE,
} from './alphabet.js';

const SPECIFIERS: ReadonlyMap<string, Alphabet> = new Map([
  ['a', LOWERCASE],
  ['A', UPPERCASE],
  ['l', LETTERS],
  ['d', DECIMAL],
  ['n', NONZERO],
  ['h', HEX_LOWER],
  ['H', HEX_UPPER],
  ['p', PUNCTUATION],
  ['w', ALPHANUMERIC],
]);

const KNOWN = [...SPECIFIERS.keys(), '%'].map((each) => `%${each}`).join(' ');

/** Literal text, or random characters. */
type PatternPart = string | { readonly alphabet: Alphabet; readonly count: number };

export type Program = readonly PatternPart[];

const wrong = (format: string, at: number, problem: string): never =>
  raise('ValueError', `rand.string.pattern: ${problem}, at character ${at + 1} of ${shown(format)}`);

interface Repeat {
  readonly count: number;
  readonly end: number;
}

/** `{N}` at a position; else 1. */
const repeatAt = (format: string, at: number): Repeat => {
  if (format[at] !== '{') return { count: 1, end: at };
  const close = format.indexOf('}', at);
  if (close < 0) return wrong(format, at, "the brace is not closed: write a number and '}' behind it");
  const digits = format.slice(at + 1, close);
  if (!/^[0-9]+$/.test(digits))
    return wrong(format, at, `${shown(digits)} in braces is not an integer: write 0 or more, such as {3}`);
  return { count: Number(digits), end: close + 1 };
};

/** Merges adjacent parts of one kind: fewer draws. */
const append = (parts: PatternPart[], part: PatternPart): void => {
  const before = parts.at(-1);
  if (typeof part === 'string') {
    if (part === '') return;
    if (typeof before === 'string') parts[parts.length - 1] = before + part;
    else parts.push(part);
  } else if (part.count > 0) {
    const isSame = typeof before === 'object' && before.alphabet === part.alphabet;
    if (isSame) parts[parts.length - 1] = { ...part, count: before.count + part.count };
    else parts.push(part);
  }
};

/** Parses `%` codes with `{N}`. ValueError with the position, and for more than `MAX_COUNT` characters. */
export const compilePattern = (format: string): Program => {
  const parts: PatternPart[] = [];
  let length = 0;
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf('%', at);
    const stop = percent < 0 ? format.length : percent;
    append(parts, format.slice(at, stop));
    length += stop - at;
    if (percent < 0) break;
    const specifier = String.fromCodePoint(format.codePointAt(percent + 1) ?? 0);
    if (percent + 1 >= format.length)
      return wrong(
        format,
        percent,
        "'%' stands at the end: write a specifier behind it, or %% for a percent sign",
      );
    const alphabet = SPECIFIERS.get(specifier);
    if (alphabet === undefined && specifier !== '%')
      return wrong(format, percent, `${shown(`%${specifier}`)} is unknown: the codes are ${KNOWN}`);
    const { count, end } = repeatAt(format, percent + 2);
    length += count;
    if (length > MAX_COUNT)
      return wrong(format, percent, `the result would have more than ${MAX_COUNT} characters`);
    append(parts, alphabet === undefined ? '%'.repeat(count) : { alphabet, count });
    at = end;
  }
  return parts;
};

/** Caches parsed patterns. */
export const patterns = (random: Random): ((format: string) => string) => {
  const programOf = bounded(compilePattern);
  return (format) => {
    let text = '';
    for (const part of programOf(format))
      text += typeof part === 'string' ? part : part.alphabet.draw(random, part.count);
    return text;
  };
};
