import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { GlobalsPatch } from '../../../messages/scenarios.js';
import { callTagged } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import { changedSince, toRemove, undoOf } from './patches.js';

/** Members that write at the same time change the entity tag. */
const MAX_TRIES = 5;

/** Nothing was changed: these keys have other values by now. */
export class ChangedSince extends Error {
  constructor(readonly keys: readonly string[]) {
    super(`changed since: ${keys.join(', ')}`);
  }
}

interface UndoRequest {
  readonly patch: GlobalsPatch;
  /** Also if something else has changed the keys since. */
  readonly isForced: boolean;
}

/** `onBegun`: some values are back, so the next try must not take them for changes of others. */
const undoOnce = async (
  name: string,
  { patch, isForced }: UndoRequest,
  onBegun: () => void,
): Promise<void> => {
  const path = { name };
  const { value: now, etag } = await callTagged('readGlobals', { path });
  const changed = changedSince(patch, now);
  if (changed.length > 0 && !isForced) throw new ChangedSince(changed);
  const undo = undoOf(patch);
  let tag = etag;
  if (Object.keys(undo.values).length > 0) {
    tag = (await callTagged('patchGlobals', { path, body: undo.values, etag: tag })).etag;
    onBegun();
  }
  for (const key of toRemove(undo, now)) {
    tag = (await callTagged('deleteGlobalsKey', { path: { name, key }, etag: tag })).etag;
    onBegun();
  }
};

const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

/** Brings back the values before a change. Rejects with `ChangedSince` or `ApiError`. */
export const useUndo = (name: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: UndoRequest) => {
      let isBegun = false;
      const onBegun = (): void => {
        isBegun = true;
      };
      for (let tries = 1; ; tries++) {
        try {
          return await undoOnce(name, { ...request, isForced: request.isForced || isBegun }, onBegun);
        } catch (error) {
          if (!isOutdated(error) || tries === MAX_TRIES) throw error;
        }
      }
    },
    onSettled: () => client.invalidateQueries(),
  });
};
