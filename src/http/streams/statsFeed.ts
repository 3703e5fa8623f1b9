import type { Board } from '../../domain/stats/board.js';
import { quantile } from '../../domain/stats/histogram.js';
import type { Stats } from '../../domain/stats/stats.js';
import { totalsOf } from '../../domain/stats/totals.js';
import type { Clock } from '../../ports/clock.js';

/** Maximum milliseconds before the event loop gets a turn. */
const TURN_MS = 5;

/** Counters of all generators at the last look, shared by all readers. */
interface StatsFeed {
  /** Reads the counters; resolves when all are read. */
  readonly refresh: () => Promise<void>;
  /** Number of the last look; 0 before the first. */
  readonly version: () => number;
  /** JSON of generators whose counters changed after that look; `ids` filters, empty for all. */
  readonly changedAfter: (version: number, ids: ReadonlySet<string>) => readonly string[];
  /** Drops all data: there are no readers. */
  readonly clear: () => void;
}

interface ShownCounters {
  readonly text: string;
  readonly version: number;
}

/** Leaves out zeros: most counters are 0, and there can be thousands of generators. */
const textOf = (id: string, stats: Stats): string => {
  const figures = { ...totalsOf(stats), lateness_p99_us: quantile(stats.lateness, 0.99) };
  const counted = Object.entries(figures).filter(([, count]) => count !== 0);
  return JSON.stringify({ id, ...Object.fromEntries(counted) });
};

export const statsFeed = (board: Pick<Board, 'rows'>, clock: Clock): StatsFeed => {
  const entries = new Map<string, ShownCounters>();
  let version = 0;
  let underWay: Promise<void> | null = null;

  const look = async (next: number): Promise<void> => {
    let turnEndsAt = clock.monotonicMs() + TURN_MS;
    for (const [id, { stats }] of [...board.rows()]) {
      if (stats === null) continue;
      const text = textOf(id, stats);
      if (entries.get(id)?.text !== text) entries.set(id, { text, version: next });
      if (clock.monotonicMs() < turnEndsAt) continue;
      await clock.yieldTurn();
      turnEndsAt = clock.monotonicMs() + TURN_MS;
    }
    for (const id of entries.keys()) if (!board.rows().has(id)) entries.delete(id);
    version = next;
  };

  return {
    refresh: () => {
      underWay ??= look(version + 1).finally(() => {
        underWay = null;
      });
      return underWay;
    },
    version: () => version,
    changedAfter: (after, ids) => {
      const texts: string[] = [];
      const add = (entry: ShownCounters | undefined): void => {
        if (entry !== undefined && entry.version > after && entry.version <= version) texts.push(entry.text);
      };
      if (ids.size === 0) for (const entry of entries.values()) add(entry);
      else for (const id of ids) add(entries.get(id));
      return texts;
    },
    clear: () => entries.clear(),
  };
};
