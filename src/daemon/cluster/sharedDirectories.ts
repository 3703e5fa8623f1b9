import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { serialQueue } from '../../domain/waiting.js';
import type { ArchiveInfo, Archives } from '../../ports/cluster.js';
import type { WorkingCopies } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';

interface SharingOptions {
  readonly archives: Archives;
  readonly copies: WorkingCopies;
  readonly isConnected: () => boolean;
  readonly log: Log;
  /** Another node changed files of a directory. */
  readonly onChanged: (name: string) => void;
}

const OFFLINE = failure(
  'unavailable',
  'this node has lost the connection to its cluster: files cannot be changed until it is back',
);

const overtaken = (name: string) =>
  failure(
    'precondition_failed',
    `another node changed "${name}" at the same time: your change was not made. Read it again and retry`,
  );

/** Generator directories that all nodes share; each node has a working copy. */
export const sharedDirectories = (options: SharingOptions) => {
  const { archives, copies, log } = options;
  const inTurn = serialQueue();
  /** What the working copies are. */
  const applied = new Map<string, ArchiveInfo>();

  const forget = async (name: string): Promise<Result<readonly string[]>> => {
    if (!applied.has(name)) return E.right([]);
    const removed = await copies.remove(name);
    if (E.isLeft(removed)) return removed;
    applied.delete(name);
    return E.right([name]);
  };

  /** Makes the working copy what the cluster has now. Returns the paths that changed. */
  const pull = async (name: string): Promise<Result<readonly string[]>> => {
    const stored = await archives.read(name);
    if (E.isLeft(stored)) return stored;
    if (stored.right === null) return forget(name);
    const { info, content } = stored.right;
    const changed = await copies.apply(name, content);
    if (E.isRight(changed)) applied.set(name, info);
    return changed;
  };

  const bringUpToDate = async (name: string, info: ArchiveInfo | null): Promise<void> => {
    const known = applied.get(name);
    if (info !== null && known !== undefined && known.revision >= info.revision) return;
    if (info === null && known === undefined) return;
    if (info !== null && known?.digest === info.digest) return void applied.set(name, info);
    const changed = await pull(name);
    if (E.isLeft(changed)) {
      const reason = changed.left.message;
      return log.write('error', 'a generator directory could not be taken from the cluster', {
        name,
        reason,
      });
    }
    if (changed.right.length === 0) return;
    log.write('info', 'a generator directory changed in the cluster', { name, files: changed.right.length });
    options.onChanged(name);
  };

  const keep = (name: string): void => {
    if (applied.delete(name))
      log.write('warning', 'the NATS servers lost a generator directory; the copy of this node stays', {
        name,
        hint: 'push it again',
      });
  };

  /** Stores the working copy. */
  const push = async (name: string): Promise<Result<null>> => {
    const packed = await copies.pack(name);
    if (E.isLeft(packed)) return packed;
    const known = applied.get(name);
    if (packed.right === null) {
      if (known === undefined) return E.right(null);
      const removed = await archives.remove(name, known.revision);
      if (E.isRight(removed)) applied.delete(name);
      return removed;
    }
    const { content, digest } = packed.right;
    if (digest === known?.digest) return E.right(null);
    const written = await archives.write(name, content, digest, known?.revision ?? 0);
    if (E.isLeft(written)) return written;
    applied.set(name, written.right);
    return E.right(null);
  };

  /** Undoes an edit that the cluster did not take. */
  const undo = async (name: string): Promise<void> => {
    const back = await pull(name);
    if (E.isRight(back)) return;
    // The next change that the watch sees brings it up to date.
    applied.delete(name);
    const reason = back.left.message;
    log.write('error', 'an edit that the cluster did not take is still in the working copy', {
      name,
      reason,
    });
  };

  return {
    /** Brings the working copies up to date and keeps them so until the signal ends. Resolves once they are. */
    follow: async (signal: AbortSignal): Promise<Result<null>> => {
      const begun = await archives.watch(
        {
          onChange: (name, info) => void inTurn(() => bringUpToDate(name, info)),
          // This may be the last copy.
          onWiped: (name) => void inTurn(async () => keep(name)),
        },
        signal,
      );
      return inTurn(async () => begun);
    },
    /**
     * Runs an edit of one directory on the working copy, then gives the result to the other nodes. Returns the error
     * `precondition_failed` when another node changed the directory at the same time: the working copy has its version.
     */
    edit: <A>(name: string, run: () => Promise<Result<A>>): Promise<Result<A>> =>
      inTurn(async () => {
        if (!options.isConnected()) return E.left(OFFLINE);
        const done = await run();
        if (E.isLeft(done)) return done;
        const pushed = await push(name);
        if (E.isRight(pushed)) return done;
        await undo(name);
        return E.left(pushed.left.code === 'precondition_failed' ? overtaken(name) : pushed.left);
      }),
  };
};
