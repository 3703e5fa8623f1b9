import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MERGE_PATCH_TYPE } from '../../../contract/body.js';
import type { Json, JsonObject } from '../../../domain/json.js';
import { call, callTagged, type Tagged } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { changed, childAt, type Edit, edited, patchOf, valueAt } from './edits.js';

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
const rewrite = async (name: string, edit: Edit): Promise<void> => {
  const [key, ...rest] = edit.path;
  for (let tries = 1; ; tries++) {
    const { value, etag } = await callTagged('readGlobals', { path: { name } });
    if (valueAt(value, edit.path.slice(0, -1)) === undefined) throw GONE;
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

const send = async (name: string, edit: Edit): Promise<void> => {
  const patch = patchOf(edit);
  if (patch.kind === 'rewrite') return rewrite(name, edit);
  const mediaType = patch.kind === 'rfc7386' ? { mediaType: MERGE_PATCH_TYPE } : {};
  await call('patchGlobals', { path: { name }, body: patch.values, ...mediaType });
};

/** Changes one value of the globals. Rejects with `ApiError`. */
export const useEdit = (name: string): ((edit: Edit) => Promise<void>) => {
  const client = useQueryClient();
  const queryKey = globalsKey(name);
  const { mutateAsync } = useMutation({
    mutationFn: (edit: Edit) => send(name, edit),
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
