import type { Random } from '../../../../../domain/random.js';
import { type Callable, checkText, HostModule, raise } from '../../../../../template/index.js';
import { bounded, MAX_COUNT, needCount, needTextArgument, shown, unary } from './calls.js';
import { hexText } from './hex.js';

const WORDS = 0x1_0000_0000;
/** Above this share of repeated draws, batching costs more than it saves. */
const MOST_REPEATED = 0.1;

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

/**
 * Random strings over k characters. One 32-bit draw gives p characters: a uniform integer below a multiple
 * of k^p has p independent uniform digits in base k. Draws beyond the last multiple are repeated.
 */
class Alphabet {
  /** All pairs of characters: one look-up each. */
  private readonly pairs: readonly string[];
  private readonly pairCount: number;
  /** Characters per draw, even. */
  private readonly perDraw: number;
  /** Draws from here are repeated. */
  private readonly end: number;

  constructor(private readonly characters: string) {
    const count = characters.length;
    this.pairCount = count * count;
    this.pairs = Array.from(
      { length: this.pairCount },
      (_, i) => characters.charAt(Math.floor(i / count)) + characters.charAt(i % count),
    );
    let perDraw = 2;
    const isGood = (length: number): boolean =>
      count ** length <= WORDS && (WORDS % count ** length) / WORDS <= MOST_REPEATED;
    while (isGood(perDraw + 2)) perDraw += 2;
    this.perDraw = perDraw;
    this.end = WORDS - (WORDS % count ** perDraw);
  }

  draw(random: Random, length: number): string {
    const { pairs, pairCount, perDraw, end } = this;
    let text = '';
    for (let left = length; left > 0; ) {
      let value = random.uint32();
      while (value >= end) value = random.uint32();
      let taken = left < perDraw ? left : perDraw;
      left -= taken;
      for (; taken > 1; taken -= 2) {
        // Unsigned integers throughout: dividing doubles is much slower.
        const rest = ((value >>> 0) / (pairCount >>> 0)) >>> 0;
        text += pairs[value - rest * pairCount] ?? '';
        value = rest;
      }
      if (taken === 1) text += this.characters.charAt((value >>> 0) % (this.characters.length >>> 0));
    }
    return text;
  }
}

export const LOWERCASE = new Alphabet(LOWER);
export const UPPERCASE = new Alphabet(UPPER);
export const EITHER_CASE = new Alphabet(LOWER + UPPER);
export const DECIMAL = new Alphabet(DIGITS);
const NONZERO = new Alphabet(DIGITS.slice(1));
const HEX_LOWER = new Alphabet(`${DIGITS}abcdef`);
const HEX_UPPER = new Alphabet(`${DIGITS}ABCDEF`);
const ALPHANUMERIC = new Alphabet(LOWER + UPPER + DIGITS);
const PUNCTUATION = new Alphabet('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

export const stringModule = (random: Random): HostModule => {
  const patternText = patterns(random);
  const textsOf = (name: string, draw: (length: number) => string): Callable => {
    const fn = `rand.string.${name}`;
    return unary(`${fn}(n)`, (n) => checkText(draw(needCount(n, fn))));
  };
  const of = (name: string, alphabet: Alphabet): Callable =>
    textsOf(name, (length) => alphabet.draw(random, length));
  return new HostModule('rand.string', {
    letters_lowercase: of('letters_lowercase', LOWERCASE),
    letters_uppercase: of('letters_uppercase', UPPERCASE),
    letters: of('letters', EITHER_CASE),
    digits: of('digits', DECIMAL),
    punctuation: of('punctuation', PUNCTUATION),
    hex: textsOf('hex', (length) => hexText(random, length)),
    pattern: unary('rand.string.pattern(format)', (format) =>
      checkText(patternText(needTextArgument(format, 'rand.string.pattern', 'format'))),
    ),
  });
};

const SPECIFIERS: ReadonlyMap<string, Alphabet> = new Map([
  ['a', LOWERCASE],
  ['A', UPPERCASE],
  ['l', EITHER_CASE],
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

type Program = readonly PatternPart[];

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
const compilePattern = (format: string): Program => {
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
const patterns = (random: Random): ((format: string) => string) => {
  const programOf = bounded(compilePattern);
  return (format) => {
    let text = '';
    for (const part of programOf(format))
      text += typeof part === 'string' ? part : part.alphabet.draw(random, part.count);
    return text;
  };
};
