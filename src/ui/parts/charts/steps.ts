import { stepRates } from '../../api/rates.js';
import type { AnswerOf } from '../../api/routes.js';

/** Values of steps, oldest first; null where nothing is known. */
export type StepValues = readonly (number | null)[];

/** Steps of equal length before a time, and what is known of each. */
export interface Steps {
  /** Time of the end by the clock of the service, in milliseconds. */
  readonly end_ms: number;
  /** Seconds of a step. */
  readonly step: number;
  /** One list a line; they begin and end together. */
  readonly lists: readonly StepValues[];
}

type RateSeries = Pick<AnswerOf<'readSeries'>, 'from' | 'step' | 'seconds' | 'produced'>;

const MS = 1_000;

/** Events per second of several series, which were read one after the other, by their times. */
export const alignedRates = (series: readonly (RateSeries | null)[]): Steps => {
  const known = series.flatMap((one) => one ?? []);
  const step = known[0]?.step ?? 1;
  const firstOf = ({ from }: RateSeries): number => Math.round(Date.parse(from) / MS / step);
  const first = Math.min(...known.map(firstOf));
  const end = Math.max(...known.map((one) => firstOf(one) + one.seconds.length));
  if (known.length === 0) return { end_ms: 0, step, lists: series.map(() => []) };
  return {
    end_ms: end * step * MS,
    step,
    lists: series.map((one) => {
      const rates = one === null ? [] : stepRates(one);
      const skipped = one === null ? 0 : firstOf(one) - first;
      return Array.from({ length: end - first }, (_, at) => rates[at - skipped] ?? null);
    }),
  };
};

/** Each list on top of the sum of those before it; null where nothing is known of any. */
export const stackedSteps = (lists: readonly StepValues[]): readonly StepValues[] => {
  const [first = []] = lists;
  const isKnown = first.map((_, at) => lists.some((list) => (list[at] ?? null) !== null));
  let below: readonly number[] = first.map(() => 0);
  return lists.map((list) => {
    below = below.map((sum, at) => sum + (list[at] ?? 0));
    return below.map((sum, at) => (isKnown[at] === true ? sum : null));
  });
};

/** What the whole has beyond its parts; null where nothing of the whole is known. */
export const remainder = (whole: StepValues, parts: readonly StepValues[]): StepValues =>
  whole.map((all, at) =>
    all === null ? null : Math.max(0, all - parts.reduce((sum, part) => sum + (part[at] ?? 0), 0)),
  );

/** The last value that is known, as that of the last two steps: the last one may not be over. */
export const lastOf = (values: StepValues): number | null => values.at(-1) ?? values.at(-2) ?? null;

/** Who is shown at which place: those that stay keep theirs, so that colors do not change hands with each refresh. */
export const placed = (
  former: readonly (string | null)[],
  ids: readonly string[],
): readonly (string | null)[] => {
  const wanted = new Set(ids);
  const kept = former.map((id) => (id !== null && wanted.delete(id) ? id : null));
  const free = [...wanted];
  const filled = kept.map((id) => id ?? free.shift() ?? null);
  return [...filled, ...free];
};
