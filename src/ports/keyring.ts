import type { Result } from '../domain/errors.js';
import type { Secrets } from './files.js';

/**
 * Where the password of a keyring comes from: asked for again whenever a key has to be made, so that a
 * password file that was exchanged is seen. Right `null`: none is given anywhere.
 */
export type PasswordSource = () => Promise<Result<string | null>>;

/**
 * The keyring with all that may be done to it; readers of secrets need only `Secrets`. Every Left is one of:
 * `invalid` (a name or value breaks its rule), `not_found` (no such secret, no keyring file),
 * `keyring_locked` (the password is missing or wrong), `unreadable` (the file is damaged, no keyring, or of
 * another user), `unwritable`, `too_large` (a limit is reached), `unavailable` (another process writes it).
 * Changes are whole or not made, and on the disk when they are answered.
 */
export interface Keyring extends Secrets {
  /** All names, sorted; needs no password. A keyring that does not exist yet has none. */
  readonly list: () => Promise<Result<readonly string[]>>;
  /** Whether there is a secret of that name; needs no password. */
  readonly has: (name: string) => Promise<Result<boolean>>;
  /** Whether it can be opened; Left `not_found`: it does not exist yet. */
  readonly check: () => Promise<Result<void>>;
  /** Stores a value under a name; the first one creates the keyring. Right: what was done. */
  readonly set: (name: string, value: string) => Promise<Result<'created' | 'replaced'>>;
  readonly remove: (name: string) => Promise<Result<void>>;
  /** Locks the keyring with another password and salt; until that is done the old file stays. */
  readonly rotate: (newPassword: string) => Promise<Result<void>>;
}
