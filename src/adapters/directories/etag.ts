import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { allowsChange } from '../../domain/etag.js';
import { type Location, refuseLocation } from './location.js';

const CHUNK_BYTES = 262_144;
const MAX_KNOWN = 1_000;
/** The clocks of file systems tick slowly: a file may change again without another time. */
const SETTLED_MS = 1_000;

/** Tags of file contents by inode, size and change times: a large file is not read again for each request. */
const known = new Map<string, string>();

const quoted = (digest: Buffer): string => `"${digest.toString('base64url').slice(0, 27)}"`;

const versionOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(':');

const contentTag = async (file: FileHandle): Promise<string> => {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return quoted(hash.digest());
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
};

/** Quoted entity tag of the content, the same on all nodes of a cluster. Rejects with system errors. */
export const fileEtag = async (file: FileHandle, stats: BigIntStats): Promise<string> => {
  const version = versionOf(stats);
  const tag = known.get(version) ?? (await contentTag(file));
  if (Date.now() - Number(stats.ctimeMs) > SETTLED_MS) known.set(version, tag);
  for (const oldest of known.keys()) if (known.size > MAX_KNOWN) known.delete(oldest);
  return tag;
};

/** The tag of a directory or link is that of its inode: it has no content to read. */
const tagAt = async ({ folder, name }: Location, stats: BigIntStats): Promise<string> => {
  if (!stats.isFile()) return quoted(createHash('sha256').update(versionOf(stats)).digest());
  const file = await open(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await fileEtag(file, stats);
  } finally {
    await file.close();
  }
};

/** Returns the error `precondition_failed` unless `If-Match` allows this version. Rejects with system errors. */
export const checkVersion = async (
  if_match: string | null,
  location: Location,
  stats: BigIntStats,
  path: string,
): Promise<Result<null>> =>
  if_match === null || allowsChange(if_match, await tagAt(location, stats))
    ? E.right(null)
    : refuseLocation(
        'precondition_failed',
        `If-Match does not match the current version of '${path}'; read it again.`,
      );
