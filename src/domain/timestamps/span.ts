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
    Array.from(text.matchAll(all), (match) => spanOfMatch(match, pattern)).filter((span) => span !== null);
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
