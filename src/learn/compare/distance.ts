/** How often each number occurs. */
export type NumberCounts = ReadonlyMap<number, number>;

export const valueCountsOf = (numbers: Iterable<readonly [value: number, count: number]>): NumberCounts => {
  const counts = new Map<number, number>();
  for (const [value, count] of numbers)
    if (!Number.isNaN(value)) counts.set(value, (counts.get(value) ?? 0) + count);
  return counts;
};

const totalOf = (counts: NumberCounts): number =>
  Math.max(
    1,
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  );

/** Kolmogorov-Smirnov distance: greatest difference of the cumulated shares of two sets of numbers. */
export const ksDistance = (first: NumberCounts, second: NumberCounts): number => {
  const [firstTotal, secondTotal] = [totalOf(first), totalOf(second)];
  let [a, b, most] = [0, 0, 0];
  for (const value of [...new Set([...first.keys(), ...second.keys()])].toSorted((x, y) => x - y)) {
    a += (first.get(value) ?? 0) / firstTotal;
    b += (second.get(value) ?? 0) / secondTotal;
    most = Math.max(most, Math.abs(a - b));
  }
  return most;
};

/** The middle one of the sorted numbers; 0 without any. */
export const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
