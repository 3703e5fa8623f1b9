import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import {
  KEYRING_PASSWORD_VARIABLE,
  NEW_PASSWORD_VARIABLE,
  PASSWORD_ADVICE,
  passwordFrom,
} from '../../adapters/keyring/password.js';
import { failure, type Result } from '../../domain/errors.js';
import type { PasswordSource } from '../../ports/keyring.js';
import type { Io } from './io.js';

const fileOption = (file: string | undefined, cwd: string): string | undefined =>
  file === undefined ? undefined : resolve(cwd, file);

/** Asks for a new password twice. Returns null when there is no terminal. */
const askTwice = async (io: Io, what: string): Promise<Result<string | null>> => {
  const first = await io.askHidden(`${what}: `);
  if (first === null) return E.right(null);
  if (first === '') return E.left(failure('invalid', 'the password must not be empty'));
  const second = await io.askHidden(`${what}, once more: `);
  return first === second ? E.right(first) : E.left(failure('invalid', 'the two passwords differ'));
};

/** Password of a keyring: from `passwordFrom`, else asked once at the terminal, twice for a new keyring. */
export const passwordOf = (
  io: Io,
  keyring: string,
  { file, isNew }: { readonly file: string | undefined; readonly isNew: () => Promise<boolean> },
): PasswordSource => {
  const given = passwordFrom({ env: io.env, file: fileOption(file, io.cwd) });
  let typed: string | null = null;
  return async () => {
    const found = await given();
    if (E.isLeft(found) || found.right !== null) return found;
    if (typed !== null) return E.right(typed);
    const answer = (await isNew())
      ? await askTwice(io, 'Password for the new keyring')
      : E.right(await io.askHidden('Password of the keyring: '));
    if (E.isLeft(answer)) return answer;
    const advice = `give --password-file, ${PASSWORD_ADVICE}`;
    if (answer.right === null || answer.right === '')
      return E.left(failure('keyring_locked', `the keyring ${keyring} needs its password: ${advice}`));
    typed = answer.right;
    return answer;
  };
};

const MAX_PASSWORD_BYTES = 4_096;

/** A password from a prompt, asked twice, or from standard input where that is no terminal. */
export const enteredPassword = async (io: Io): Promise<Result<string>> => {
  if (io.stdin.isTerminal) {
    const typed = await askTwice(io, 'Password');
    if (E.isLeft(typed)) return typed;
    return typed.right === null
      ? E.left(failure('invalid', 'the password is missing: give it on standard input'))
      : E.right(typed.right);
  }
  const text = await io.stdin.read(MAX_PASSWORD_BYTES);
  if (E.isLeft(text)) return text;
  const password = text.right.replace(/\r?\n$/, '');
  return password === '' ? E.left(failure('invalid', 'the password must not be empty')) : E.right(password);
};

/** New password of a rotation: from a file, `SPATE_KEYRING_NEW_PASSWORD` or the terminal. */
export const newPasswordOf = async (io: Io, file: string | undefined): Promise<Result<string>> => {
  const env = { [KEYRING_PASSWORD_VARIABLE]: io.env[NEW_PASSWORD_VARIABLE] };
  const given = await passwordFrom({ env, file: fileOption(file, io.cwd) })();
  const found = E.isRight(given) && given.right === null ? await askTwice(io, 'New password') : given;
  if (E.isLeft(found)) return found;
  if (found.right !== null) return E.right(found.right);
  const advice = `set ${NEW_PASSWORD_VARIABLE}, or give --new-password-file`;
  return E.left(failure('invalid', `the new password is missing: ${advice}`));
};
