import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { PasswordSource } from '../../ports/keyring.js';
import { readOpenText } from '../files/files.js';
import { ioError, isAbsent } from '../files/ioError.js';

export const KEYRING_PASSWORD_VARIABLE = 'SPATE_KEYRING_PASSWORD';
/** Holds the new password of a rotation. */
export const NEW_PASSWORD_VARIABLE = 'SPATE_KEYRING_NEW_PASSWORD';
const PASSWORD_FILE_VARIABLE = 'SPATE_KEYRING_PASSWORD_FILE';
/** Systemd credential (`LoadCredential=` or `LoadCredentialEncrypted=`). */
const PASSWORD_CREDENTIAL = 'spate-keyring-password';

const MAX_PASSWORD_BYTES = 4_096;

export const PASSWORD_ADVICE = `set ${KEYRING_PASSWORD_VARIABLE}, or ${PASSWORD_FILE_VARIABLE} to a file that holds it, or give the systemd credential ${PASSWORD_CREDENTIAL}`;

const refuse = (message: string): Result<never> => E.left(failure('keyring_locked', message));

/** Editors and `echo` append a line feed. */
const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

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

const inNamedFile = async (path: string, by: string): Promise<Result<string | null>> => {
  const found = await inFile(path);
  return E.isRight(found) && found.right === null
    ? refuse(`the password of the keyring: ${path} (from ${by}) does not exist`)
    : found;
};

interface PasswordPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file?: string | undefined;
}

/**
 * Password sources in order: the option's file, the variable, the file of the variable, the systemd credential.
 * Empty variables count as unset. Returns the error `keyring_locked` when a file cannot be used.
 */
export const passwordFrom =
  ({ env, file }: PasswordPlaces): PasswordSource =>
  async () => {
    if (file !== undefined) return inNamedFile(file, 'the option');
    const given = env[KEYRING_PASSWORD_VARIABLE] ?? '';
    if (given !== '') return E.right(given);
    const named = env[PASSWORD_FILE_VARIABLE] ?? '';
    if (named !== '') return inNamedFile(named, PASSWORD_FILE_VARIABLE);
    const credentials = env['CREDENTIALS_DIRECTORY'] ?? '';
    return credentials === '' ? E.right(null) : inFile(join(credentials, PASSWORD_CREDENTIAL));
  };
