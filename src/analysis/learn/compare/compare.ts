import type { Micros } from '../../../domain/time/micros.js';
import { chanceOf } from '../fields/numbers.js';
import type { LearnedField, Model } from '../model.js';
import { gapsOf, resolutionOf, variation } from '../times/rate.js';
import type { FieldTally, Tally } from './tally.js';

/** What a field is in most records. */
export type FieldKind = LearnedField['kind'];

export interface FieldComparison {
  readonly name: string;
  readonly kind: FieldKind;
  /** Share of the records of the log that have the field. */
  readonly share: number;
  readonly distinct: { readonly log: number; readonly generated: number };
  /**
   * Enumerations: greatest difference of the share of a value among all records. Numbers: Kolmogorov-Smirnov distance.
   * Null: values are made anew, so there is nothing to compare.
   */
  readonly difference: number | null;
  /** Whether values were compared by rank, because their pseudonyms have another key. */
  readonly is_by_rank: boolean;
}

export interface GapComparison {
  /** Kolmogorov-Smirnov distance. */
  readonly difference: number;
  /** In seconds. */
  readonly median: { readonly log: number; readonly generated: number };
  /** Standard deviation by mean: 0 even, 1 Poisson, more in bursts. */
  readonly variation: { readonly log: number; readonly generated: number };
}

export interface Comparison {
  readonly events: number;
  /** Generated events that look like none of the log. */
  readonly unmatched: number;
  readonly failed: number;
  readonly fields: readonly FieldComparison[];
  /** Greatest difference of an enumeration and of a number; 0 without any. */
  readonly worst: { readonly enumeration: number; readonly number: number };
  readonly rate: {
    readonly log: number | null;
    readonly generated: number;
  };
  /** Times between events; null: the log has no times. */
  readonly gaps: GapComparison | null;
}

const ENUMERATED: ReadonlySet<FieldKind> = new Set(['constant', 'pool', 'same']);

/** The kind of each field by records. */
const kindsOf = ({ shapes }: Model): ReadonlyMap<string, FieldKind> => {
  const counts = new Map<string, Map<FieldKind, number>>();
  for (const { names, fields, count } of shapes)
    for (const [at, name] of names.entries()) {
      const own = fields[at];
      if (own === undefined) continue;
      const target = own.kind === 'same' ? fields[own.as] : own;
      const kind = target?.kind === 'constant' || target === undefined ? 'pool' : target.kind;
      const kinds = counts.get(name) ?? new Map<FieldKind, number>();
      kinds.set(kind, (kinds.get(kind) ?? 0) + count);
      counts.set(name, kinds);
    }
  return new Map(
    [...counts].map(([name, kinds]) => [
      name,
      [...kinds].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'pool',
    ]),
  );
};

const byValue = (log: FieldTally, made: FieldTally, logTotal: number, madeTotal: number): number => {
  let most = 0;
  for (const value of new Set([...log.values.keys(), ...made.values.keys()]))
    most = Math.max(
      most,
      Math.abs((log.values.get(value) ?? 0) / logTotal - (made.values.get(value) ?? 0) / madeTotal),
    );
  return most;
};

const byRank = (log: FieldTally, made: FieldTally, logTotal: number, madeTotal: number): number => {
  const sorted = ({ values }: FieldTally): readonly number[] =>
    [...values.values()].toSorted((a, b) => b - a);
  const [first, second] = [sorted(log), sorted(made)];
  let most = 0;
  for (let at = 0; at < Math.max(first.length, second.length); at++)
    most = Math.max(most, Math.abs((first[at] ?? 0) / logTotal - (second[at] ?? 0) / madeTotal));
  return most;
};

const numbersOf = ({ values }: FieldTally): NumberCounts =>
  valueCountsOf([...values].map(([text, count]) => [Number(text), count]));

/** Whether a field, or the text that it is a part of, has pseudonyms. */
const isPrivate = (name: string, { private_names }: Tally): boolean =>
  [...private_names].some((known) => name === known || name.startsWith(`${known}.`));

const EMPTY: FieldTally = { count: 0, values: new Map() };

