/**
 * The writer appends to `written` files; the others belong to the sweep. The progress of a sweep is in the
 * name: a rename is atomic and needs no disk space.
 */

/** `00000001.jsonl`, appended by the pipeline. */
interface WrittenFile {
  readonly type: 'written';
  readonly number: number;
}

/** `kept-00000001.jsonl`: letters that a sweep kept. */
interface KeptFile {
  readonly type: 'kept';
  readonly number: number;
}

/**
 * `taken-00000002-4096-120.jsonl`: a file being swept. Its first 4,096 bytes are done; the letters kept of them
 * are the first 120 bytes of kept file 2. Further bytes there come from an interrupted run.
 */
export interface TakenFile {
  readonly type: 'taken';
  readonly kept_number: number;
  readonly done_bytes: number;
  readonly kept_bytes: number;
}

export type LetterFile = WrittenFile | KeptFile | TakenFile;

const WRITTEN = /^(\d{8})\.jsonl$/;
const KEPT = /^kept-(\d{8})\.jsonl$/;
const TAKEN = /^taken-(\d{8})-(\d+)-(\d+)\.jsonl$/;

export const TORN_NAME = 'torn.txt';

const padded = (number: number): string => String(number).padStart(8, '0');

export const nameOf = (file: LetterFile): string => {
  switch (file.type) {
    case 'written':
      return `${padded(file.number)}.jsonl`;
    case 'kept':
      return `kept-${padded(file.number)}.jsonl`;
    case 'taken':
      return `taken-${padded(file.kept_number)}-${file.done_bytes}-${file.kept_bytes}.jsonl`;
  }
};

export const parseName = (name: string): LetterFile | null => {
  const written = WRITTEN.exec(name);
  if (written !== null) return { type: 'written', number: Number(written[1]) };
  const kept = KEPT.exec(name);
  if (kept !== null) return { type: 'kept', number: Number(kept[1]) };
  const taken = TAKEN.exec(name);
  if (taken === null) return null;
  const [kept_number = 0, done_bytes = 0, kept_bytes = 0] = taken.slice(1).map(Number);
  return { type: 'taken', kept_number, done_bytes, kept_bytes };
};

const RANK = { taken: 0, kept: 1, written: 2 } as const;

const numberOf = (file: LetterFile): number => (file.type === 'taken' ? file.kept_number : file.number);

/** Oldest letters first: taken, kept, written. */
export const byAge = (a: LetterFile, b: LetterFile): number =>
  RANK[a.type] - RANK[b.type] || numberOf(a) - numberOf(b);

export const freeKeptNumber = (files: readonly LetterFile[]): number =>
  1 + Math.max(0, ...files.map((file) => (file.type === 'written' ? 0 : numberOf(file))));

/** Returns the number of valid bytes of a kept file, or null when all are valid. */
export const keptLimit = (files: readonly LetterFile[], number: number): number | null => {
  const taken = files.find((file): file is TakenFile => file.type === 'taken' && file.kept_number === number);
  return taken?.kept_bytes ?? null;
};
