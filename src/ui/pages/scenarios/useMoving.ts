import { useCallback, useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import type { Edit } from './edits.js';
import { looked, movingKeys, type Tracks } from './moving.js';

/** Known before the first look of a page that is opened again. */
const remembered = new Map<string, Tracks>();

interface Moving {
  readonly tracks: Tracks;
  readonly keys: ReadonlySet<string>;
  /** Passes an edit on, and remembers that this page changes the key. */
  readonly onEdit: (edit: Edit) => Promise<void>;
}

/** Which numbers scripts and templates change, found by looking. `at`: time of the look, in milliseconds. */
export const useMoving = (
  name: string,
  globals: JsonObject | undefined,
  at: number,
  edit: (edit: Edit) => Promise<void>,
): Moving => {
  const [tracks, setTracks] = useState<Tracks>(() => remembered.get(name) ?? new Map());
  const [own, setOwn] = useState<ReadonlySet<string>>(() => new Set());
  const now = useRef(globals);
  now.current = globals;
  useEffect(() => {
    const values = now.current;
    if (values !== undefined) setTracks((known) => looked(known, values, at));
  }, [at]);
  useEffect(() => {
    remembered.set(name, tracks);
  }, [name, tracks]);
  const onEdit = useCallback(
    (change: Edit) => {
      setOwn((known) => new Set([...known, change.path[0]]));
      return edit(change);
    },
    [edit],
  );
  return { tracks, keys: movingKeys(tracks, own), onEdit };
};
