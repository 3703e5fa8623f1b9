import type { Result } from '../domain/errors.js';
import type { Secrets } from './files.js';

/**
 * Returns the password of a keyring, or null when none is set. It is read again for each key derivation: a replaced
 * password file is seen.
 */
export type PasswordSource = () => Promise<Result<string | null>>;

/** Where a keyring is, and what opens it. */
export interface KeyringAccess {
  /** Absolute path; need not exist. */
  readonly file: string;
  readonly password: PasswordSource;
}

/**
 * The keyring. Errors are `invalid` (name or value), `not_found` (secret or keyring file), `keyring_locked` (password
 * missing or wrong), `unreadable` (damaged, no keyring, or of another user), `unwritable`, `too_large` (a limit is
 * reached), `unavailable` (another process writes it). Changes are atomic and on disk when they resolve.
 */
export interface Keyring extends Secrets {
  /** All names, sorted; needs no password. None if the keyring does not exist. */
  readonly list: () => Promise<Result<readonly string[]>>;
  /** Needs no password. */
  readonly has: (name: string) => Promise<Result<boolean>>;
  /** Checks that it can be opened. Returns the error `not_found` when it does not exist. */
  readonly check: () => Promise<Result<void>>;
  /** The first secret creates the keyring. */
  readonly set: (name: string, value: string) => Promise<Result<'created' | 'replaced'>>;
  readonly remove: (name: string) => Promise<Result<void>>;
  /** Gives a secret another name in one change. A further error is `already_exists`. */
  readonly rename: (name: string, to: string) => Promise<Result<void>>;
  /** Encrypts the keyring with a new password and salt. */
  readonly rotate: (newPassword: string) => Promise<Result<void>>;
}
