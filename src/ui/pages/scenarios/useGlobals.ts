import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { MERGE_PATCH_TYPE } from '../../../contract/body.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { call, callTagged, type Tagged } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { changed, childAt, edited, type GlobalEdit, globalAt, globalsPatchOf } from './edits.js';
import { steadyKeys } from './patches.js';

const LOOK_MS = 1_000;
/** Larger states are read less often. */
const MANY_KEYS = 2_000;
const LONG_LOOK_MS = 5_000;
/** Templates may change the globals between a look and a patch. */
const MAX_TRIES = 5;

interface State extends Tagged<JsonObject> {
  /** Time of the look; an edit leaves it. */
  readonly at_ms: number;
}

export const globalsKey = (name: string): readonly string[] => ['globals', name];

/** The globals of a scenario, read again every second while the page is visible. */
export const useGlobals = (name: string) =>
  useQuery({
    queryKey: globalsKey(name),
    queryFn: async (): Promise<State> => {
      const state = await callTagged('readGlobals', { path: { name } });
      return { ...state, at_ms: performance.now() };
    },
    refetchInterval: ({ state }) =>
      Object.keys(state.data?.value ?? {}).length > MANY_KEYS ? LONG_LOOK_MS : LOOK_MS,
  });

const GONE = new ApiError(
  404,
  'not_found',
  'The value is gone: a template or another client has removed it or what holds it.',
);

/** Replaces the top-level value around the edit, in the state that was just read. */
const rewrite = async (name: string, edit: GlobalEdit): Promise<void> => {
  const [key, ...rest] = edit.path;
  for (let tries = 1; ; tries++) {
    const { value, etag } = await callTagged('readGlobals', { path: { name } });
    if (globalAt(value, edit.path.slice(0, -1)) === undefined) throw GONE;
    const next: Json = changed(childAt(value, key) ?? null, rest, edit.value);
    try {
      await call('patchGlobals', { path: { name }, body: Object.fromEntries([[key, next]]), etag });
      return;
    } catch (error) {
      const isOutdated = error instanceof ApiError && error.code === 'precondition_failed';
      if (!isOutdated || tries === MAX_TRIES) throw error;
    }
  }
};

const send = async (name: string, edit: GlobalEdit): Promise<void> => {
  const patch = globalsPatchOf(edit);
  if (patch.kind === 'rewrite') return rewrite(name, edit);
  const mediaType = patch.kind === 'rfc7386' ? { mediaType: MERGE_PATCH_TYPE } : {};
  await call('patchGlobals', { path: { name }, body: patch.values, ...mediaType });
};

/** Changes one value of the globals. Rejects with `ApiError`. */
export const useEdit = (name: string): ((edit: GlobalEdit) => Promise<void>) => {
  const client = useQueryClient();
  const queryKey = globalsKey(name);
  const { mutateAsync } = useMutation({
    mutationFn: (edit: GlobalEdit) => send(name, edit),
    onSuccess: async (_, edit) => {
      // A look from before the change would show the old value again.
      await client.cancelQueries({ queryKey });
      const after = client.setQueryData<State>(queryKey, (known) =>
        known === undefined ? known : { ...known, value: edited(known.value, edit) },
      );
      // Each edit puts the next look off.
      if (after === undefined || performance.now() - after.at_ms > LOOK_MS) {
        void client.invalidateQueries({ queryKey });
      }
    },
  });
  return mutateAsync;
};

/** Milliseconds between looks at the history of patches. */
const WATCH_MS = 3_000;

/** The last changes over the API, newest first. */
export const historyOfGlobals = (name: string) =>
  queryOptions({
    queryKey: ['patches', name],
    queryFn: () => call('readGlobalsHistory', { path: { name } }),
    refetchInterval: WATCH_MS,
  });

export const useHistoryOfGlobals = (name: string) => useQuery(historyOfGlobals(name));

const storageKey = (name: string): string => `spate knobs ${name}`;

const stored = (name: string): ReadonlySet<string> => {
  try {
    const keys: unknown = JSON.parse(sessionStorage.getItem(storageKey(name)) ?? '[]');
    return new Set(Array.isArray(keys) ? keys.map(String) : []);
  } catch {
    return new Set();
  }
};

interface KnobKeys {
  /** False until it is known which keys are knobs. */
  readonly isKnown: boolean;
  readonly isKnob: (key: string) => boolean;
  /** The person has asked for a knob, also for a value that changes by itself. */
  readonly isAdded: (key: string) => boolean;
  readonly add: (key: string) => void;
}

/** Which globals have a knob: those that a client has set and nothing else has changed since, and those that the person adds. */
export const useKnobKeys = (name: string, globals: JsonObject | undefined): KnobKeys => {
  const history = useHistoryOfGlobals(name);
  const [added, setAdded] = useState(() => stored(name));
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => new Set());
  const patches = history.data;
  const found =
    patches === undefined || globals === undefined
      ? []
      : steadyKeys(patches, globals).filter((key) => !keys.has(key));
  const foundText = JSON.stringify(found);
  // One that is turned stays, though its next value is not in the history yet.
  useEffect(() => {
    const fresh = JSON.parse(foundText) as readonly string[];
    if (fresh.length > 0) setKeys((former) => new Set([...former, ...fresh]));
  }, [foundText]);
  const add = useCallback(
    (key: string) => {
      setAdded((former) => new Set([...former, key]));
      try {
        sessionStorage.setItem(storageKey(name), JSON.stringify([...stored(name), key]));
      } catch {
        // Without storage the knob lasts as long as the page.
      }
    },
    [name],
  );
  return {
    isKnown: !history.isPending,
    isKnob: (key) => keys.has(key) || found.includes(key),
    isAdded: (key) => added.has(key),
    add,
  };
};
