import { type ErrorCode, failure, reasonOf, type SpateError, shortageIn } from '../../domain/errors.js';

/** Not `instanceof`: errors can come from another realm. */
const textOf = (thrown: unknown, name: 'code' | 'message'): string | null => {
  const value = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : null;
  return typeof value === 'string' ? value : null;
};

/** `ENOENT` and the like; empty for other errors. */
export const errnoOf = (thrown: unknown): string => textOf(thrown, 'code') ?? '';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  ELOOP: 'its symbolic links form a cycle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  EDQUOT: 'the disk quota is exceeded',
};

const systemReason = (thrown: unknown): string => {
  const known = REASONS[errnoOf(thrown)];
  // Node writes `EXYZ: reason, call 'path'`; our message names the path already.
  return known ?? (textOf(thrown, 'message') ?? reasonOf(thrown)).replace(/^[A-Z0-9]+: ([^,]+), .*$/s, '$1');
};

/** `cannot read /etc/x: permission denied` */
export const ioError = (code: ErrorCode, verb: string, path: string, thrown: unknown): SpateError => {
  const errno = errnoOf(thrown);
  const shortage = shortageIn(errno);
  const reason = shortage === null ? systemReason(thrown) : `${errno}: ${shortage}`;
  return failure(shortage === null ? code : 'exhausted', `cannot ${verb} ${path}: ${reason}`, { file: path });
};

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

export const isAbsent = (thrown: unknown): boolean => ABSENT.has(errnoOf(thrown));
