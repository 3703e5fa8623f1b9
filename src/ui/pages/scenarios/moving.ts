import type { JsonObject } from '../../../domain/json.js';

/** Looks of a number that changes by itself. */
export interface Track {
  /** Changes that this page did not make. */
  readonly changes: number;
  /** The last looks, oldest first. */
  readonly looks: readonly Look[];
}

interface Look {
  /** Milliseconds; only differences count. */
  readonly at_ms: number;
  readonly value: number;
}

export type Tracks = ReadonlyMap<string, Track>;

/** Looks that a track holds. */
export const TRACK_LENGTH = 60;

/** One change may be a patch of another client. */
const MIN_CHANGES = 2;

/** The tracks after one more look at the globals. */
export const looked = (tracks: Tracks, globals: JsonObject, at_ms: number): Tracks => {
  const next = new Map<string, Track>();
  for (const [key, value] of Object.entries(globals)) {
    if (typeof value !== 'number') continue;
    const { changes, looks } = tracks.get(key) ?? { changes: 0, looks: [] };
    const last = looks.at(-1);
    const isChanged = last !== undefined && last.value !== value;
    next.set(key, {
      changes: changes + (isChanged ? 1 : 0),
      looks: [...looks, { at_ms, value }].slice(-TRACK_LENGTH),
    });
  }
  return next;
};

/** Keys that change by themselves, without those that this page has changed. */
export const movingKeys = (tracks: Tracks, own: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    [...tracks].filter(([key, { changes }]) => changes >= MIN_CHANGES && !own.has(key)).map(([key]) => key),
  );

const perSecond = (from: Look, to: Look): number =>
  to.at_ms > from.at_ms ? ((to.value - from.value) * 1_000) / (to.at_ms - from.at_ms) : 0;

/** Growth per second of a number that never falls, else its values: what a small chart shows. */
export const chartOf = (looks: readonly Look[]): readonly number[] => {
  const rates = looks.slice(1).map((look, index) => perSecond(looks[index] ?? look, look));
  if (rates.every((rate) => rate >= 0)) return rates;
  const low = Math.min(0, ...looks.map(({ value }) => value));
  return looks.map(({ value }) => value - low);
};

/** Mean change per second. */
export const meanRate = (looks: readonly Look[]): number => {
  const [first] = looks;
  const last = looks.at(-1);
  return first === undefined || last === undefined ? 0 : perSecond(first, last);
};
