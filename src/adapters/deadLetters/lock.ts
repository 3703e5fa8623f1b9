import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import { ioError } from '../files/ioError.js';
import { openPrivate } from '../files/privateFiles.js';
import { isSameProcess, processStart } from '../processes/proc.js';

/** A writer holds its claim for one write. */
const WRITER_WAIT_MS = 10_000;
/** A process that looks ended may live in another container. */
const ENDED_WAIT_MS = 200;
const LOOK_EVERY_MS = 1;

const held = (pid: number, folder: string) =>
  E.left(
    failure('wrong_state', `process ${pid} is working on ${folder}. Wait until it ends, then try again.`),
  );

/**
 * Locks a folder for a sweep. Each process creates a claim of its own, then looks for others: at least one of
 * two sees the other and gives way. It gets the error `wrong_state`, which names the holder.
 */
export const lockFolder = async (
  folder: string,
): Promise<Result<{ readonly release: () => Promise<void> }>> => {
  try {
    const { name, release } = await claim(folder, 'lock');
    try {
      const others = (await claimsIn(folder, 'lock')).filter((other) => other.name !== name);
      const holder = others.find(({ isAlive }) => isAlive);
      if (holder === undefined) {
        await removeClaims(folder, others);
        return E.right({ release });
      }
      await release();
      return held(holder.pid, folder);
    } catch (thrown) {
      await release().catch(() => undefined);
      throw thrown;
    }
  } catch (thrown) {
    return E.left(ioError('unwritable', 'lock', folder, thrown));
  }
};

/**
 * Resolves once every letter that was being written is stored: later ones go where the file names of now lead.
 * Returns the error `wrong_state`, which names the writer, when one does not end.
 */
export const writersDone = async (folder: string, clock: Clock): Promise<Result<void>> => {
  const never = new AbortController().signal;
  const began = clock.monotonicMs();
  const names = new Set((await claimsIn(folder, 'writing')).map(({ name }) => name));
  while (names.size > 0) {
    const left = (await claimsIn(folder, 'writing')).filter(({ name }) => names.has(name));
    const waited_ms = clock.monotonicMs() - began;
    const writer = left.find(({ isAlive }) => isAlive || waited_ms < ENDED_WAIT_MS);
    if (writer === undefined) {
      await removeClaims(folder, left);
      break;
    }
    if (waited_ms > WRITER_WAIT_MS) return held(writer.pid, folder);
    await clock.sleepMs(LOOK_EVERY_MS, never);
  }
  return E.right(undefined);
};

/** Releases the lock of this process: the thread that held it has ended. */
export const releaseLock = async (folder: string): Promise<void> =>
  removeClaims(
    folder,
    (await claimsIn(folder, 'lock')).filter(({ pid }) => pid === process.pid),
  );

/** `lock`: sweeps the folder. `writing`: appends a letter. */
type Work = 'lock' | 'writing';

/** An empty file that says which process is at work in a folder. */
interface Claim {
  readonly name: string;
  readonly pid: number;
  readonly isAlive: boolean;
}

/** Work, process id, start time in ticks since boot (`0`: unknown), random part. */
const NAME = /^\.(lock|writing)-(\d+)-(\d+)-[0-9a-f]+$/;

const UNKNOWN = '0';

/** Creates a claim of this process; works on a full disk. */
export const claim = async (
  folder: string,
  work: Work,
): Promise<{ readonly name: string; readonly release: () => Promise<void> }> => {
  const start = (await processStart(process.pid)) ?? UNKNOWN;
  const name = `.${work}-${process.pid}-${start}-${randomUUID().slice(0, 8)}`;
  await (await openPrivate(join(folder, name), 'wx')).close();
  return { name, release: () => rm(join(folder, name), { force: true }) };
};

/** The claims of processes on this machine (process namespace), those of ended processes too. */
const claimsIn = (folder: string, work: Work): Promise<readonly Claim[]> =>
  readdir(folder).then((names) =>
    Promise.all(
      names.flatMap((name) => {
        const [, kind, pid, start] = NAME.exec(name) ?? [];
        if (kind !== work) return [];
        const known = start === UNKNOWN || start === undefined ? null : start;
        const alive = isSameProcess(Number(pid), known);
        return [alive.then((isAlive) => ({ name, pid: Number(pid), isAlive }))];
      }),
    ),
  );

/** Removes what ended processes left. */
const removeClaims = async (folder: string, claims: readonly Claim[]): Promise<void> => {
  for (const { name } of claims) await rm(join(folder, name), { force: true });
};
