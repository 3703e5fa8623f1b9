import type { Board } from '../../domain/stats/board.js';
import { type StatTotals, totalsOf } from '../../domain/stats/totals.js';
import type { Clock } from '../../ports/clock.js';

/** Longest run of work before the event loop gets a turn. */
const TURN_MS = 5;

/** Counters of all generators as they were at the last look, written once for all who read them. */
export interface StatsFeed {
  /** Looks at the counters anew; resolves when all are read. */
  readonly refresh: () => Promise<void>;
  /** Number of the last look; 0 before the first. */
  readonly version: () => number;
  /** JSON texts of generators whose counters have changed after that look; `ids`: only of these, empty for all. */
  readonly changedAfter: (version: number, ids: ReadonlySet<string>) => readonly string[];
  /** Forgets what was seen: nobody reads any more. */
  readonly clear: () => void;
}

interface Entry {
  readonly text: string;
  readonly version: number;
}

/** What is 0 is left out: most counters are, and there may be thousands of generators. */
const textOf = (id: string, totals: StatTotals): string => {
  const counted = Object.entries(totals).filter(([, count]) => count !== 0);
  return JSON.stringify({ id, ...Object.fromEntries(counted) });
};

export const statsFeed = (board: Pick<Board, 'rows'>, clock: Clock): StatsFeed => {
  const entries = new Map<string, Entry>();
  let version = 0;
  let underWay: Promise<void> | null = null;

  const look = async (next: number): Promise<void> => {
    let turnEndsAt = clock.monotonicMs() + TURN_MS;
    for (const [id, { stats }] of [...board.rows()]) {
      if (stats === null) continue;
      const text = textOf(id, totalsOf(stats));
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
      const add = (entry: Entry | undefined): void => {
        if (entry !== undefined && entry.version > after && entry.version <= version) texts.push(entry.text);
      };
      if (ids.size === 0) for (const entry of entries.values()) add(entry);
      else for (const id of ids) add(entries.get(id));
      return texts;
    },
    clear: () => entries.clear(),
  };
};
