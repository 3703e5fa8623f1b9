import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

type Version = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/** Quoted entity tag of inode, size and change times, not of the content: files can be large. */
export const fileEtag = ({ dev, ino, size, mtimeNs, ctimeNs }: Version): string => {
  const digest = createHash('sha256').update([dev, ino, size, mtimeNs, ctimeNs].join(':'));
  return `"${digest.digest('base64url').slice(0, 27)}"`;
};
