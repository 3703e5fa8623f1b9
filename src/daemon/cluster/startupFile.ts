import { isDeepStrictEqual } from 'node:util';
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

/** The list as it is known, and its text. A list that was removed has no value. */
const knownList = (value: Uint8Array | null, revision: number) => ({
  text: value === null ? E.right(NO_ENTRIES) : unpackList(value),
  isThere: value !== null,
  revision,
});

/** The startup list of a cluster, as the file that its store reads and replaces. */
export const startupInCluster = (bucket: Bucket) => {
  let known = knownList(null, 0);

  const readAgain = async (): Promise<void> => {
    const before = known;
    const now = await bucket.read(LIST_KEY);
    // A write of this node that was answered meanwhile is newer.
    if (E.isRight(now) && known === before)
      known = knownList(now.right?.value ?? null, now.right?.revision ?? 0);
  };

  /**
   * Takes what the watch of the bucket saw, at once when it is newer. Otherwise it is late, or servers have lost the end
   * of the stream: the leader is asked, and it resolves after the answer.
   */
  const note = async (value: Uint8Array | null, revision: number): Promise<void> => {
    const next = knownList(value, revision);
    if (revision > known.revision) known = next;
    else if (!isDeepStrictEqual(next, known)) await readAgain();
  };

  const files: StartupFiles = {
    readText: async () => known.text,
    // Returns the error `precondition_failed` when another node was faster; the next read has what it wrote.
    replaceText: async (_path, text, was) => {
      // The watch may have brought another list while the change was planned.
      if (E.isRight(known.text) && known.text.right !== was) return E.left(OVERTAKEN);
      const value = packList(text);
      const written = await bucket.write(LIST_KEY, value, known.isThere ? known.revision : 0);
      if (E.isLeft(written)) {
        await readAgain();
        return written;
      }
      await note(value, written.right);
      return E.right(undefined);
    },
  };

  return { files, note };
};
