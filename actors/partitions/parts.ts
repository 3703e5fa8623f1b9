/** Answers of the partitions of a generator as one answer. Pure: the partitions may run on other nodes. */

import * as E from 'fp-ts/lib/Either.js';
import type { Result, SpateError } from '../../src/domain/errors.js';
import { COUNTED, type CountedImperfection } from '../../src/domain/imperfections.js';
import { generatorIdOf, partitionOf, partitionReason, worstReport } from '../../src/domain/partitions.js';
import { mergeHealth } from '../../src/domain/stats/health.js';
import type { HistogramBucket } from '../../src/domain/stats/histogram.js';
import type {
  DeadLetterSummary,
  PurgedDeadLetters,
  ResentDeadLetters,
} from '../../src/messages/deadLetters.js';
import type {
  GeneratorListItem,
  GeneratorStats,
  GeneratorStatus,
  GeneratorTurn,
} from '../../src/messages/generators.js';

/** The answer of a partition, by its index. */
export interface OfPart<A> {
  readonly index: number;
  readonly value: A;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Values by key, in the order of their first. */
const grouped = <A>(values: readonly A[], keyOf: (value: A) => string): ReadonlyMap<string, readonly A[]> => {
  const groups = new Map<string, A[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
};

/** The worst phase and the worst health decide; their reasons name the partition. At least one part. */
export const mergeStatus = (parts: readonly OfPart<GeneratorStatus>[]): GeneratorStatus => {
  const all = parts.map(({ value }) => value);
  const rows = parts.map(({ index, value }) => ({ ...value, index }));
  return {
    is_initializing: all.some((one) => one.is_initializing),
    is_running: all.some((one) => one.is_running),
    is_ended_up: all.every((one) => one.is_ended_up),
    is_ended_up_successfully: all.every((one) => one.is_ended_up_successfully),
    is_stopping: all.some((one) => one.is_stopping),
    ...worstReport(rows),
    restarts: sum(all.map(({ restarts }) => restarts)),
    ...mergeHealth(parts.map((part) => ({ index: part.index, report: part.value }))),
  };
};

const earliest = (times: readonly (string | null)[]): string | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

const mergeBuckets = (parts: readonly (readonly HistogramBucket[])[]): readonly HistogramBucket[] =>
  [...grouped(parts.flat(), ({ le_ms }) => String(le_ms)).values()]
    .map((same) => ({
      le_ms: (same[0] as HistogramBucket).le_ms,
      count: sum(same.map(({ count }) => count)),
    }))
    .sort((a, b) => a.le_ms - b.le_ms);

/** Upper bound of the bucket with the quantile; 0 without buckets. */
const quantileOf = (buckets: readonly HistogramBucket[], share: number): number => {
  const total = sum(buckets.map(({ count }) => count));
  let seen = 0;
  for (const { le_ms, count } of buckets) {
    seen += count;
    if (seen >= share * total) return le_ms;
  }
  return 0;
};

const mergeDurations = (parts: readonly { readonly buckets: readonly HistogramBucket[] }[]) => {
  const buckets = mergeBuckets(parts.map((part) => part.buckets));
  return { p50: quantileOf(buckets, 0.5), p99: quantileOf(buckets, 0.99), buckets };
};

/** Adds up the numeric fields of plugins at the same position; names are those of the first. */
const sumPlugins = <A extends { readonly plugin_id: number; readonly plugin_name: string }>(
  parts: readonly (readonly A[])[],
): readonly A[] =>
  [...grouped(parts.flat(), ({ plugin_id }) => String(plugin_id)).values()].map((same) => sumFields(same));

const sumFields = <A extends object>(same: readonly A[]): A => {
  const [first] = same as readonly [A];
  const counted = Object.keys(first).filter(
    (key) => key !== 'plugin_id' && typeof Reflect.get(first, key) === 'number',
  );
  const sums = counted.map((key) => [key, sum(same.map((one) => Number(Reflect.get(one, key))))] as const);
  return { ...first, ...Object.fromEntries(sums) };
};

type OutputStats = GeneratorStats['output'][number];

/** With imperfections where some part has them. */
const sumOutputs = (parts: readonly (readonly OutputStats[])[]): readonly OutputStats[] =>
  sumPlugins(parts).map((whole) => {
    const own = parts.flat().filter(({ plugin_id }) => plugin_id === whole.plugin_id);
    const counts = own.flatMap(({ imperfect }) => (imperfect === undefined ? [] : [imperfect]));
    if (counts.length === 0) return whole;
    const sums = COUNTED.map((kind) => [kind, sum(counts.map((one) => one[kind]))] as const);
    return { ...whole, imperfect: Object.fromEntries(sums) as Record<CountedImperfection, number> };
  });

type EventStats = GeneratorStats['event'];

const sumEvents = (parts: readonly EventStats[]): EventStats => {
  const counts = parts.flatMap(({ templates = [] }) => templates);
  if (counts.length === 0) return sumFields(parts);
  const templates = [...grouped(counts, ({ name }) => name).values()].map((same) => sumFields(same));
  return { ...sumFields(parts), templates };
};

/** Counters and rates add up, histograms are merged. At least one part. */
export const mergeStats = (id: string, parts: readonly GeneratorStats[]): GeneratorStats => {
  const of = (read: (stats: GeneratorStats) => number): number => sum(parts.map(read));
  const expected = Math.max(...parts.map(({ expected_timestamps = 0 }) => expected_timestamps));
  return {
    id,
    start_time: earliest(parts.map(({ start_time }) => start_time)),
    input: sumPlugins(parts.map(({ input }) => input)),
    event: sumEvents(parts.map(({ event }) => event)),
    output: sumOutputs(parts.map(({ output }) => output)),
    total_generated: of((stats) => stats.total_generated),
    // The inputs of each part are those of all.
    ...(expected > 0 ? { expected_timestamps: expected } : {}),
    total_written: of((stats) => stats.total_written),
    total_abandoned: of((stats) => stats.total_abandoned),
    uptime: Math.max(...parts.map(({ uptime }) => uptime)),
    input_eps: of((stats) => stats.input_eps),
    output_eps: of((stats) => stats.output_eps),
    low_water_mark: of((stats) => stats.low_water_mark),
    lateness_ms: {
      ...mergeDurations(parts.map(({ lateness_ms }) => lateness_ms)),
      max: Math.max(...parts.map(({ lateness_ms }) => lateness_ms.max)),
    },
    delivery_lag_ms: mergeDurations(parts.map(({ delivery_lag_ms }) => delivery_lag_ms)),
  };
};

/** Newest first; reasons name the partition. */
export const mergeTurns = (parts: readonly OfPart<readonly GeneratorTurn[]>[]): readonly GeneratorTurn[] =>
  parts
    .flatMap(({ index, value }) =>
      value.map((turn) => ({
        ...turn,
        reason: turn.reason === null ? null : partitionReason(index, turn.reason),
      })),
    )
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));

