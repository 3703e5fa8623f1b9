import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { PasswordSource } from '../../ports/keyring.js';
import { readOpenText } from '../files/files.js';
import { ioError, isAbsent } from '../files/ioError.js';

/** Variable that holds the password itself. */
export const PASSWORD_VARIABLE = 'SPATE_KEYRING_PASSWORD';
/** Variable that holds the next password, for a rotation. */
export const NEW_PASSWORD_VARIABLE = 'SPATE_KEYRING_NEW_PASSWORD';
/** Variable that names a file whose content is the password. */
export const PASSWORD_FILE_VARIABLE = 'SPATE_KEYRING_PASSWORD_FILE';
/** Name of the systemd credential (`LoadCredential=` or `LoadCredentialEncrypted=` of the unit). */
export const PASSWORD_CREDENTIAL = 'spate-keyring-password';

const MAX_PASSWORD_BYTES = 4_096;

/** The three ways to give a password, for messages and help. */
export const PASSWORD_ADVICE = `set ${PASSWORD_VARIABLE}, or ${PASSWORD_FILE_VARIABLE} to a file that holds it, or give the systemd credential ${PASSWORD_CREDENTIAL}`;

const refuse = (message: string): Result<never> => E.left(failure('keyring_locked', message));

/** The first line feed at the end does not count: editors and `echo` write one. */
const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

/** The password in a file. Right `null`: there is no such file. */
const inFile = async (path: string): Promise<Result<string | null>> => {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const text = await readOpenText(file, path, MAX_PASSWORD_BYTES);
      if (E.isLeft(text)) return refuse(`the password of the keyring: ${text.left.message}`);
      const password = withoutLineEnd(text.right);
      if (password === '') return refuse(`the password of the keyring: ${path} is empty`);
      return E.right(password);
    } finally {
      await file.close();
    }
  } catch (thrown) {
    if (isAbsent(thrown)) return E.right(null);
    return refuse(`the password of the keyring: ${ioError('unreadable', 'read', path, thrown).message}`);
  }
};

/** A file that somebody named must be there. */
const inNamedFile = async (path: string, by: string): Promise<Result<string | null>> => {
  const found = await inFile(path);
  return E.isRight(found) && found.right === null
    ? refuse(`the password of the keyring: ${path}, named by ${by}, does not exist`)
    : found;
};

export interface PasswordPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** File that a command line option names. */
  readonly file?: string | undefined;
}

/**
 * Looks for the password in this order: the file of the option, `SPATE_KEYRING_PASSWORD`, the file that
 * `SPATE_KEYRING_PASSWORD_FILE` names, the systemd credential. An empty variable counts as not set. Left
 * `keyring_locked`: a file cannot be used.
 */
export const passwordFrom =
  ({ env, file }: PasswordPlaces): PasswordSource =>
  async () => {
    if (file !== undefined) return inNamedFile(file, 'the option');
    const given = env[PASSWORD_VARIABLE] ?? '';
    if (given !== '') return E.right(given);
    const named = env[PASSWORD_FILE_VARIABLE] ?? '';
    if (named !== '') return inNamedFile(named, PASSWORD_FILE_VARIABLE);
    const credentials = env['CREDENTIALS_DIRECTORY'] ?? '';
    return credentials === '' ? E.right(null) : inFile(join(credentials, PASSWORD_CREDENTIAL));
  };
