import { type ChangeLog, changeLog } from '../changeLog.js';
import type { ErrorCode } from '../errors.js';
import type { GeneratorPhase, PluginNames } from '../generator.js';
import { partitionId, partitionOf, worstReport } from '../partitions.js';
import type { Micros } from '../time/micros.js';
import { type HealthReport, mergeHealth } from './health.js';
import { type Stats, sumStats } from './stats.js';

/** A generator as its actor shows it. */
export interface GeneratorRow {
  readonly phase: GeneratorPhase;
  /** Its outputs are open, or it ended without a failure. */
  readonly isUp: boolean;
  readonly reason: string | null;
  readonly error_code: ErrorCode | null;
  /** Plugins of the last start; `null` before the first. */
  readonly plugins: PluginNames | null;
  /** Shared memory of the last start; `null` before the first. */
  readonly stats: Stats | null;
  readonly startedAt: Micros | null;
  readonly isLive: boolean;
}

export interface BoardRow extends GeneratorRow {
  readonly health: HealthReport;
}

export interface GeneratorState extends HealthReport {
  readonly phase: GeneratorPhase;
  readonly is_up: boolean;
  readonly reason: string | null;
  readonly error_code: ErrorCode | null;
}

/** Whether the generators of the startup list run. */
export interface Readiness {
  readonly status: 'ready' | 'starting' | 'stopping' | 'not_ready';
  /** Registered generators with autostart. */
  readonly expected: number;
  /** Those of them that run, or have ended without a failure. */
  readonly up: number;
  /** Registered generators whose health is `failing`, if the request is strict. */
  readonly failing?: number;
}

export type BoardChange =
  | { readonly kind: 'generator'; readonly id: string; readonly state: GeneratorState }
  /** The globals of a scenario have changed. The tag is null when they are too large for one. */
  | { readonly kind: 'scenario'; readonly name: string; readonly etag: string | null };

/** State of an instance, readable without messages; lives on the main thread. */
export interface Board {
  /** Partitions of a generator are one row. */
  readonly rows: () => ReadonlyMap<string, BoardRow>;
  /** Ids of the partitions of a generator; empty: it has none. */
  readonly partsOf: (id: string) => readonly string[];
  readonly restartsOf: (id: string) => number;
  /** Keys are `generator ID` and `scenario NAME`. */
  readonly changes: Omit<ChangeLog<BoardChange>, 'set'>;
  /** Calls the listener after each change until the result is called; it must be quick and never throw. */
  readonly watch: (listener: () => void) => () => void;
  /** Notes the row of a generator or a partition. Null when it is no longer registered. */
  readonly noteGenerator: (id: string, row: BoardRow | null) => void;
  readonly noteScenario: (name: string, etag: string | null) => void;
  readonly isWatched: () => boolean;
}

const stateOf = ({ phase, isUp, reason, error_code, health }: BoardRow): GeneratorState => ({
  phase,
  is_up: isUp,
  reason,
  error_code,
  ...health,
});

const isSame = (a: BoardRow, b: BoardRow): boolean =>
  a.phase === b.phase &&
  a.isUp === b.isUp &&
  a.reason === b.reason &&
  a.error_code === b.error_code &&
  a.health.health === b.health.health &&
  a.health.health_reason === b.health.health_reason &&
  a.health.remedy === b.health.remedy;

/** Partitions as one generator; its counters are summed when they are read. */
const mergedRow = (parts: ReadonlyMap<number, BoardRow>): BoardRow => {
  const rows = [...parts].map(([index, row]) => ({ ...row, index }));
  const starts = rows.flatMap(({ startedAt }) => startedAt ?? []);
  return {
    ...worstReport(rows),
    isUp: rows.every(({ isUp }) => isUp),
    plugins: rows.find(({ plugins }) => plugins !== null)?.plugins ?? null,
    get stats() {
      const stats = rows.flatMap((row) => row.stats ?? []);
      return stats.length === 0 ? null : sumStats(stats);
    },
    startedAt: starts.length === 0 ? null : Math.min(...starts),
    isLive: rows.some(({ isLive }) => isLive),
    health: mergeHealth(rows.map((row) => ({ index: row.index, report: row.health }))),
  };
};

const isRestart = (former: BoardRow | undefined, row: BoardRow): boolean =>
  former?.phase === 'backing_off' && row.phase === 'loading';

export const makeBoard = (): Board => {
  const rows = new Map<string, BoardRow>();
  const parts = new Map<string, Map<number, BoardRow>>();
  const restarts = new Map<string, number>();
  const changes = changeLog<BoardChange>();
  const listeners = new Set<() => void>();

  const change = (key: string, value: BoardChange | null): void => {
    changes.set(key, value);
    for (const listener of listeners) listener();
  };

  const note = (id: string, row: BoardRow | null): void => {
    const former = rows.get(id);
    if (row === null) {
      if (!rows.delete(id)) return;
      restarts.delete(id);
      return change(`generator ${id}`, null);
    }
    rows.set(id, row);
    if (former !== undefined && isSame(former, row)) return;
    change(`generator ${id}`, { kind: 'generator', id, state: stateOf(row) });
  };

  const countRestart = (id: string): void => void restarts.set(id, (restarts.get(id) ?? 0) + 1);

  const notePart = (id: string, index: number, row: BoardRow | null): void => {
    const own = parts.get(id) ?? new Map<number, BoardRow>();
    if (row === null) own.delete(index);
    else {
      if (isRestart(own.get(index), row)) countRestart(id);
      own.set(index, row);
    }
    if (own.size > 0) parts.set(id, own);
    else parts.delete(id);
    note(id, own.size === 0 ? null : mergedRow(own));
  };

  return {
    rows: () => rows,
    partsOf: (id) =>
      [...(parts.get(id)?.keys() ?? [])].sort((a, b) => a - b).map((index) => partitionId(id, index)),
    restartsOf: (id) => restarts.get(id) ?? 0,
    changes,
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    noteGenerator: (id, row) => {
      const part = partitionOf(id);
      if (part !== null) return notePart(part.id, part.index, row);
      if (row !== null && isRestart(rows.get(id), row)) countRestart(id);
      note(id, row);
    },
    noteScenario: (name, etag) => change(`scenario ${name}`, { kind: 'scenario', name, etag }),
    isWatched: () => listeners.size > 0,
  };
};
