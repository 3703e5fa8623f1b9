import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { allowsChange } from '../../domain/directories/etag.js';
import type { Result } from '../../domain/errors.js';
import { refuse } from './location.js';

type Version = Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>;

/** Quoted entity tag of inode, size and change times, not of the content: files can be large. */
export const fileEtag = ({ dev, ino, size, mtimeNs, ctimeNs }: Version): string => {
  const digest = createHash('sha256').update([dev, ino, size, mtimeNs, ctimeNs].join(':'));
  return `"${digest.digest('base64url').slice(0, 27)}"`;
};

/** Left `precondition_failed` unless `If-Match` allows this version. */
export const checkVersion = (if_match: string | null, stats: BigIntStats, path: string): Result<null> =>
  allowsChange(if_match, fileEtag(stats))
    ? E.right(null)
    : refuse(
        'precondition_failed',
        `If-Match does not match the current version of '${path}'; read it again.`,
      );
