import { gunzipSync, gzipSync } from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import type { StartupFiles } from '../../../actors/stores/startup.js';
import { LIST_KEY } from '../../cluster/keys.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { Bucket } from '../../ports/cluster.js';

const OVERTAKEN = failure('precondition_failed', 'another node has changed the startup list');

/** Text of an empty list. */
const NO_ENTRIES = '[]\n';

export const packList = (text: string): Uint8Array => gzipSync(text);

/** Unpacks a list. Returns an error when it is damaged. */
export const unpackList = (value: Uint8Array): Result<string> => {
  try {
    return E.right(gunzipSync(value).toString('utf8'));
  } catch (thrown) {
    const reason = `the startup list of the cluster is damaged: ${reasonOf(thrown)}. Push it again.`;
    return E.left(failure('unreadable', reason));
  }
};

/** The startup list of a cluster, as the file that its store reads and replaces. */
export interface StartupInCluster {
  readonly files: StartupFiles;
  /** Takes what the watch of the bucket saw. */
  readonly note: (value: Uint8Array | null, revision: number) => void;
}

export const startupInCluster = (bucket: Bucket): StartupInCluster => {
  let known: { readonly text: Result<string>; readonly replaces: number; readonly revision: number } = {
    text: E.right(NO_ENTRIES),
    replaces: 0,
    revision: 0,
  };

  const note: StartupInCluster['note'] = (value, revision) => {
    if (revision <= known.revision) return;
    known =
      value === null
        ? { text: E.right(NO_ENTRIES), replaces: 0, revision }
        : { text: unpackList(value), replaces: revision, revision };
  };

  const readAgain = async (): Promise<void> => {
    const now = await bucket.read(LIST_KEY);
    if (E.isRight(now) && now.right !== null) note(now.right.value, now.right.revision);
  };

  return {
    note,
    files: {
      readText: async () => known.text,
      // Returns the error `precondition_failed` when another node was faster; the next read has what it wrote.
      replaceText: async (_path, text, was) => {
        // The watch may have brought another list while the change was planned.
        if (E.isRight(known.text) && known.text.right !== was) return E.left(OVERTAKEN);
        const value = packList(text);
        const written = await bucket.write(LIST_KEY, value, known.replaces);
        if (E.isLeft(written)) {
          await readAgain();
          return written;
        }
        note(value, written.right);
        return E.right(undefined);
      },
    },
  };
};
