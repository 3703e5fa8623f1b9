import type { GlobalsPatch } from '../../../messages/scenarios.js';
import { stepRates } from '../../api/rates.js';
import type { AnswerOf } from '../../api/routes.js';
import { shownRate } from '../../parts/numbers.js';
import { clockTime } from '../../parts/times.js';

type Series = AnswerOf<'readGeneratorSeries'>;

/** Seconds that the chart of a scenario shows, and those of a step. */
export const SHOWN_SECONDS = 300;
export const STEP_SECONDS = 2;

/** Events per second of the members, one on top of the other. */
interface StackedRates {
  /** Seconds before the end, from 0 down. */
  readonly at: readonly number[];
  /** One list a member: its rates on top of those of the members before it. Null where nothing is known of any. */
  readonly tops: readonly (readonly (number | null)[])[];
  /** Rate of each member at the end; null where nothing is known. */
  readonly last: readonly (number | null)[];
  /** Time of the end by the clock of the service, in milliseconds. */
  readonly end_ms: number;
}

const MS = 1_000;

/** Series that were read one after the other are put together by their times. */
export const stackedRates = (series: readonly (Series | null)[]): StackedRates => {
  const members = series.map((one) => {
    if (one === null) return { rates: [] as readonly (number | null)[], from: 0 };
    return { rates: stepRates(one), from: Math.round(Date.parse(one.from) / MS / one.step) };
  });
  const known = members.filter(({ rates }) => rates.length > 0);
  const step = series.find((one) => one !== null)?.step ?? STEP_SECONDS;
  if (known.length === 0)
    return { at: [], tops: series.map(() => []), last: series.map(() => null), end_ms: 0 };
  const first = Math.min(...known.map(({ from }) => from));
  const end = Math.max(...known.map(({ from, rates }) => from + rates.length));
  const steps = Array.from({ length: end - first }, (_, index) => first + index);
  const rateAt = ({ rates, from }: (typeof members)[number], at: number): number | null =>
    rates[at - from] ?? null;
  const isKnown = steps.map((at) => members.some((member) => rateAt(member, at) !== null));
  let below: readonly number[] = steps.map(() => 0);
  const tops = members.map((member) => {
    below = below.map((sum, index) => sum + (rateAt(member, steps[index] ?? 0) ?? 0));
    return below.map((sum, index) => (isKnown[index] === true ? sum : null));
  });
  return {
    at: steps.map((at) => (at - end) * step),
    tops,
    // The last step of one may not be over yet when that of another is.
    last: members.map((member) => rateAt(member, end - 1) ?? rateAt(member, end - 2)),
    end_ms: end * step * MS,
  };
};

/** A change of globals on the axis of the chart. */
export interface PatchMark {
  /** Seconds before the end, from 0 down. */
  readonly at: number;
  readonly text: string;
}

const MAX_KEYS = 3;

/** Changes over the API that the chart reaches back to, oldest first. */
export const patchMarks = (patches: readonly GlobalsPatch[], end_ms: number): readonly PatchMark[] =>
  patches
    .map(({ at, keys, more_keys }): PatchMark => {
      const named = keys.slice(0, MAX_KEYS).map(({ key }) => key);
      const rest = keys.length - named.length + more_keys;
      return {
        at: Math.min(0, (Date.parse(at) - end_ms) / MS),
        text: rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`,
      };
    })
    .filter(({ at }) => at >= -SHOWN_SECONDS)
    .toSorted((a, b) => a.at - b.at);

/** The time of a step of the chart, and the rate of each member then. */
export const readoutOf = (
  ids: readonly string[],
  { at, tops, end_ms }: StackedRates,
  index: number,
): string => {
  const rates = ids.map((id, member) => {
    const below = member === 0 ? 0 : (tops[member - 1]?.[index] ?? 0);
    return `${id} ${shownRate((tops[member]?.[index] ?? 0) - below)}/s`;
  });
  return [clockTime(end_ms + (at[index] ?? 0) * MS), ...rates].join(', ');
};
