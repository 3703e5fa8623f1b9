import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Clock } from '../../../ports/clock.js';

/** Bytes of an object, in pieces that are not copied. */
export type Pieces = readonly Uint8Array[];

export interface Hashes {
  /** In hex. */
  readonly sha256: string;
  /** In base 64. Null when it was not asked for. */
  readonly md5: string | null;
}

const gzip = promisify(zlib.gzip);
const GZIP_LEVEL = 1;

/** Bytes to hash before other work of the thread runs: a few milliseconds. */
const STEP_BYTES = 2 * 1024 * 1024;

export const sizeOf = (pieces: Pieces): number => pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** One gzip member: some readers stop after the first. */
export const compressed = async (pieces: Pieces): Promise<Pieces> => [
  await gzip(Buffer.concat(pieces), { level: GZIP_LEVEL }),
];

/** The bytes `from <= i < to`. */
export const cut = (pieces: Pieces, from: number, to: number): Pieces => {
  const found: Uint8Array[] = [];
  let start = 0;
  for (const piece of pieces) {
    const end = start + piece.byteLength;
    if (end > from && start < to) {
      found.push(piece.subarray(Math.max(0, from - start), Math.min(piece.byteLength, to - start)));
    }
    start = end;
  }
  return found;
};

/** Hashes in steps, between which other work of the thread runs. */
export const hashesOf = async (pieces: Pieces, hasMd5: boolean, clock: Clock): Promise<Hashes> => {
  const sha256 = createHash('sha256');
  const md5 = hasMd5 ? createHash('md5') : null;
  let since = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += STEP_BYTES) {
      const step = piece.subarray(at, at + STEP_BYTES);
      if (since + step.byteLength > STEP_BYTES) {
        await clock.yieldTurn();
        since = 0;
      }
      since += step.byteLength;
      sha256.update(step);
      md5?.update(step);
    }
  }
  return { sha256: sha256.digest('hex'), md5: md5?.digest('base64') ?? null };
};

export const base64Of = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
