import { useCallback, useEffect, useRef, useState } from 'react';
import { type FileDraft, readDrafts, writeDraft } from './drafts.js';
import { isInside, renamedPath } from './paths.js';

const WRITE_DELAY_MS = 300;

export interface FileDrafts {
  readonly byPath: ReadonlyMap<string, FileDraft>;
  /** Sets the draft of a file, or removes it with `null`. */
  readonly set: (path: string, draft: FileDraft | null) => void;
  /** A text is saved: what was typed after it stays a draft, on the new file. */
  readonly settle: (path: string, saved: string, etag: string) => void;
  /** Follows a move of a file or folder. */
  readonly move: (from: string, to: string) => void;
  /** Forgets the drafts of a deleted file or folder. */
  readonly drop: (path: string) => void;
  /** The browser has no room for drafts. */
  readonly isFull: boolean;
}

/** Unsaved texts of a directory. They survive a closed page in local storage. */
export const useDrafts = (directory: string): FileDrafts => {
  const [byPath, setByPath] = useState(() => readDrafts(localStorage, directory));
  const latest = useRef(byPath);
  latest.current = byPath;
  const [isFull, setIsFull] = useState(false);
  const pending = useRef(new Map<string, FileDraft | null>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const flush = useCallback((): void => {
    clearTimeout(timer.current);
    const written = [...pending.current].map(([path, draft]) =>
      writeDraft(localStorage, directory, path, draft),
    );
    pending.current.clear();
    if (written.length > 0) setIsFull(written.includes(false));
  }, [directory]);

  const set = useCallback(
    (path: string, draft: FileDraft | null): void => {
      setByPath((former) => {
        const next = new Map(former);
        if (draft === null) next.delete(path);
        else next.set(path, draft);
        return next;
      });
      pending.current.set(path, draft);
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, WRITE_DELAY_MS);
    },
    [flush],
  );

  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);

  const settle = (path: string, saved: string, etag: string): void => {
    const draft = latest.current.get(path);
    if (draft !== undefined) set(path, draft.text === saved ? null : { ...draft, base: saved, etag });
  };

  const move = (from: string, to: string): void => {
    for (const [path, draft] of byPath) {
      const moved = renamedPath(path, from, to);
      if (moved === path) continue;
      set(path, null);
      set(moved, draft);
    }
  };

  const drop = (path: string): void => {
    for (const known of byPath.keys()) if (isInside(known, path)) set(known, null);
  };

  return { byPath, set, settle, move, drop, isFull };
};
