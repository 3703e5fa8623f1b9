import type { NodeLoad } from '../../cluster/documents.js';
import type { BoardRow } from '../../domain/stats/board.js';
import { readStat } from '../../domain/stats/stats.js';
import type { Clock } from '../../ports/clock.js';

const RUNNING: ReadonlySet<string> = new Set(['running', 'draining']);

/** Load of this node since the last call. */
export const nodeLoad = (
  rows: () => ReadonlyMap<string, BoardRow>,
  cpuSeconds: () => number,
  clock: Pick<Clock, 'monotonicMs'>,
): (() => NodeLoad) => {
  let before = new Map<string, number>();
  let beforeMs = clock.monotonicMs();
  let usedBefore = cpuSeconds();
  return () => {
    const running = [...rows()].filter(([, { phase }]) => RUNNING.has(phase));
    const now = new Map(
      running.map(([id, { stats }]) => [id, stats === null ? 0 : readStat(stats, 'produced')]),
    );
    const nowMs = clock.monotonicMs();
    // A generator that was started anew counts from 0.
    const made = [...now].reduce((sum, [id, count]) => {
      const last = before.get(id) ?? 0;
      return sum + (count >= last ? count - last : count);
    }, 0);
    const seconds = Math.max(0.001, (nowMs - beforeMs) / 1_000);
    const used = cpuSeconds();
    const cpu = (used - usedBefore) / seconds;
    usedBefore = used;
    before = now;
    beforeMs = nowMs;
    return {
      generators: running.length,
      events_per_second: Math.round(made / seconds),
      cpu: Math.round(cpu * 100) / 100,
    };
  };
};
