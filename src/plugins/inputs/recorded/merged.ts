import type { FilePosition, TimedFile, TimedRecord } from './timedFile.js';

/** A record of several files. */
export interface MergedRecord extends TimedRecord {
  readonly file: string;
}

/** Records of several files in the order of their times; ties in the order of the files. */
export interface MergedFiles {
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
