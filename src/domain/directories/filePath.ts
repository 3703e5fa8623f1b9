import {
  hasControlCharacter,
  hasDirectionCharacter,
  isLongerThan,
  isWellFormed,
  MAX_SEGMENT_BYTES,
  type NameFlaw,
  NO_DIRECTION,
} from '../identifiers.js';

/** Longest path of a file inside a generator directory, in bytes of UTF-8. */
export const MAX_FILE_PATH_BYTES = 1_024;
/** Most parts of the path of a file inside a generator directory. */
export const MAX_FILE_DEPTH = 32;

const flaw = (type: string, message: string): NameFlaw => ({ type, message });

const partFlaw = (part: string): NameFlaw | null => {
  if (part === '') return flaw('not_allowed', 'must not have an empty part (a slash too many)');
  if (part === '.' || part === '..') return flaw('not_allowed', "must not have a part '.' or '..'");
  return isLongerThan(part, MAX_SEGMENT_BYTES)
    ? flaw('too_long', `must not have a part longer than ${MAX_SEGMENT_BYTES} bytes`)
    : null;
};

/** Checks a path inside a generator directory: relative, no `.`, `..` or empty part. Links are checked at opening. */
export const checkFilePath = (path: string): NameFlaw | null => {
  if (path === '') return flaw('too_short', 'must not be empty');
  if (isLongerThan(path, MAX_FILE_PATH_BYTES))
    return flaw('too_long', `must not be longer than ${MAX_FILE_PATH_BYTES} bytes`);
  if (path.includes('\\'))
    return flaw('not_allowed', 'must not hold a backslash; parts are divided by slashes');
  if (hasControlCharacter(path)) return flaw('not_allowed', 'must not hold control characters');
  if (hasDirectionCharacter(path)) return flaw('not_allowed', NO_DIRECTION);
  if (!isWellFormed(path)) return flaw('not_allowed', 'must be well-formed Unicode');
  if (path.startsWith('/')) return flaw('not_allowed', 'must be relative to the generator directory');
  const parts = path.split('/');
  if (parts.length > MAX_FILE_DEPTH)
    return flaw('too_deep', `must not have more than ${MAX_FILE_DEPTH} parts`);
  return parts.map(partFlaw).find((found) => found !== null) ?? null;
};
