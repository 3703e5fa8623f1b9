import type { TimestampPattern } from './pattern.js';

/** Start and end of a timestamp in a text. */
export type Place = readonly [start: number, end: number];

/** Half of a character that takes two units of UTF-16. */
export const SURROGATE = /[\ud800-\udfff]/;
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;
/** No pattern in plain ASCII tells this character from those beyond U+FFFF. */
const STAND_IN = '\ue000';

/** Where the timestamp of a match is in the searched text; `null` when its group took no part. */
export const placeOf = (match: RegExpExecArray, { group, prefix }: TimestampPattern): Place | null => {
  const text = match[group];
  if (text === undefined) return null;
  if (prefix === null) return match.indices?.[group] ?? null;
  const start = match.index + (prefix === 0 ? 0 : (match[prefix] as string).length);
  return [start, start + text.length];
};

const placeInUnits = (line: string, pattern: TimestampPattern): Place | null => {
  const match = pattern.line.exec(line);
  return match === null ? null : placeOf(match, pattern);
};

/** Where the timestamp of one line is; `null`: it has none. */
export const placeIn = (line: string, pattern: TimestampPattern): Place | null => {
  if (!pattern.isLinear || !SURROGATE.test(line)) return placeInUnits(line, pattern);
  const place = placeInUnits(line.replace(PAIR, STAND_IN), pattern);
  if (place === null) return null;
  const characters = Array.from(line);
  const unitsBefore = (count: number): number => characters.slice(0, count).join('').length;
  return [unitsBefore(place[0]), unitsBefore(place[1])];
};
