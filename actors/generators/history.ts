import { isoFormatter } from '../../src/domain/time/iso.js';
import type { Micros } from '../../src/domain/time/micros.js';
import { utc } from '../../src/domain/time/zone.js';
import type { GeneratorTurn, LifeStatus } from '../../src/messages/generators.js';

const MAX_TURNS = 50;

const isoUtc = isoFormatter(utc);

/** Returns the event of a phase, or null without one. A generator counts as started when its outputs are open. */
const turnOf = ({ phase, is_running, reason, error_code }: LifeStatus) => {
  switch (phase) {
    case 'running':
      return is_running ? { phase, reason: null, error_code: null } : null;
    case 'failed':
    case 'backing_off':
      return { phase, reason, error_code };
    case 'finished':
    case 'stopped':
      return { phase, reason: null, error_code: null };
    default:
      return null;
  }
};

/** The last starts, ends and failures of a generator, in memory. */
export interface History {
  /** Call on every change of the status. */
  readonly note: (status: LifeStatus, now: Micros) => void;
  /** Newest first. */
  readonly turns: () => readonly GeneratorTurn[];
}

/** The same failure in a row is counted: an output that is away fails every few seconds. */
export const makeHistory = (): History => {
  let turns: readonly GeneratorTurn[] = [];
  return {
    note: (status, now) => {
      const turn = turnOf(status);
      if (turn === null) return;
      const at = isoUtc(now).replace('+00:00', 'Z');
      const [last, ...older] = turns;
      const isSame = last?.phase === turn.phase && last.reason === turn.reason && turn.error_code !== null;
      turns = isSame
        ? [{ ...last, at, count: last.count + 1 }, ...older]
        : [{ at, first_at: at, count: 1, ...turn }, ...turns].slice(0, MAX_TURNS);
    },
    turns: () => turns,
  };
};
