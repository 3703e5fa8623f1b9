import * as E from 'fp-ts/lib/Either.js';
import { matchesOf } from '../text/matches.js';
import { MICROS_PER_SECOND, type Micros } from '../time/micros.js';
import { compileStrftime } from '../time/strftime.js';
import { fractionLength } from '../time/strptime.js';
import { utc, type Zone } from '../time/zone.js';
import type { TimestampPattern } from './pattern.js';

export type Span = readonly [start: number, end: number];

/** Half of a character beyond U+FFFF. */
export const SURROGATE = /[\ud800-\udfff]/;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
/** ASCII patterns cannot tell this character from those beyond U+FFFF. */
const STAND_IN = '\ue000';

/** Returns the span of the timestamp in the searched text, or null when its group did not match. */
export const spanOfMatch = (match: RegExpExecArray, { group, prefix }: TimestampPattern): Span | null => {
  const text = match[group];
  if (text === undefined) return null;
  if (prefix === null) return match.indices?.[group] ?? null;
  const start = match.index + (prefix === 0 ? 0 : (match[prefix] as string).length);
  return [start, start + text.length];
};

const spanInUnits = (line: string, pattern: TimestampPattern): Span | null => {
  const match = pattern.line.exec(line);
  return match === null ? null : spanOfMatch(match, pattern);
};

export const timestampSpan = (line: string, pattern: TimestampPattern): Span | null => {
  if (!pattern.isLinear || !SURROGATE.test(line)) return spanInUnits(line, pattern);
  const span = spanInUnits(line.replace(PAIR, STAND_IN), pattern);
  if (span === null) return null;
  const characters = Array.from(line);
  const unitsBefore = (count: number): number => characters.slice(0, count).join('').length;
  return [unitsBefore(span[0]), unitsBefore(span[1])];
};

/** Finds the timestamps of all matches in a text, in order. */
export const spanFinder = (pattern: TimestampPattern): ((text: string) => readonly Span[]) => {
  const all = new RegExp(pattern.line.source, `${pattern.line.flags}g`);
  const inUnits = (text: string): readonly Span[] =>
    Array.from(matchesOf(text, all), (match) => spanOfMatch(match, pattern)).filter((span) => span !== null);
  return (text) => {
    if (!pattern.isLinear || !SURROGATE.test(text)) return inUnits(text);
    const starts = [0];
    for (const character of text) starts.push((starts.at(-1) ?? 0) + character.length);
    return inUnits(text.replace(PAIR, STAND_IN)).map(([from, to]) => [
      starts[from] as number,
      starts[to] as number,
    ]);
  };
};

/** Writes a new time in the place of an old one. */
export type Restamp = (micros: Micros, original: string) => string;

/** Shapes of times that are remembered: a log has few. */
const MAX_SHAPES = 64;

/** Counts the digits of the fraction in a text. Null when the format has no fraction. */
type Digits = ((original: string) => number) | null;

/** A format is split where a fraction is: `%%f` is none. */
const FRACTION = /((?:^|[^%])(?:%%)*)%[-_0]?[fL]/;

const writer = (format: string, zone: Zone, digits: Digits): E.Either<string, Restamp> => {
  const match = digits === null ? null : FRACTION.exec(format);
  if (match === null) return compileStrftime(format, zone);
  const before = compileStrftime(format.slice(0, match.index) + (match[1] ?? ''), zone);
  if (E.isLeft(before)) return before;
  const after = compileStrftime(format.slice(match.index + match[0].length), zone);
  if (E.isLeft(after)) return after;
  return E.right((micros, original) => {
    const count = digits?.(original) ?? 0;
    const fraction = String(
      MICROS_PER_SECOND + (micros - Math.floor(micros / MICROS_PER_SECOND) * MICROS_PER_SECOND),
    );
    return before.right(micros) + fraction.slice(1).padEnd(count, '0').slice(0, count) + after.right(micros);
  });
};

const ISO =
  /^\d{4}(-?)\d{2}-?\d{2}(?:([Tt ])\d{2}(?:(:?)\d{2}(?::?(\d{2})(?:([.,])(\d{1,9}))?)?)?(\s*)([Zz]|[+-]\d{2}(?:(:?)\d{2})?)?)?$/;

/** The strftime format of an ISO 8601 text. */
const isoFormat = (text: string): string => {
  const [, dash = '', separator, colon, second, mark, fraction, space = '', offset, offsetColon] =
    ISO.exec(text) ?? [];
  let format = `%Y${dash}%m${dash}%d`;
  if (separator === undefined) return format;
  format += `${separator}%H`;
  if (colon !== undefined) format += `${colon}%M`;
  if (second !== undefined) format += `${colon}%S`;
  if (fraction !== undefined) format += `${mark}%f`;
  if (offset === undefined) return format;
  return `${format}${space}${/^[Zz]$/.test(offset) ? offset : offsetColon === ':' ? '%:z' : '%z'}`;
};

const isoRestamp = (zone: Zone): Restamp => {
  const known = new Map<string, Restamp>();
  const make = (original: string): Restamp => {
    const made = writer(
      isoFormat(original),
      /[Zz]\s*$/.test(original) ? utc : zone,
      (text) => ISO.exec(text)?.[6]?.length ?? 0,
    );
    // Its codes are known.
    return E.isRight(made) ? made.right : () => original;
  };
  return (micros, given) => {
    const original = given.trim();
    const shape = original.replace(/\d/g, '0').replace('-00:', '+00:');
    let restamp = known.get(shape);
    if (restamp === undefined) {
      if (known.size === MAX_SHAPES) known.clear();
      restamp = make(original);
      known.set(shape, restamp);
    }
    return restamp(micros, original);
  };
};

/**
 * Writes times in a format, with as many digits of the second as the one that is replaced; `iso8601` in its whole
 * shape. The error is one sentence about the format.
 */
export const restampOf = (format: string, zone: Zone): E.Either<string, Restamp> =>
  format === 'iso8601' ? E.right(isoRestamp(zone)) : writer(format, zone, fractionLength(format));
