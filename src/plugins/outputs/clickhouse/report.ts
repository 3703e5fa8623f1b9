import { failure, type SpateError } from '../../../domain/errors.js';
import type { Trouble } from './trouble.js';

/** Makes the error of an act (`cannot open`, `cannot insert into`) that failed. */
export type Report = (act: string, trouble: Trouble) => SpateError;

/** Shorter secrets are not looked for: hiding each `a` of a text would show more than it hides. */
const MIN_SECRET = 3;
/** Longer texts of a server are cut: they may echo whole events. */
const MAX_TEXT = 400;

/** The spellings in which a server or proxy may echo a secret. */
const spellingsOf = (user: string, password: string): readonly string[] =>
  password.length < MIN_SECRET
    ? []
    : [Buffer.from(`${user}:${password}`, 'utf8').toString('base64'), password, encodeURIComponent(password)];

/** Names the place in each error, and hides the passwords of these users. */
export const makeReport = (
  name: string,
  users: readonly { readonly username: string; readonly password: string }[],
): Report => {
  const hidden = users.flatMap(({ username, password }) => spellingsOf(username, password));
  return (act, { what, origin, remedy, isRetryable }) => {
    const safe = hidden.reduce((text, secret) => text.replaceAll(secret, '***'), what);
    const said = safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}...` : safe;
    const parts = [said, origin === '' ? '' : ` (${origin})`, remedy === '' ? '' : `; ${remedy}`];
    return failure(isRetryable ? 'output_failed' : 'rejected', `${act} ${name}: ${parts.join('')}`);
  };
};
