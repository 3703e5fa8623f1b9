import type { TaggedTimestamp } from './timeline.js';

/** Events by the timestamp that they come from; several of one timestamp are numbered. */
export type EventsByTime = ReadonlyMap<string, string>;

/** The timestamps of a run as keys: one that comes several times gets a number. */
const keysOf = (stamps: readonly TaggedTimestamp[]): readonly string[] => {
  const seen = new Map<string, number>();
  return stamps.map(({ timestamp }) => {
    const count = seen.get(timestamp) ?? 0;
    seen.set(timestamp, count + 1);
    return `${timestamp} ${count}`;
  });
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

/** All keys that events of these timestamps may have. */
export const possibleOrigins = (stamps: readonly TaggedTimestamp[], count: number): readonly string[] => [
  ...keysOf(stamps),
  ...Array.from({ length: count }, (_, index) => `position ${index}`),
];
