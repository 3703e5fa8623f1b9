import type { Json } from '../../../../domain/json.js';
import type { Partition } from '../../../../domain/partitions.js';
import type { Micros } from '../../../../domain/time/micros.js';
import type { PlayedRecord, RecordPlayer } from '../../../kit.js';

/** Records passed in one turn of the event loop. */
const MAX_PASSED = 2_000;

/** Keeps records and timestamps together: both come in the same order, and timestamps may be left out. */
export interface RecordFollower {
  /** Follows other timestamps. `skip`: of the records of the partition, so many are used already. */
  readonly begin: (player: RecordPlayer, skip: number) => void;
  /**
   * The record of the next timestamp, valid until the next call. `behind`: call again, after a turn of the event loop; `lost`:
   * there is none; `none`: there are no records. Throws if a file has changed.
   */
  readonly recordAt: (micros: Micros) => PlayedRecord | 'behind' | 'lost' | 'none';
  /** Returns the position in the records, or null when there are none. */
  readonly snapshot: () => Json;
  /** Continues where another follower of the same records was; without records it does nothing. */
  readonly restore: (state: Json) => void;
}

/** Number `k` of the records belongs to partition `k mod count`, as number `k` of the timestamps does. */
export const makeFollower = ({ index, count }: Partition): RecordFollower => {
  let player: RecordPlayer | null = null;
  let left = 0;
  /** The next own record, read ahead because its timestamp is later. */
  let ahead: PlayedRecord | null = null;

  return {
    begin: (next, skip) => {
      player = next;
      left = skip;
      ahead = null;
    },
    recordAt: (micros) => {
      if (player === null) return 'none';
      for (let passed = 0; passed < MAX_PASSED; passed++) {
        let record = ahead;
        if (record === null) {
          const isOwn = player.ordinal() % count === index;
          record = player.next();
          if (record === null) return 'lost';
          if (!isOwn) continue;
          if (left > 0) {
            left--;
            continue;
          }
        }
        ahead = record.micros > micros ? record : null;
        if (record.micros === micros) return record;
        if (record.micros > micros) return 'lost';
        // Timestamps that a partition missed are left out, and their records with them.
      }
      return 'behind';
    },
    snapshot: () => player?.snapshot() ?? null,
    restore: (state) => {
      player?.restore(state);
      ahead = null;
      left = 0;
    },
  };
};
