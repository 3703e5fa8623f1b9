import { mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { NameFlaw } from '../../domain/identifiers.js';
import { checkSecretName, checkSecretValue, MAX_SECRETS } from '../../domain/secrets.js';
import { serialQueue } from '../../domain/waiting.js';
import type { Keyring } from '../../ports/keyring.js';
import { replacePrivateText } from '../files/files.js';
import { ioError } from '../files/ioError.js';
import { withFileLock } from '../files/lock.js';
import { type KeyringKey, seal } from './cipher.js';
import { type KeyringDocument, printKeyring } from './document.js';
import { type KeyringOptions, keyringVault, MAX_KEYRING_BYTES, type Opened } from './vault.js';

const flawed = (what: string, { message }: NameFlaw): Result<never> =>
  E.left(failure('invalid', `${what} ${message}`));

const store = async (file: string, values: Opened['values'], key: KeyringKey): Promise<Result<void>> => {
  const tooLarge = (limit: string): Result<never> =>
    E.left(failure('too_large', `the keyring ${file} is limited to ${limit}. Remove secrets.`));
  if (values.size > MAX_SECRETS) return tooLarge(`${MAX_SECRETS} secrets`);
  const text = printKeyring(seal(values, key));
  return text.length > MAX_KEYRING_BYTES
    ? tooLarge(`${MAX_KEYRING_BYTES} bytes`)
    : replacePrivateText(file, text);
};

const makeFolder = async (folder: string): Promise<Result<void>> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return E.right(undefined);
  } catch (thrown) {
    return E.left(ioError('unwritable', 'create the folder', folder, thrown));
  }
};

/** An encrypted keyring file. A change locks it and starts from its current content; a read takes no lock. */
export const keyringFile = (options: KeyringOptions): Keyring => {
  const { file, known } = options;
  const vault = keyringVault(options);
  const readInTurn = serialQueue();
  const writeInTurn = serialQueue();

  /** All paths to a file share one lock. */
  const locked = <A>(run: () => Promise<Result<A>>): Promise<Result<A>> =>
    writeInTurn(async () => {
      const real = await realpath(file).catch(() => file);
      return withFileLock(`${real}.lock`, run);
    });
  const missing = (name: string): Result<never> =>
    E.left(failure('not_found', `secret '${name}' is not in the keyring ${file}`));
  const absent = (): Result<never> =>
    E.left(failure('not_found', `there is no keyring ${file}. Storing a first secret creates it.`));

  const change = async (
    make: (now: Opened) => Promise<Result<void>> | Result<never>,
  ): Promise<Result<void>> => {
    // Checked before locking: leave no lock or folder behind if there is no keyring.
    const before = await readInTurn(vault.stored);
    if (E.isLeft(before)) return before;
    if (before.right === null) return absent();
    return locked(async () => {
      const now = await readInTurn(vault.current);
      if (E.isLeft(now)) return now;
      return now.right === null ? absent() : make(now.right);
    });
  };
  const list: Keyring['list'] = async () =>
    E.map((document: KeyringDocument | null) => document?.names ?? [])(await readInTurn(vault.stored));

  return {
    list,
    has: async (name) => E.map((names: readonly string[]) => names.includes(name))(await list()),
    check: async () => {
      const now = await readInTurn(vault.current);
      if (E.isLeft(now)) return now;
      return now.right === null ? absent() : E.right(undefined);
    },
    read: async (name) => {
      const now = await readInTurn(vault.current);
      if (E.isLeft(now)) return now;
      if (now.right === null) return absent();
      const value = now.right.values.get(name);
      if (value === undefined) return missing(name);
      known.add(value);
      return E.right(value);
    },
    set: async (name, value) => {
      const badName = checkSecretName(name);
      if (badName !== null) return flawed('the name of a secret', badName);
      const badValue = checkSecretValue(value);
      if (badValue !== null) return flawed(`the value of secret '${name}'`, badValue);
      known.add(value);
      const made = await makeFolder(dirname(file));
      if (E.isLeft(made)) return made;
      return locked(async () => {
        const now = await readInTurn(vault.current);
        if (E.isLeft(now)) return now;
        const base = now.right === null ? await readInTurn(vault.empty) : E.right(now.right);
        if (E.isLeft(base)) return base;
        const { key, values } = base.right;
        const written = await store(file, new Map(values).set(name, value), key);
        return E.isLeft(written) ? written : E.right(values.has(name) ? 'replaced' : 'created');
      });
    },
    remove: (name) =>
      change(({ key, values }) => {
        if (!values.has(name)) return missing(name);
        return store(file, new Map([...values].filter(([one]) => one !== name)), key);
      }),
    rename: async (name, to) => {
      const badName = checkSecretName(to);
      if (badName !== null) return flawed('the new name of a secret', badName);
      return change(({ key, values }) => {
        const value = values.get(name);
        if (value === undefined) return missing(name);
        if (values.has(to)) {
          const taken = `secret '${to}' is already in the keyring ${file}. Choose another name, or remove it first.`;
          return E.left(failure('already_exists', taken));
        }
        return store(file, new Map([...values].filter(([one]) => one !== name)).set(to, value), key);
      });
    },
    rotate: async (newPassword) =>
      newPassword === ''
        ? E.left(failure('invalid', 'the new password must not be empty'))
        : change(async ({ values }) => store(file, values, await vault.newKey(newPassword))),
  };
};
