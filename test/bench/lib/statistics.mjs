/** Numbers of a benchmark, pure. */

/** The value in the middle, or the mean of the two there; NaN of none. */
export const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** `{median, min, max}` of numbers; NaN of none. */
export const spreadOf = (values) => ({
  median: median(values),
  min: values.length === 0 ? Number.NaN : Math.min(...values),
  max: values.length === 0 ? Number.NaN : Math.max(...values),
});

/** The value below which a share of an ascending list lies. */
export const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

export const geometricMean = (values) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/**
 * Names in the order in which round `round` (from 0) runs them: each second round backwards, so that what
 * one leaves to the next (a warm cache, a hot processor) is shared out evenly.
 */
export const orderOf = (names, round) => (round % 2 === 0 ? [...names] : names.toReversed());

/**
 * Speed of `ours` as a share of the speed of a yardstick, round by round: events per second of both from the
 * same round, never of unrelated runs. `rounds` are objects of `{[side]: {events, seconds}}`.
 */
export const ratiosOf = (rounds, ours, yardstick) =>
  rounds.map((round) => {
    const [us, them] = [round[ours], round[yardstick]];
    return us.events / us.seconds / (them.events / them.seconds);
  });

/** The same by processor time of both in place of wall time: other programs on the machine count less. */
export const cpuRatiosOf = (rounds, ours, yardstick) =>
  rounds.map((round) => {
    const [us, them] = [round[ours], round[yardstick]];
    return us.events / us.cpu_seconds / (them.events / them.cpu_seconds);
  });

/** Change of y a unit of x by least squares; 0 where x never changes. */
export const slopeOf = (points) => {
  const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [meanOf(points.map(([x]) => x)), meanOf(points.map(([, y]) => y))];
  let [over, under] = [0, 0];
  for (const [x, y] of points) {
    over += (x - meanX) * (y - meanY);
    under += (x - meanX) ** 2;
  }
  return under === 0 ? 0 : over / under;
};

/** More than this above what a count was before is growth. */
const GROWTH_SHARE = 0.2;
const GROWTH_COUNT = 100;

/** Whether a count grows without end: in the last third of the looks it is never near what it was in the first. */
export const growsOn = (counts) => {
  const third = Math.floor(counts.length / 3);
  if (third === 0) return false;
  const before = Math.max(...counts.slice(0, third));
  return Math.min(...counts.slice(-third)) > before * (1 + GROWTH_SHARE) + GROWTH_COUNT;
};