const fieldsOf = (model: Model, log: Tally, made: Tally, hasSameKey: boolean): readonly FieldComparison[] => {
  const kinds = kindsOf(model);
  return [...log.fields].map(([name, field]) => {
    const other = made.fields.get(name) ?? EMPTY;
    const kind = kinds.get(name) ?? 'pool';
    const is_by_rank = ENUMERATED.has(kind) && !hasSameKey && isPrivate(name, log);
    const compare = is_by_rank ? byRank : byValue;
    const difference = ENUMERATED.has(kind)
      ? compare(field, other, log.records, Math.max(1, made.records))
      : kind === 'number'
        ? ksDistance(numbersOf(field), numbersOf(other))
        : null;
    return {
      name,
      kind,
      share: field.count / log.records,
      distinct: { log: field.values.size, generated: other.values.size },
      difference,
      is_by_rank,
    };
  });
};

export interface CompareOptions {
  readonly model: Model;
  readonly log: Tally;
  readonly log_times: readonly Micros[];
  readonly made: Tally;
  readonly made_times: readonly Micros[];
  readonly failed: number;
  /** Whether private values have the same pseudonyms on both sides. */
  readonly has_same_key: boolean;
}

const perSecond = (times: readonly Micros[]): number => {
  const [from = 0, to = 0] = [times[0], times.at(-1)];
  return to > from ? (times.length - 1) / ((to - from) / 1e6) : 0;
};

/** Both in the resolution of the log. */
const compareGaps = ({ model, log_times, made_times }: CompareOptions): GapComparison | null => {
  if (model.rate === null) return null;
  const resolution = resolutionOf(log_times);
  const [log, generated] = [gapsOf(log_times, resolution), gapsOf(made_times, resolution)];
  // In whole steps: how many records share a second varies, and with it gaps that are spread over it.
  const counted = (times: readonly Micros[]): NumberCounts => {
    const steps = times.map((at) => Math.floor(at / resolution));
    return valueCountsOf(steps.slice(1).map((step, at) => [step - (steps[at] ?? step), 1]));
  };
  return {
    difference: ksDistance(counted(log_times), counted(made_times)),
    median: { log: medianOf(log), generated: medianOf(generated) },
    variation: { log: variation(log), generated: variation(generated) },
  };
};

/** How close generated events are to a log. */
export const compareLogs = (options: CompareOptions): Comparison => {
  const { model, log, made, log_times, made_times, failed, has_same_key } = options;
  const fields = fieldsOf(model, log, made, has_same_key);
  const worst = (isNumber: boolean): number =>
    Math.max(
      0,
      ...fields.map(({ kind, difference }) => ((kind === 'number') === isNumber ? (difference ?? 0) : 0)),
    );
  return {
    events: made.records,
    unmatched: made.unmatched,
    failed,
    fields,
    worst: { enumeration: worst(false), number: worst(true) },
    rate: {
      log: model.rate === null ? null : perSecond(log_times),
      generated: perSecond(made_times),
    },
    gaps: compareGaps(options),
  };
};

/**
 * What is further apart than `tolerance`, a share, and for numbers further than chance explains; empty when nothing is.
 * `records` is the number of records of the log.
 */
export const comparisonProblemsOf = (
  comparison: Comparison,
  tolerance: number,
  records: number,
): readonly string[] => {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const { events, unmatched, failed, fields } = comparison;
  const strange = events === 0 ? 1 : unmatched / events;
  return [
    ...(events === 0 ? ['the generator made no event'] : []),
    ...(failed > 0 ? [`${failed} events failed`] : []),
    ...(strange > tolerance ? [`${percent(strange)} of the events look like none of the log`] : []),
    ...fields.flatMap(({ name, kind, share, difference }) => {
      const chance = kind === 'number' ? chanceOf(share * records) : 0;
      return difference !== null && difference > Math.max(tolerance, chance)
        ? [`${name} differs by ${percent(difference)}`]
        : [];
    }),
  ];
};

/** How often each number occurs. */
type NumberCounts = ReadonlyMap<number, number>;

const valueCountsOf = (numbers: Iterable<readonly [value: number, count: number]>): NumberCounts => {
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
const ksDistance = (first: NumberCounts, second: NumberCounts): number => {
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
const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
