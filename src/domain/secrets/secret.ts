import type { NameFlaw } from '../identifiers.js';

/** Longest value of a secret in bytes of UTF-8. */
export const MAX_SECRET_BYTES = 65_536;
/** Most secrets of one keyring. */
export const MAX_SECRETS = 10_000;
/** Longest name of a secret in characters. */
const MAX_NAME_LENGTH = 128;

const flaw = (type: string, message: string): NameFlaw => ({ type, message });

/**
 * The name of a secret stands in placeholders, URLs and command lines: letters, digits, `.`, `_` and `-` of
 * ASCII, beginning with neither dot nor dash, 1..128 characters. Upper and lower case are different names.
 */
export const checkSecretName = (name: string): NameFlaw | null => {
  if (name === '') return flaw('too_short', 'must not be empty');
  if (!/^[A-Za-z0-9._-]*$/.test(name))
    return flaw('not_allowed', "must consist of letters, digits, '.', '_' and '-' (ASCII)");
  if (/^[.-]/.test(name)) return flaw('not_allowed', 'must not begin with a dot or a dash');
  return name.length > MAX_NAME_LENGTH
    ? flaw('too_long', `must not be longer than ${MAX_NAME_LENGTH} characters`)
    : null;
};

/** What is wrong with the value of a secret; the value itself is never part of it. */
export const checkSecretValue = (value: string): NameFlaw | null => {
  if (value === '') return flaw('too_short', 'must not be empty');
  // A lone surrogate has no UTF-8 form, so that no output could write it.
  if (/\p{Surrogate}/u.test(value)) return flaw('not_allowed', 'must be well-formed Unicode');
  return new TextEncoder().encode(value).length > MAX_SECRET_BYTES
    ? flaw('too_long', `must not be longer than ${MAX_SECRET_BYTES} bytes`)
    : null;
};
