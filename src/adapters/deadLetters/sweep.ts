import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Sweep } from '../../ports/deadLetters.js';
import { errnoOf, ioError, isAbsent } from '../files/ioError.js';
import { openPrivate } from '../files/privateFiles.js';
import {
  byAge,
  type DeadLetterFile,
  deadLetterFileNameOf,
  freeKeptNumber,
  MAX_DEAD_LETTER_FILE_BYTES,
  parseName,
  type TakenFile,
  TORN_NAME,
} from './files.js';
import { runsOf } from './lines.js';
import { lockFolder, writersDone } from './lock.js';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Opens a file of letters; refuses links and never blocks on a pipe. */
export const openDeadLetters = (path: string): Promise<FileHandle> =>
  open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);

/** Oldest first, without links. */
export const deadLetterFilesIn = async (folder: string): Promise<readonly DeadLetterFile[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .flatMap((entry): readonly DeadLetterFile[] => {
      const file = entry.isFile() ? parseName(entry.name) : null;
      return file === null ? [] : [file];
    })
    .sort(byAge);

/** Resolves once the text is on the disk. */
const appendSafely = async (path: string, text: string): Promise<void> => {
  const file = await openPrivate(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY);
  try {
    await file.appendFile(text, 'utf8');
    await file.datasync();
  } finally {
    await file.close();
  }
};

interface SweepState {
  readonly folder: string;
  readonly sweep: Sweep;
  readonly clock: Clock;
  kept: { number: number; bytes: number };
  torn: number;
}

/** Undoes the unfinished run of a killed sweep: its letters are judged again. */
const recover = async (folder: string, { kept_number, kept_bytes }: TakenFile): Promise<void> => {
  const path = join(folder, deadLetterFileNameOf({ type: 'kept', number: kept_number }));
  if (kept_bytes === 0) return rm(path, { force: true });
  const stats = await lstat(path).catch(() => null);
  if (stats?.isFile() === true && stats.size > kept_bytes) await truncate(path, kept_bytes);
};

/** Stores progress in the file name, which completes the run. */
const saveProgress = async (
  at: SweepState,
  before: DeadLetterFile,
  done_bytes: number,
): Promise<TakenFile> => {
  const { number, bytes } = at.kept;
  const file: TakenFile = { type: 'taken', kept_number: number, done_bytes, kept_bytes: bytes };
  if (deadLetterFileNameOf(before) !== deadLetterFileNameOf(file)) {
    await rename(join(at.folder, deadLetterFileNameOf(before)), join(at.folder, deadLetterFileNameOf(file)));
  }
  return file;
};

const sweepTaken = async (
  at: SweepState,
  file: FileHandle,
  first: TakenFile,
): Promise<{ readonly taken: TakenFile; readonly goesOn: boolean }> => {
  let taken = first;
  const { sweep, folder } = at;
  const runs = runsOf(file, { from: first.done_bytes, to: null, next: sweep.next });
  for await (const { deadLetters, torn, end } of runs) {
    const { keep, goesOn } = deadLetters.length === 0 ? GO_ON : await sweep.judge(deadLetters);
    if (torn.length > 0) {
      await appendSafely(join(folder, TORN_NAME), torn.map((line) => `${line}\n`).join(''));
      at.torn += torn.length;
    }
    if (keep.length > 0) {
      const text = keep.map((line) => `${line}\n`).join('');
      await appendSafely(join(folder, deadLetterFileNameOf({ type: 'kept', number: at.kept.number })), text);
      at.kept.bytes += Buffer.byteLength(text);
    }
    taken = await saveProgress(at, taken, end);
    if (!goesOn) return { taken, goesOn: false };
  }
  return { taken, goesOn: sweep.next().count > 0 };
};

const GO_ON = { keep: [], goesOn: true } as const;

/** Takes a file, so that the writer starts a new one. Returns null when the file is gone. */
const take = async (at: SweepState, source: DeadLetterFile): Promise<TakenFile | null> => {
  try {
    return await saveProgress(at, source, source.type === 'taken' ? source.done_bytes : 0);
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw thrown;
  }
};

/** Resumes an earlier sweep. Returns whether to continue. */
const sweepFile = async (at: SweepState, source: DeadLetterFile): Promise<Result<boolean>> => {
  const first = await take(at, source);
  if (first === null) return E.right(true);
  const written = await writersDone(at.folder, at.clock);
  if (E.isLeft(written)) return written;
  const file = await openDeadLetters(join(at.folder, deadLetterFileNameOf(first)));
  try {
    const { taken, goesOn } = await sweepTaken(at, file, first);
    if ((await file.stat()).size <= taken.done_bytes) await rm(join(at.folder, deadLetterFileNameOf(taken)));
    return E.right(goesOn);
  } finally {
    await file.close();
  }
};

const sweepAll = async (at: SweepState, files: readonly DeadLetterFile[]): Promise<Result<void>> => {
  for (const file of files) if (file.type === 'taken') await recover(at.folder, file);
  for (const file of files) {
    if (at.sweep.next().count <= 0) break;
    const goesOn = await sweepFile(at, file);
    if (E.isLeft(goesOn)) return goesOn;
    if (!goesOn.right) break;
    if (at.kept.bytes >= MAX_DEAD_LETTER_FILE_BYTES) at.kept = { number: at.kept.number + 1, bytes: 0 };
  }
  return E.right(undefined);
};

/** Sweeps a folder beside its writer. Kept letters reach the disk before the progress is stored. */
export const sweepFolder = async (
  folder: string,
  clock: Clock,
  sweep: Sweep,
): Promise<Result<{ readonly torn: number }>> => {
  const lock = await lockFolder(folder);
  if (E.isLeft(lock)) return lock;
  try {
    const files = await deadLetterFilesIn(folder);
    const at: SweepState = {
      folder,
      sweep,
      clock,
      kept: { number: freeKeptNumber(files), bytes: 0 },
      torn: 0,
    };
    return E.map(() => ({ torn: at.torn }))(await sweepAll(at, files));
  } catch (thrown) {
    if (errnoOf(thrown) === '') throw thrown;
    return E.left(ioError('unwritable', 'change', folder, thrown));
  } finally {
    await lock.right.release();
  }
};
