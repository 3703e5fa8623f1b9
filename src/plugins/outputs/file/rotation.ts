import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { PluginContext } from '../../kit.js';
import { systemFailure } from '../shared/errors.js';
import { zstd } from '../shared/zstd.js';

export interface RotationOptions {
  /** A file that would become larger is full. Null when there is no limit. */
  readonly max_bytes: number | null;
  readonly every: 'hour' | 'day' | null;
  /** Number of full files that stay. Null when all stay. */
  readonly keep: number | null;
  /** Most bytes of all full files together. Null when there is no limit. */
  readonly keep_bytes: number | null;
  /** Compression of full files. Null when they are not compressed. */
  readonly compression: keyof typeof COMPRESSIONS | null;
}

/** What is behind the name of a compressed file, and what compresses it. `create` is null when this Node cannot. */
const COMPRESSIONS = {
  gzip: { ending: '.gz', create: createGzip },
  zstd: { ending: '.zst', create: zstd?.createStream ?? null },
} as const;

const PERIOD_SECONDS = { hour: 3_600, day: 86_400 } as const;

/** Number of the hour or day of the generator's time zone. */
const periodOf = (every: keyof typeof PERIOD_SECONDS, zone: Zone, at: Micros): number =>
  Math.floor((at / MICROS_PER_SECOND + zone.offsetSecondsAt(at)) / PERIOD_SECONDS[every]);

/** Whether a file is full before a write of `bytes`, given its size and when its first event was written. */
export const isFull = (
  { max_bytes, every }: RotationOptions,
  zone: Zone,
  file: { readonly size: number; readonly begun: Micros },
  { bytes, now }: { readonly bytes: number; readonly now: Micros },
): boolean =>
  file.size > 0 &&
  ((max_bytes !== null && file.size + bytes > max_bytes) ||
    (every !== null && periodOf(every, zone, file.begun) !== periodOf(every, zone, now)));

/** `events.log` is renamed to `events.log.20261123T101500Z`, or with `-2`, `-3` ... behind it. */
const FULL = /^\.(\d{8}T\d{6}Z)(?:-(\d+))?(\.gz|\.zst)?$/;
const PART = '.part';

interface FullFile {
  readonly name: string;
  readonly stamp: string;
  readonly number: number;
  readonly isCompressed: boolean;
}

/** The full files of a path, oldest first. */
const fullFiles = async (path: string): Promise<readonly FullFile[]> => {
  const base = basename(path);
  return (await readdir(dirname(path)))
    .flatMap((name): readonly FullFile[] => {
      const [, stamp, number, ending] = name.startsWith(base)
        ? (FULL.exec(name.slice(base.length)) ?? [])
        : [];
      if (stamp === undefined) return [];
      return [{ name, stamp, number: Number(number ?? 1), isCompressed: ending !== undefined }];
    })
    .sort((a, b) => a.stamp.localeCompare(b.stamp, 'en') || a.number - b.number);
};

/** Gives a full file its own name. The folder is that of the path, so the rename is atomic. */
export const setAside = async (path: string, now: Micros): Promise<void> => {
  const stamp = new Date(now / MICROS_PER_MS).toISOString().replace(/[-:]|\.\d+/g, '');
  const sameTime = (await fullFiles(path)).filter((file) => file.stamp === stamp);
  const number = 1 + Math.max(0, ...sameTime.map((file) => file.number));
  await rename(path, `${path}.${stamp}${number === 1 ? '' : `-${number}`}`);
};

/** Whole or not at all: the compressed file appears under its name when it is complete. */
const compress = async (
  path: string,
  compression: keyof typeof COMPRESSIONS,
  signal: AbortSignal,
): Promise<void> => {
  const { ending, create } = COMPRESSIONS[compression];
  if (create === null) return;
  const part = path + ending + PART;
  const { mode } = await stat(path);
  try {
    await pipeline(createReadStream(path), create(), createWriteStream(part, { mode, flush: true }), {
      signal,
    });
    await rename(part, path + ending);
    await rm(path);
  } catch (thrown) {
    await rm(part, { force: true });
    throw thrown;
  }
};

/** Removes full files beyond `keep`, compresses the others, and removes what is too large then; those of earlier runs too. */
const tidy = async (path: string, options: RotationOptions, signal: AbortSignal): Promise<void> => {
  const files = await fullFiles(path);
  const old = options.keep === null ? 0 : Math.max(0, files.length - options.keep);
  for (const { name } of files.slice(0, old)) await rm(join(dirname(path), name), { force: true });
  const { compression, keep_bytes } = options;
  if (compression !== null) {
    for (const { name, isCompressed } of files.slice(old)) {
      if (!isCompressed && !signal.aborted) await compress(join(dirname(path), name), compression, signal);
    }
  }
  if (keep_bytes !== null && !signal.aborted) await removeBeyond(path, keep_bytes, compression !== null);
};

/**
 * Removes the oldest full files until the others have at most `keep_bytes`. A file that is still to be compressed
 * became full meanwhile: the next turn counts it.
 */
const removeBeyond = async (path: string, keep_bytes: number, areCompressed: boolean): Promise<void> => {
  const files = (await fullFiles(path)).filter(({ isCompressed }) => isCompressed || !areCompressed);
  let left = keep_bytes;
  for (const { name } of files.toReversed()) {
    const file = join(dirname(path), name);
    left -= (await stat(file)).size;
    if (left < 0) await rm(file, { force: true });
  }
};

/** Compresses and deletes full files in the background, those of one path at a time. */
export interface Tidier {
  readonly start: (path: string) => void;
  /** Waits up to `grace_ms`. The next run of the same path finds files that are not compressed then. */
  readonly end: (grace_ms: number) => Promise<void>;
}

export const makeTidier = (
  rotation: RotationOptions | null,
  { clock, log }: Pick<PluginContext, 'clock' | 'log'>,
): Tidier => {
  const ending = new AbortController();
  const wanted = new Set<string>();
  let running: Promise<void> | null = null;
  const run = async (options: RotationOptions): Promise<void> => {
    // A path that is wanted again meanwhile has another turn.
    for (const path of wanted) {
      wanted.delete(path);
      if (ending.signal.aborted) break;
      await tidy(path, options, ending.signal).catch((thrown: unknown) => {
        if (ending.signal.aborted) return;
        const reason = systemFailure('unwritable', `cannot tidy up beside ${path}`, thrown).message;
        log.write('error', 'full files stay as they are', { reason, file_path: path });
      });
    }
    running = null;
  };
  return {
    start: (path) => {
      if (rotation === null) return;
      wanted.add(path);
      running ??= run(rotation);
    },
    end: async (grace_ms) => {
      if (running !== null) {
        const done = new AbortController();
        await Promise.race([running, clock.sleepMs(grace_ms, done.signal)]);
        done.abort();
      }
      ending.abort();
      await running;
    },
  };
};
