import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type SpateError } from '../domain/errors.js';
import { isoFormatter } from '../domain/time/iso.js';
import { utc } from '../domain/time/zone.js';
import type { Clock } from '../ports/clock.js';
import type { DeadLetters } from '../ports/deadLetters.js';
import { ioError, isAbsent } from './ioError.js';

/** A file takes no more letters once it has this size; the next one begins. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** All files of one output together; beyond it letters are refused, so that a disk is never filled. */
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

const NAME = /^(\d{8})\.jsonl$/;
const nameOf = (number: number): string => `${String(number).padStart(8, '0')}.jsonl`;

interface Box {
  /** Number and size of the file that is written. */
  number: number;
  bytes: number;
  total: number;
}

/** What is in the folder from earlier runs. */
const lookInto = async (folder: string): Promise<Box> => {
  const box: Box = { number: 1, bytes: 0, total: 0 };
  const names = await readdir(folder).catch((thrown: unknown) => {
    if (isAbsent(thrown)) return [];
    throw thrown;
  });
  for (const name of names.sort()) {
    const number = Number(NAME.exec(name)?.[1] ?? 0);
    if (number === 0) continue;
    const { size } = await stat(join(folder, name));
    box.number = number;
    box.bytes = size;
    box.total += size;
  }
  return box;
};

const append = async (path: string, text: string): Promise<void> => {
  const file = await open(path, 'a', 0o640);
  try {
    await file.appendFile(text);
  } finally {
    await file.close();
  }
};

/**
 * Dead letters of one output: JSON lines `{at, code, reason, event}` in numbered files of a folder that is
 * made with the first letter. One writer per folder; puts wait for each other.
 */
export const deadLetterFiles = (folder: string, clock: Clock): DeadLetters => {
  const iso = isoFormatter(utc);
  let box: Box | null = null;
  let tail: Promise<unknown> = Promise.resolve();

  const put = async (events: readonly string[], why: SpateError): Promise<E.Either<SpateError, void>> => {
    const [at, code, reason] = [iso(clock.now()), why.code, why.message];
    const text = events.map((event) => `${JSON.stringify({ at, code, reason, event })}\n`).join('');
    const bytes = Buffer.byteLength(text);
    try {
      if (box === null) {
        await mkdir(folder, { recursive: true, mode: 0o750 });
        box = await lookInto(folder);
      }
      if (box.total + bytes > MAX_TOTAL_BYTES) {
        const limit = `${MAX_TOTAL_BYTES / 1024 ** 3} GiB`;
        return E.left(failure('too_large', `${folder} is full (${limit}): replay or purge the dead letters`));
      }
      if (box.bytes > 0 && box.bytes + bytes > MAX_FILE_BYTES) {
        box.number++;
        box.bytes = 0;
      }
      await append(join(folder, nameOf(box.number)), text);
      box.bytes += bytes;
      box.total += bytes;
      return E.right(undefined);
    } catch (thrown) {
      box = null;
      return E.left(ioError('unwritable', 'write', folder, thrown));
    }
  };

  return {
    put: (events, reason) => {
      const done = tail.then(() => put(events, reason));
      tail = done;
      return done;
    },
  };
};
