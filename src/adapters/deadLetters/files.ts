import { constants } from 'node:fs';
import { type FileHandle, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import { isoFormatter } from '../../domain/time/iso.js';
import { utc } from '../../domain/time/zone.js';
import { serialQueue } from '../../domain/waiting.js';
import type { Clock } from '../../ports/clock.js';
import type { DeadLetter, DeadLetters } from '../../ports/deadLetters.js';
import { ioError, isAbsent } from '../files/ioError.js';
import { makePrivateFolder, openPrivate } from '../files/privateFiles.js';
import { claim } from './lock.js';

/** At this size a file is full and the next one begins. */
export const MAX_DEAD_LETTER_FILE_BYTES = 16 * 1024 * 1024;
/** Limit per output, to protect the disk; more letters are rejected. */
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;
/** Retries of a put when its folder is removed. */
const MAX_TRIES = 10;

const LINE_FEED = 0x0a;

export const deadLetterLineOf = ({ at, code, reason, event }: DeadLetter): string =>
  `${JSON.stringify({ at, code, reason, event })}\n`;

interface Fill {
  number: number;
  /** Bytes of all files; a sweep may have removed some since. */
  total: number;
}

const scanFolder = async (folder: string): Promise<Fill> => {
  await makePrivateFolder(folder);
  const fill: Fill = { number: 1, total: 0 };
  for (const name of await readdir(folder)) {
    const file = parseName(name);
    if (file === null) continue;
    const size = await stat(join(folder, name)).then(
      (stats) => stats.size,
      (thrown: unknown) => {
        // A sweep has renamed or removed it.
        if (isAbsent(thrown)) return 0;
        throw thrown;
      },
    );
    fill.total += size;
    if (file.type === 'written') fill.number = Math.max(fill.number, file.number);
  }
  return fill;
};

const endsInLine = async (file: FileHandle, size: number): Promise<boolean> => {
  if (size === 0) return true;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 0 || buffer[0] === LINE_FEED;
};

/** One system call if possible: readers then see whole lines. */
const writeWhole = async (file: FileHandle, bytes: Buffer): Promise<void> => {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
};

const openToAppend = (path: string): Promise<FileHandle> => {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  return openPrivate(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_RDWR);
};

/** All or nothing. Resolves to `false` if the file is full: use the next one. */
const append = async (file: FileHandle, bytes: Buffer): Promise<boolean> => {
  const { size } = await file.stat();
  if (size > 0 && size + bytes.length > MAX_DEAD_LETTER_FILE_BYTES) return false;
  try {
    // A crash may have left a torn line: start a new one.
    const isWhole = await endsInLine(file, size);
    await writeWhole(file, isWhole ? bytes : Buffer.concat([Buffer.of(LINE_FEED), bytes]));
    return true;
  } catch (thrown) {
    await file.truncate(size).catch(() => undefined);
    throw thrown;
  }
};

/**
 * JSON lines `{at, code, reason, event}` in numbered files of a folder created with the first letter. One
 * writer per folder; a sweep (`sweep.ts`) may rename files at any time.
 */
export const deadLetterFiles = (
  folder: string,
  clock: Clock,
  openFile: (path: string) => Promise<FileHandle> = openToAppend,
): DeadLetters => {
  const iso = isoFormatter(utc);
  let fill: Fill | null = null;
  const inTurn = serialQueue();

  const isFull = (bytes: number): boolean => fill !== null && fill.total + bytes > MAX_TOTAL_BYTES;

  /** A sweep that takes the file removes it only after the claim is released. */
  const write = async (path: string, bytes: Buffer): Promise<boolean> => {
    const { release } = await claim(folder, 'writing');
    try {
      const file = await openFile(path);
      try {
        return await append(file, bytes);
      } finally {
        await file.close();
      }
    } finally {
      // What is written is written; the next sweep names what is left.
      await release().catch(() => undefined);
    }
  };

  const store = async (bytes: Buffer): Promise<Result<void>> => {
    for (let tries = 1; ; tries++) {
      try {
        // A resend or purge may have made room: scan again before rejecting.
        if (isFull(bytes.length)) fill = null;
        fill ??= await scanFolder(folder);
        if (isFull(bytes.length)) {
          const limit = `${MAX_TOTAL_BYTES / 1024 ** 3} GiB`;
          const advice = 'Resend or purge its dead letters, see spate deadletter --help.';
          return E.left(failure('too_large', `${folder} is full (${limit}). ${advice}`));
        }
        if (
          await write(join(folder, deadLetterFileNameOf({ type: 'written', number: fill.number })), bytes)
        ) {
          fill.total += bytes.length;
          return E.right(undefined);
        }
        fill.number++;
      } catch (thrown) {
        fill = null;
        if (!isAbsent(thrown) || tries >= MAX_TRIES) throw thrown;
      }
    }
  };

  const put = async (events: readonly string[], why: SpateError): Promise<Result<void>> => {
    const [at, code, reason] = [iso(clock.now()), why.code, why.message];
    const text = events.map((event) => deadLetterLineOf({ at, code, reason, event })).join('');
    try {
      return await store(Buffer.from(text, 'utf8'));
    } catch (thrown) {
      return E.left(ioError('unwritable', 'write', folder, thrown));
    }
  };

  return {
    put: (events, reason) => {
      const done = inTurn(() => put(events, reason));
      return done;
    },
  };
};

/**
 * The writer appends to `written` files; the others belong to the sweep. The progress of a sweep is in the
 * name: a rename is atomic and needs no disk space.
 */

/** `00000001.jsonl`, appended by the pipeline. */
interface WrittenFile {
  readonly type: 'written';
  readonly number: number;
}

/** `kept-00000001.jsonl`: letters that a sweep kept. */
interface KeptFile {
  readonly type: 'kept';
  readonly number: number;
}

/**
 * `taken-00000002-4096-120.jsonl`: a file being swept. Its first 4,096 bytes are done; the letters kept of them
 * are the first 120 bytes of kept file 2. Further bytes there come from an interrupted run.
 */
export interface TakenFile {
  readonly type: 'taken';
  readonly kept_number: number;
  readonly done_bytes: number;
  readonly kept_bytes: number;
}

export type DeadLetterFile = WrittenFile | KeptFile | TakenFile;

const WRITTEN = /^(\d{8})\.jsonl$/;
const KEPT = /^kept-(\d{8})\.jsonl$/;
const TAKEN = /^taken-(\d{8})-(\d+)-(\d+)\.jsonl$/;

export const TORN_NAME = 'torn.txt';

const padded = (number: number): string => String(number).padStart(8, '0');

export const deadLetterFileNameOf = (file: DeadLetterFile): string => {
  switch (file.type) {
    case 'written':
      return `${padded(file.number)}.jsonl`;
    case 'kept':
      return `kept-${padded(file.number)}.jsonl`;
    case 'taken':
      return `taken-${padded(file.kept_number)}-${file.done_bytes}-${file.kept_bytes}.jsonl`;
  }
};

export const parseName = (name: string): DeadLetterFile | null => {
  const written = WRITTEN.exec(name);
  if (written !== null) return { type: 'written', number: Number(written[1]) };
  const kept = KEPT.exec(name);
  if (kept !== null) return { type: 'kept', number: Number(kept[1]) };
  const taken = TAKEN.exec(name);
  if (taken === null) return null;
  const [kept_number = 0, done_bytes = 0, kept_bytes = 0] = taken.slice(1).map(Number);
  return { type: 'taken', kept_number, done_bytes, kept_bytes };
};

const RANK = { taken: 0, kept: 1, written: 2 } as const;

const numberOf = (file: DeadLetterFile): number => (file.type === 'taken' ? file.kept_number : file.number);

/** Oldest letters first: taken, kept, written. */
export const byAge = (a: DeadLetterFile, b: DeadLetterFile): number =>
  RANK[a.type] - RANK[b.type] || numberOf(a) - numberOf(b);

export const freeKeptNumber = (files: readonly DeadLetterFile[]): number =>
  1 + Math.max(0, ...files.map((file) => (file.type === 'written' ? 0 : numberOf(file))));

/** Returns the number of valid bytes of a kept file, or null when all are valid. */
export const keptLimit = (files: readonly DeadLetterFile[], number: number): number | null => {
  const taken = files.find((file): file is TakenFile => file.type === 'taken' && file.kept_number === number);
  return taken?.kept_bytes ?? null;
};
