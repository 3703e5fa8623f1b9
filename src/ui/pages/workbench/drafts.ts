/** Unsaved text of a file. */
export interface FileDraft {
  readonly text: string;
  /** The stored text that it began with, and its entity tag. */
  readonly base: string;
  readonly etag: string;
  /** Time of the last change, epoch milliseconds. */
  readonly at: number;
}

/** What drafts need of the local storage of a browser. */
export interface DraftStorage {
  readonly length: number;
  readonly key: (index: number) => string | null;
  readonly getItem: (key: string) => string | null;
  readonly setItem: (key: string, value: string) => void;
  readonly removeItem: (key: string) => void;
}

const PREFIX = 'spate:draft:';

const keyOf = (directory: string, path: string): string => `${PREFIX}${directory}/${path}`;

const parsed = (text: string | null): FileDraft | null => {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<FileDraft> | null;
    if (typeof value?.text !== 'string' || typeof value.base !== 'string') return null;
    const { text: written, base, etag, at } = value;
    return typeof etag === 'string' && typeof at === 'number' ? { text: written, base, etag, at } : null;
  } catch {
    return null;
  }
};

/** The drafts of a generator directory by path. */
export const readDrafts = (storage: DraftStorage, directory: string): ReadonlyMap<string, FileDraft> => {
  const start = keyOf(directory, '');
  const drafts = new Map<string, FileDraft>();
  for (let index = 0; index < storage.length; index += 1) {
    const key = storage.key(index);
    if (!key?.startsWith(start)) continue;
    const draft = parsed(storage.getItem(key));
    if (draft !== null) drafts.set(key.slice(start.length), draft);
  }
  return drafts;
};

/** Stores a draft, or removes it with `null`. False: the storage is full. */
export const writeDraft = (
  storage: DraftStorage,
  directory: string,
  path: string,
  draft: FileDraft | null,
): boolean => {
  try {
    if (draft === null) storage.removeItem(keyOf(directory, path));
    else storage.setItem(keyOf(directory, path), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
};
