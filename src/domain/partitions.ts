import type { GeneratorParams, GeneratorPhase, Registration, RunTweaks, StartupEntry } from './generator.js';
import type { Micros } from './time/micros.js';

/** A partition of a generator: it makes the events of every timestamp `k` with `k mod count = index`. */
export type Partition = Readonly<{
  /** From 0. */
  index: number;
  count: number;
}>;

/** The only partition of a generator without partitions. */
export const WHOLE: Partition = { index: 0, count: 1 };

/** Where the stream of all partitions of a generator begins. */
export interface PartitionBase {
  /** Base of relative times. */
  readonly now: Micros;
  /** Root of the seed tree, unless the config has a seed. */
  readonly seed: string;
  /** The partition ran on this base before: `skip_past` skips what it missed, unless it has a checkpoint. */
  readonly rejoins: boolean;
}

/** Per generator. */
export const MAX_PARTITIONS = 64;

/** Ids that people give have no `~`. */
export const partitionId = (id: string, index: number): string => `${id}~${index}`;

const PARTITION_ID = /^([^~]+)~(\d{1,2})$/;

/** Returns the generator and the index of the id of a partition, or null for the id of a generator. */
export const partitionOf = (id: string): { readonly id: string; readonly index: number } | null => {
  const [, of, index] = PARTITION_ID.exec(id) ?? [];
  return of === undefined ? null : { id: of, index: Number(index) };
};

/** Id of a generator, also of one of its partitions. */
export const generatorIdOf = (id: string): string => partitionOf(id)?.id ?? id;

/** Names of a run in the context of its log lines: partitions and pieces of time share the log of their generator. */
export const logNamesOf = (
  { id, partition }: Pick<GeneratorParams, 'id' | 'partition'>,
  { piece }: Pick<RunTweaks, 'piece'>,
): Readonly<Record<string, string | number>> => {
  const part = partition ?? piece;
  return part === null ? { generator_id: id } : { generator_id: generatorIdOf(id), partition: part.index };
};

/** Share of a limit of events: the shares of all partitions add up to the limit. */
export const shareOf = (limit: number | null, { index, count }: Partition): number | null =>
  limit === null ? null : Math.max(0, Math.ceil((limit - index) / count));

/** Registrations of an entry: one per partition, or one with the id of the entry. */
export const registrationsOf = (entry: StartupEntry, tweaks: RunTweaks): readonly Registration[] => {
  const { autostart: _autostart, scenarios, partitions: count, runs_on: _labels, ...params } = entry;
  if (count === 1) return [{ params, scenarios, tweaks }];
  return Array.from({ length: count }, (_, index): Registration => {
    const partition = { index, count };
    return {
      params: { ...params, id: partitionId(params.id, index), partition },
      scenarios: [],
      tweaks: { ...tweaks, limit: shareOf(tweaks.limit, partition) },
    };
  });
};

/** Ids of the generators of an entry: of its partitions, or its own. */
export const partitionIds = ({
  id,
  partitions,
}: Pick<StartupEntry, 'id' | 'partitions'>): readonly string[] =>
  partitions === 1 ? [id] : Array.from({ length: partitions }, (_, index) => partitionId(id, index));

/** Returns why an entry cannot have these partitions and scenarios, or null when it can. */
export const partitionConflict = (partitions: number, scenarios: readonly string[]): string | null =>
  partitions > 1 && scenarios.length > 0
    ? 'must be 1 in a scenario: members of a scenario share globals on one thread'
    : null;

/** The worst first: one partition that failed says more than the others that run. */
const PHASES: readonly GeneratorPhase[] = [
  'failed',
  'backing_off',
  'draining',
  'loading',
  'running',
  'stopped',
  'idle',
  'finished',
];

/** Returns the part in the worst phase, the first of several, or null when there are no parts. */
export const worstOf = <A extends { readonly phase: GeneratorPhase }>(parts: readonly A[]): A | null =>
  parts.reduce<A | null>(
    (worst, part) =>
      worst === null || PHASES.indexOf(part.phase) < PHASES.indexOf(worst.phase) ? part : worst,
    null,
  );

/** A reason that names its partition, unless all partitions have the same. */
export const partitionReason = (
  index: number,
  reason: string,
  all: readonly (string | null)[] = [],
): string =>
  all.length > 0 && all.every((other) => other === reason) ? reason : `partition ${index}: ${reason}`;

/** Phase, reason and error of the worst of several partitions; the reason names it, unless all have the same. */
export const worstReport = <
  A extends {
    readonly index: number;
    readonly phase: GeneratorPhase;
    readonly reason: string | null;
    readonly error_code: string | null;
  },
>(
  rows: readonly A[],
): Pick<A, 'phase' | 'reason' | 'error_code'> => {
  const { index, phase, reason, error_code } = worstOf(rows) as A;
  const reasons = rows.map((row) => row.reason);
  return { phase, reason: reason === null ? null : partitionReason(index, reason, reasons), error_code };
};
