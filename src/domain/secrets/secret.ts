import type { NameFlaw } from '../identifiers.js';

export const MAX_SECRET_BYTES = 65_536;
export const MAX_SECRETS = 10_000;
const MAX_NAME_LENGTH = 128;

const flaw = (type: string, message: string): NameFlaw => ({ type, message });

/** Name of a secret: ASCII letters, digits, `.`, `_`, `-`, no leading dot or dash, 1..128 characters, case-sensitive. */
export const checkSecretName = (name: string): NameFlaw | null => {
  if (name === '') return flaw('too_short', 'must not be empty');
  if (!/^[A-Za-z0-9._-]*$/.test(name))
    return flaw('not_allowed', "must consist of letters, digits, '.', '_' and '-' (ASCII)");
  if (/^[.-]/.test(name)) return flaw('not_allowed', 'must not begin with a dot or a dash');
  return name.length > MAX_NAME_LENGTH
    ? flaw('too_long', `must not be longer than ${MAX_NAME_LENGTH} characters`)
    : null;
};

/** Flaw of a value, without the value itself. */
export const checkSecretValue = (value: string): NameFlaw | null => {
  if (value === '') return flaw('too_short', 'must not be empty');
  // A lone surrogate has no UTF-8 form.
  if (/\p{Surrogate}/u.test(value)) return flaw('not_allowed', 'must be well-formed Unicode');
  return new TextEncoder().encode(value).length > MAX_SECRET_BYTES
    ? flaw('too_long', `must not be longer than ${MAX_SECRET_BYTES} bytes`)
    : null;
};