const mergeItem = (id: string, items: readonly GeneratorListItem[]): GeneratorListItem => {
  const [whole] = items as readonly [GeneratorListItem];
  if (whole.id === id) return whole;
  const { node: _node, ...first } = whole;
  const sorted = [...items].sort((a, b) => indexOf(a.id) - indexOf(b.id));
  return {
    ...first,
    id,
    status: mergeStatus(sorted.map((item) => ({ index: indexOf(item.id), value: item.status }))),
    start_time: earliest(items.map(({ start_time }) => start_time)),
    partitions: sorted.map((item) => ({
      index: indexOf(item.id),
      phase: item.status.phase,
      node: item.node ?? null,
    })),
  };
};

/** Each generator once: its partitions are one item. */
export const mergeItems = (items: readonly GeneratorListItem[]): readonly GeneratorListItem[] =>
  [...grouped(items, ({ id }) => generatorIdOf(id))].map(([id, same]) => mergeItem(id, same));

/** Each generator once. */
export const mergeRunning = (all: readonly GeneratorStats[]): readonly GeneratorStats[] =>
  [...grouped(all, ({ id }) => generatorIdOf(id))].map(([id, same]) =>
    same[0]?.id === id ? same[0] : mergeStats(id, same),
  );

/**
 * Partitions that a start is for. Finished ones start over with all others only: after a part of them ended, the others
 * go on with the same stream.
 */
export const startable = (
  parts: readonly OfPart<GeneratorStatus>[],
  hasCheckpoint: boolean,
): readonly number[] => {
  const isActive = parts.some(({ value: { phase, is_ended_up } }) => phase !== 'idle' && !is_ended_up);
  const rest = parts.filter(({ value }) => value.phase !== 'finished');
  const chosen = rest.length > 0 && (hasCheckpoint || isActive) ? rest : parts;
  return chosen.map(({ index }) => index);
};

const MAX_REASONS = 10;

const latest = (times: readonly (string | null)[]): string | null =>
  times.reduce((last, time) => (last === null || (time !== null && time > last) ? time : last), null);

