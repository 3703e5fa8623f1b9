import { isJsonObject, type Json } from '../../../domain/json.js';
import type { Random } from '../../../domain/random.js';
import { MAX_MICROS, type Micros } from '../../../domain/time/micros.js';
import type { PlayedRecord, RecordPlayer } from '../../pairs.js';
import type { FilePosition, TimedFile, TimedRecord } from './timedFile.js';

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

/** A record of several files. */
interface MergedRecord extends TimedRecord {
  readonly file: string;
}

/** Records of several files in the order of their times; ties in the order of the files. */
interface MergedFiles {
  /** `null` at the end. A record is valid until the next call. */
  readonly next: () => MergedRecord | null;
  /** Position of each file, before its next record. */
  readonly positions: () => readonly FilePosition[];
  readonly seek: (positions: readonly FilePosition[]) => void;
}

interface Source {
  readonly files: TimedFile;
  readonly number: number;
  /** Before `head`. */
  before: FilePosition;
  head: TimedRecord | null;
}

const isEarlier = (a: Source, b: Source): boolean => {
  const [one, two] = [a.head?.micros ?? Number.POSITIVE_INFINITY, b.head?.micros ?? Number.POSITIVE_INFINITY];
  return one === two ? a.number < b.number : one < two;
};

/** Moves the first source of a binary heap down to its place. */
const sink = (heap: Source[]): void => {
  for (let at = 0; ; ) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && isEarlier(heap[child] as Source, heap[least] as Source)) least = child;
    }
    if (least === at) return;
    [heap[at], heap[least]] = [heap[least] as Source, heap[at] as Source];
    at = least;
  }
};

export const mergedFiles = (files: readonly TimedFile[]): MergedFiles => {
  const sources = files.map(
    (each, number): Source => ({ files: each, number, before: each.position(), head: null }),
  );
  /** Sources, earliest first. Null when heads are to be read. */
  let heap: Source[] | null = null;
  /** The source of the last record: reading its next one would overwrite that. */
  let used: Source | null = null;

  const advance = (source: Source): void => {
    source.before = source.files.position();
    source.head = source.files.next();
  };

  const ready = (): Source[] => {
    if (heap === null) {
      for (const source of sources) advance(source);
      // A sorted list is a heap.
      heap = [...sources].sort((a, b) => (isEarlier(a, b) ? -1 : 1));
    } else if (used !== null) {
      advance(used);
      sink(heap);
    }
    used = null;
    return heap;
  };

  return {
    next: () => {
      const [first] = ready();
      if (first === undefined || first.head === null) return null;
      used = first;
      return { ...first.head, file: first.files.file.name };
    },
    positions: () => sources.map((source) => (source === used ? source.files.position() : source.before)),
    seek: (positions) => {
      for (const [index, position] of positions.entries()) {
        const source = sources[index] as Source;
        const { file } = source.files;
        if (position.offset > file.size) {
          throw new Error(
            `${file.name} is shorter than at the checkpoint. Restore it, or start without the checkpoint.`,
          );
        }
        source.files.seek(position);
        source.before = position;
        source.head = null;
      }
      heap = null;
      used = null;
    },
  };
};
