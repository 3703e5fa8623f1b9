/** Seconds that a bar stands for. */
export const BAR_SECONDS = 2;
export const BARS = 60;

/** How many events a search has found in each of the last seconds. */
export interface Volume {
  /** Number of the newest bar, counted from 1970. */
  readonly newest: number;
  /** One number a bar, the oldest first. */
  readonly found: readonly number[];
}

export const NO_VOLUME: Volume = { newest: 0, found: Array.from({ length: BARS }, () => 0) };

/** The volume at a time, with what was found at it. A clock that was set back adds to the newest bar. */
export const volumeAt = ({ newest, found }: Volume, at_ms: number, more: number): Volume => {
  const bar = Math.max(newest, Math.floor(at_ms / (BAR_SECONDS * 1_000)));
  const passed = Math.min(BARS, bar - newest);
  const shifted = [...found.slice(passed), ...Array.from({ length: passed }, () => 0)];
  return { newest: bar, found: shifted.with(BARS - 1, (shifted[BARS - 1] ?? 0) + more) };
};
