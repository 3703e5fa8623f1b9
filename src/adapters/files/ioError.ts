import { type ErrorCode, failure, reasonOf, type SpateError } from '../../domain/errors.js';

/** A text property of anything that was thrown. Not by class: errors can come from another realm. */
const textOf = (thrown: unknown, name: 'code' | 'message'): string | null => {
  const value = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : null;
  return typeof value === 'string' ? value : null;
};

/** Code of a Node system error, e.g. `ENOENT`; empty for anything else. */
export const errnoOf = (thrown: unknown): string => textOf(thrown, 'code') ?? '';

/** Reasons in the words that people know; others are taken from the message of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link that leads in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  EDQUOT: 'the disk quota is used up',
};

const systemReason = (thrown: unknown): string => {
  const known = REASONS[errnoOf(thrown)];
  // Node writes `EXYZ: reason, call 'path'`; the path is named by us already.
  return known ?? (textOf(thrown, 'message') ?? reasonOf(thrown)).replace(/^[A-Z0-9]+: ([^,]+), .*$/s, '$1');
};

/** The error of a file operation: `cannot read /etc/x: permission denied`. */
export const ioError = (code: ErrorCode, verb: string, path: string, thrown: unknown): SpateError =>
  failure(code, `cannot ${verb} ${path}: ${systemReason(thrown)}`, { file: path });

/** What names a thing that is not there. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** True when an operation failed because there is nothing at the path. */
export const isAbsent = (thrown: unknown): boolean => ABSENT.has(errnoOf(thrown));