const mergeReasons = (summaries: readonly DeadLetterSummary[]): DeadLetterSummary['reasons'] =>
  [
    ...grouped(
      summaries.flatMap(({ reasons }) => reasons),
      ({ code, reason }) => `${code} ${reason}`,
    ).values(),
  ]
    .map((same) => ({
      ...(same[0] as DeadLetterSummary['reasons'][number]),
      letters: sum(same.map(({ letters }) => letters)),
    }))
    .sort((a, b) => b.letters - a.letters)
    .slice(0, MAX_REASONS);

/** Each output once. */
export const mergeDeadLetters = (
  parts: readonly (readonly DeadLetterSummary[])[],
): readonly DeadLetterSummary[] =>
  [...grouped(parts.flat(), ({ output }) => output)].map(([output, same]) => ({
    output,
    letters: sum(same.map(({ letters }) => letters)),
    bytes: sum(same.map(({ bytes }) => bytes)),
    torn: sum(same.map(({ torn }) => torn)),
    oldest: earliest(same.map(({ oldest }) => oldest)),
    newest: latest(same.map(({ newest }) => newest)),
    reasons: mergeReasons(same),
  }));

export const mergePurged = (parts: readonly (readonly PurgedDeadLetters[])[]): readonly PurgedDeadLetters[] =>
  [...grouped(parts.flat(), ({ output }) => output)].map(([output, same]) => ({
    output,
    removed: sum(same.map(({ removed }) => removed)),
    left: sum(same.map(({ left }) => left)),
  }));

export const mergeResent = (parts: readonly (readonly ResentDeadLetters[])[]): readonly ResentDeadLetters[] =>
  [...grouped(parts.flat(), ({ output }) => output)].map(([output, same]) => {
    const last = same.findLast(({ reason }) => reason !== null);
    return {
      output,
      sent: sum(same.map(({ sent }) => sent)),
      refused: sum(same.map(({ refused }) => refused)),
      reason: last?.reason ?? null,
      error_code: last?.error_code ?? null,
      is_down: same.some(({ is_down }) => is_down),
      is_done: same.every(({ is_done }) => is_done),
    };
  });

/** Index of a partition, by its id. */
export const indexOf = (part: string): number => partitionOf(part)?.index ?? 0;

/** An error that names the partition. */
export const named = (part: string, error: SpateError, all: readonly (string | null)[] = []): SpateError => ({
  ...error,
  message: partitionReason(indexOf(part), error.message, all),
});

/** An error that all partitions share, about their generator. */
const ofWhole = (part: string, error: SpateError): SpateError => ({
  ...error,
  message: error.message.replaceAll(`"${part}"`, `"${generatorIdOf(part)}"`),
});

/** What the error asks for is not there. */
export const isAbsentPart = ({ code }: SpateError): boolean => code === 'not_found' || code === 'not_ready';

/** Returns the answers of the partitions that lack nothing, or the first failure, with its partition. */
export const fromAll = async <A>(
  parts: readonly string[],
  ask: (part: string) => Promise<Result<A>>,
): Promise<Result<readonly OfPart<A>[]>> => {
  const answers = await Promise.all(parts.map(async (part) => [part, await ask(part)] as const));
  const reasons = answers.map(([, answer]) => (E.isLeft(answer) ? answer.left.message : null));
  const there = answers.flatMap(([part, answer]) =>
    E.isRight(answer) ? [{ index: indexOf(part), value: answer.right }] : [],
  );
  for (const [part, answer] of answers) {
    if (E.isLeft(answer) && (there.length === 0 || !isAbsentPart(answer.left)))
      return E.left(
        isAbsentPart(answer.left) ? ofWhole(part, answer.left) : named(part, answer.left, reasons),
      );
  }
  return E.right(there);
};

/** Asks one partition after the other. Returns the first failure, with its partition, if there is one. */
export const inTurn = async <A>(
  parts: readonly string[],
  ask: (part: string) => Promise<Result<A>>,
): Promise<Result<readonly A[]>> => {
  const answers: A[] = [];
  let missing: Result<never> | null = null;
  for (const part of parts) {
    const answer = await ask(part);
    if (E.isRight(answer)) answers.push(answer.right);
    else if (!isAbsentPart(answer.left)) return E.left(named(part, answer.left));
    else missing = E.left(ofWhole(part, answer.left));
  }
  return answers.length === 0 && missing !== null ? missing : E.right(answers);
};
