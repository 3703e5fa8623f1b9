/** Ratios that are stored and compared, pure. */

const keyOf = (row) => `${row.case} / ${row.yardstick ?? row.figure}`;

/** What is stored of the rows of a report: each median with its spread. */
export const baselineOf = (rows, machine) => ({
  machine,
  ratios: Object.fromEntries(
    rows
      .filter((row) => row.ratio !== undefined)
      .map((row) => [
        keyOf(row),
        Object.fromEntries(
          Object.entries(row.ratio).map(([name, value]) => [name, Number(value.toPrecision(3))]),
        ),
      ]),
  ),
});

/** A baseline with the ratios of another put in. */
export const mergedBaseline = (former, newer) => ({
  machine: newer.machine,
  ratios: Object.fromEntries(
    Object.entries({ ...former?.ratios, ...newer.ratios }).sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
});

/**
 * Each ratio beside its stored one: `change` is new through old; `isNoise` is true where the spreads of the two
 * overlap. A ratio that is not stored has `before: null`.
 */
export const compared = (rows, baseline) =>
  rows
    .filter((row) => row.ratio !== undefined)
    .map((row) => {
      const before = baseline.ratios[keyOf(row)] ?? null;
      const name = keyOf(row);
      if (before === null) return { name, before, now: row.ratio, change: null, isNoise: null };
      const isNoise = row.ratio.min <= before.max && before.min <= row.ratio.max;
      return { name, before, now: row.ratio, change: row.ratio.median / before.median, isNoise };
    });
