import type { TaggedTimestamp } from './timeline.js';

/** Events by the timestamp that they come from; several of one timestamp are numbered. */
export type EventsByTime = ReadonlyMap<string, string>;

/** The last event of each timestamp before this run; one that failed since keeps its last good event. */
export const formerEvents = (
  before: EventsByTime,
  run: { readonly events: readonly string[]; readonly origins: readonly string[] } | null,
  wanted: readonly string[],
): EventsByTime => {
  const known = new Map(before);
  for (const [index, text] of (run?.events ?? []).entries()) known.set(run?.origins[index] ?? '', text);
  // Only timestamps of the new run count, or the map would grow for ever.
  const keys = new Set(wanted);
  return new Map([...known].filter(([key]) => keys.has(key)));
};

/**
 * What each event comes from, as a key. Timestamps that failed have no event; where the others do not make one event
 * each, events are told apart by their position.
 */
export const originsOf = (
  stamps: readonly TaggedTimestamp[],
  failed: readonly number[],
  count: number,
): readonly string[] => {
  const gone = new Set(failed);
  const keys = keysOf(stamps).filter((_, index) => !gone.has(index));
  return keys.length === count ? keys : Array.from({ length: count }, (_, index) => `position ${index}`);
};

/** All keys that events of these timestamps may have. */
export const possibleOrigins = (stamps: readonly TaggedTimestamp[], count: number): readonly string[] => [
  ...keysOf(stamps),
  ...Array.from({ length: count }, (_, index) => `position ${index}`),
];

/** The timestamps of a run as keys: one that comes several times gets a number. */
const keysOf = (stamps: readonly TaggedTimestamp[]): readonly string[] => {
  const seen = new Map<string, number>();
  return stamps.map(({ timestamp }) => {
    const count = seen.get(timestamp) ?? 0;
    seen.set(timestamp, count + 1);
    return `${timestamp} ${count}`;
  });
};

/** A part of a text; `isNew`: it differs from the text before. */
export interface DiffPiece {
  readonly text: string;
  readonly isNew: boolean;
}

/** Splits a text into pieces, new where the text before lacks them. `before` is null when there was none. */
export const changedPieces = (before: string | null, text: string): readonly DiffPiece[] => {
  if (before === null || before === text) return [{ text, isNew: false }];
  const [a, b] = [tokensOf(before), tokensOf(text)];
  const start = sharedLength(a, b);
  const [restA, restB] = [a.slice(start), b.slice(start)];
  const end = sharedLength(restA.toReversed(), restB.toReversed());
  const middle = comparedTokens(restA.slice(0, restA.length - end), restB.slice(0, restB.length - end));
  return grouped([...unchanged(b.slice(0, start)), ...middle, ...unchanged(restB.slice(restB.length - end))]);
};

/** Pairs of tokens to compare; parts with more are marked as a whole. */
const MAX_PAIRS = 1_500_000;

const tokensOf = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}_.]+|\s+|[^\p{L}\p{N}_.\s]/gu) ?? [];

/** Lengths of the longest common subsequence from each pair of positions on. */
const lengthsOf = (a: readonly string[], b: readonly string[]): readonly Uint16Array[] => {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const [row, below] = [rows[i] as Uint16Array, rows[i + 1] as Uint16Array];
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] =
        a[i] === b[j] ? (below[j + 1] as number) + 1 : Math.max(below[j] as number, row[j + 1] as number);
    }
  }
  return rows;
};

const grouped = (tokens: readonly DiffPiece[]): readonly DiffPiece[] => {
  const pieces: DiffPiece[] = [];
  for (const token of tokens) {
    const last = pieces.at(-1);
    if (last?.isNew === token.isNew) pieces[pieces.length - 1] = { ...last, text: last.text + token.text };
    else pieces.push(token);
  }
  return pieces;
};

/** Tokens that two lists share at their start. */
const sharedLength = (a: readonly string[], b: readonly string[]): number => {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length += 1;
  return length;
};

const comparedTokens = (a: readonly string[], b: readonly string[]): readonly DiffPiece[] => {
  if (a.length * b.length > MAX_PAIRS) return b.map((text) => ({ text, isNew: true }));
  const lengths = lengthsOf(a, b);
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  const pieces: DiffPiece[] = [];
  let [i, j] = [0, 0];
  while (j < b.length) {
    const text = b[j] as string;
    if (i < a.length && a[i] === text) {
      pieces.push({ text, isNew: false });
      i += 1;
      j += 1;
    } else if (i < a.length && at(i + 1, j) >= at(i, j + 1)) i += 1;
    else {
      pieces.push({ text, isNew: true });
      j += 1;
    }
  }
  return pieces;
};

const unchanged = (tokens: readonly string[]): readonly DiffPiece[] =>
  tokens.map((text) => ({ text, isNew: false }));

/** Returns JSON text over several lines, or null when it is no object and no list. */
export const unfolded = (text: string): string | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
};
