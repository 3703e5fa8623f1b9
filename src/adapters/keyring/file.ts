import { type BigIntStats, constants } from 'node:fs';
import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { NameFlaw } from '../../domain/identifiers.js';
import { checkSecretName, checkSecretValue, type KnownSecrets, MAX_SECRETS } from '../../domain/secrets.js';
import { serialQueue } from '../../domain/waiting.js';
import type { Keyring, PasswordSource } from '../../ports/keyring.js';
import { readOpenText, replacePrivateText } from '../files/files.js';
import { ioError, isAbsent } from '../files/ioError.js';
import { withFileLock } from '../files/lock.js';
import { deriveKey, fitsCipher, type KeyringKey, newKdf, seal, unseal } from './cipher.js';
import { type Kdf, type KeyringDocument, parseKeyring, printKeyring } from './document.js';
import { PASSWORD_ADVICE } from './password.js';

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

const MAX_KEYRING_BYTES = 16 * 1_048_576;
const SHORT_PASSWORD = 8;

interface KeyringOptions {
  /** Absolute path; need not exist. */
  readonly file: string;
  readonly password: PasswordSource;
  /** Receives each secret read or stored, and each password, for masking. */
  readonly known: KnownSecrets;
  readonly warn: (message: string) => void;
  /** Cost and salt of a new key. Tests, which make hundreds, take a small cost. */
  readonly kdf?: () => Kdf;
}

interface Opened {
  readonly key: KeyringKey;
  readonly values: ReadonlyMap<string, string>;
}

/** `identity` changes whenever the file does. */
interface Stored {
  readonly identity: string;
  readonly document: KeyringDocument;
}

/** One caller at a time. */
interface Vault {
  /** Returns the decrypted keyring, or null when there is none yet. */
  readonly current: () => Promise<Result<Opened | null>>;
  /** Still encrypted. */
  readonly stored: () => Promise<Result<KeyringDocument | null>>;
  /** A keyring without secrets, with the given password. */
  readonly empty: () => Promise<Result<Opened>>;
  readonly newKey: (password: string) => Promise<KeyringKey>;
}

const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ');

const idOf = ({ N, r, p, salt }: Kdf): string => [N, r, p, salt].join(' ');

const unusable = (file: string, why: string): Result<never> =>
  E.left(failure('unreadable', `cannot use the keyring ${file}: ${why}; restore it from a backup`, { file }));

const warnIfOpen = (file: string, mode: bigint, warn: (message: string) => void): void => {
  if (process.platform === 'win32' || (mode & 0o077n) === 0n) return;
  const shown = (mode & 0o777n).toString(8).padStart(3, '0');
  warn(`the keyring ${file} is readable by other users (mode ${shown}). Run: chmod 600 ${file}`);
};

/** Returns `same` if the file is the one already `seen`, or null when there is no file. */
const readStored = async (
  { file, warn }: Pick<KeyringOptions, 'file' | 'warn'>,
  seen: string | null,
): Promise<Result<Stored | 'same' | null>> => {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat({ bigint: true });
      const identity = identityOf(stats);
      if (identity === seen) return E.right('same');
      warnIfOpen(file, stats.mode, warn);
      const text = await readOpenText(handle, file, MAX_KEYRING_BYTES);
      if (E.isLeft(text)) return text.left.code === 'invalid' ? unusable(file, 'it is not text') : text;
      const document = parseKeyring(text.right);
      return E.isLeft(document)
        ? unusable(file, document.left)
        : E.right({ identity, document: document.right });
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    return isAbsent(thrown) ? E.right(null) : E.left(ioError('unreadable', 'read', file, thrown));
  }
};

/** Caches the decrypted keyring and the last key while the file is unchanged: a read then costs one `stat`. */
const keyringVault = ({ file, password, known, warn, kdf = newKdf }: KeyringOptions): Vault => {
  let opened: (Opened & { readonly identity: string }) | null = null;
  let last: { readonly id: string; readonly password: string; readonly key: KeyringKey } | null = null;
  const warned = new Set<string>();
  const warnOnce = (message: string): void => {
    if (!warned.has(message)) warn(message);
    warned.add(message);
  };
  const source = { file, warn: warnOnce };

  const keyOf = async (given: string, of: Kdf): Promise<KeyringKey> => {
    const id = idOf(of);
    if (last?.id === id && last.password === given) return last.key;
    const key = await deriveKey(given, of);
    last = { id, password: given, key };
    return key;
  };
  const askPassword = async (): Promise<Result<string>> => {
    const given = await password();
    if (E.isLeft(given)) return given;
    if (given.right === null) {
      const message = `the keyring ${file} needs its password: ${PASSWORD_ADVICE}`;
      return E.left(failure('keyring_locked', message));
    }
    known.add(given.right);
    return E.right(given.right);
  };
  const openStored = async ({ identity, document }: Stored): Promise<Result<Opened>> => {
    const given = await askPassword();
    if (E.isLeft(given)) return given;
    const key = await keyOf(given.right, document.kdf);
    if (!fitsCipher(key, document)) {
      return E.left(failure('keyring_locked', `the password of the keyring ${file} is wrong`));
    }
    const values = unseal(document, key);
    if (E.isLeft(values)) return unusable(file, values.left);
    opened = { identity, key, values: values.right };
    return E.right(opened);
  };
  const newKey = (given: string): Promise<KeyringKey> => {
    known.add(given);
    if (given.length < SHORT_PASSWORD) {
      warnOnce(
        `the password of the keyring ${file} has fewer than ${SHORT_PASSWORD} characters. Use a longer one.`,
      );
    }
    return keyOf(given, kdf());
  };
  return {
    current: async () => {
      const before = opened;
      const stored = await readStored(source, before?.identity ?? null);
      if (E.isLeft(stored)) return stored;
      if (stored.right === 'same') return E.right(before);
      opened = null;
      return stored.right === null ? E.right(null) : openStored(stored.right);
    },
    stored: async () =>
      E.map((found: Stored | 'same' | null) => (found === null || found === 'same' ? null : found.document))(
        await readStored(source, null),
      ),
    empty: async () => {
      const given = await askPassword();
      return E.isLeft(given) ? given : E.right({ key: await newKey(given.right), values: new Map() });
    },
    newKey,
  };
};
