import { isJsonObject, type Json } from '../../../domain/json.js';
import type { Random } from '../../../domain/random.js';
import { MAX_MICROS, type Micros } from '../../../domain/time/micros.js';
import type { PlayedRecord, RecordPlayer } from '../../kit.js';
import type { MergedFiles } from './merged.js';
import type { FilePosition } from './timedFile.js';

/** How the times of a recording become timestamps. Spans are microseconds of the recording. */
export interface Tempo {
  readonly base: Micros;
  readonly speed: number;
  readonly max_gap: number;
  /** Passes over the recording; may be infinite. */
  readonly passes: number;
  readonly repeat_gap: number;
  /** Microseconds of the timestamps. */
  readonly jitter: number;
}

interface PlayerOptions {
  readonly names: readonly string[];
  /** Opens the files at their start. */
  readonly open: () => MergedFiles;
  readonly tempo: Tempo;
  /** A new stream of the same numbers for each player. */
  readonly random: () => Random;
}

interface State {
  /** Timestamp of the first record: a resumed run may count from another `now`. */
  readonly base: Micros;
  readonly names: readonly string[];
  readonly files: readonly FilePosition[];
  readonly pass: number;
  readonly isPassEmpty: boolean;
  /** Time of the last record in the recording; `null` before the first of a pass. */
  readonly before: Micros | null;
  /** From the first record to the last one in the recording, without the cut parts of gaps. */
  readonly elapsed: number;
  readonly last: Micros | null;
  readonly ordinal: number;
  readonly random: readonly number[];
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index]);

/** A saved position of these files. Throws what to do if it is of others. */
const stateFrom = (saved: Json, names: readonly string[]): State => {
  if (!isJsonObject(saved) || !Array.isArray(saved['names']) || !Array.isArray(saved['files'])) {
    throw new Error('the saved state of the recording is invalid');
  }
  const state = saved as unknown as State;
  if (isSame(state.names, names)) return state;
  throw new Error(
    `the recording had other files: ${state.names.join(', ')}; now ${names.join(', ')}. ` +
      'Restore them, or start without the checkpoint.',
  );
};

/** Plays a recording: each record in order, with its timestamp. Timestamps follow from the files and the tempo alone. */
export const recordPlayer = (options: PlayerOptions): RecordPlayer => {
  const { names, tempo } = options;
  const files = options.open();
  const random = options.random();
  const start = files.positions();
  let { base } = tempo;
  let pass = 0;
  let isPassEmpty = true;
  let before: Micros | null = null;
  let elapsed = 0;
  let last: Micros | null = null;
  let ordinal = 0;

  const nextRecord = () => {
    for (;;) {
      const found = files.next();
      if (found !== null) return found;
      // A pass without records would repeat forever.
      if (isPassEmpty || pass + 1 >= tempo.passes) return null;
      pass++;
      isPassEmpty = true;
      before = null;
      files.seek(start);
    }
  };

  const timestampAt = (micros: Micros): Micros => {
    if (before !== null) elapsed += Math.min(micros - before, tempo.max_gap);
    else if (pass > 0) elapsed += tempo.repeat_gap;
    before = micros;
    const shift = tempo.jitter === 0 ? 0 : random.next() * tempo.jitter;
    return Math.max(last ?? base, base + Math.round(elapsed / tempo.speed + shift));
  };

  const next = (): PlayedRecord | null => {
    const found = nextRecord();
    if (found === null) return null;
    const micros = timestampAt(found.micros);
    if (micros > MAX_MICROS) return null;
    isPassEmpty = false;
    last = micros;
    ordinal++;
    const { record, span, file } = found;
    const { line, bytes, isTooLong, text } = record;
    return { micros, span, file, line, bytes, isTooLong, text };
  };

  return {
    next,
    ordinal: () => ordinal,
    snapshot: () =>
      ({
        base,
        names,
        files: files.positions(),
        pass,
        isPassEmpty,
        before,
        elapsed,
        last,
        ordinal,
        random: tempo.jitter === 0 ? [] : random.snapshot(),
      }) as unknown as Json,
    restore: (saved) => {
      const state = stateFrom(saved, names);
      files.seek(state.files);
      ({ base, pass, isPassEmpty, before, elapsed, last, ordinal } = state);
      if (tempo.jitter !== 0) random.restore(state.random);
    },
  };
};
