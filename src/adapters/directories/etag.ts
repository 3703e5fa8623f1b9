import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

/** What tells one version of a file from another. */
type Version = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/**
 * Entity tag of a file, in its quotes: which file it is, its size and when it changed, digested so that
 * nothing of the disk shows. Content is not read for it, since files can be large.
 */
export const fileEtag = ({ dev, ino, size, mtimeNs, ctimeNs }: Version): string => {
  const digest = createHash('sha256').update([dev, ino, size, mtimeNs, ctimeNs].join(':'));
  return `"${digest.digest('base64url').slice(0, 27)}"`;
};
