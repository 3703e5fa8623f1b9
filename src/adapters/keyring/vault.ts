import { type BigIntStats, constants } from 'node:fs';
import { open } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { KnownSecrets } from '../../domain/secrets.js';
import type { PasswordSource } from '../../ports/keyring.js';
import { readOpenText } from '../files/files.js';
import { ioError, isAbsent } from '../files/ioError.js';
import { deriveKey, fitsCipher, type KeyringKey, newKdf, unseal } from './cipher.js';
import { type Kdf, type KeyringDocument, parseKeyring } from './document.js';
import { PASSWORD_ADVICE } from './password.js';

export const MAX_KEYRING_BYTES = 16 * 1_048_576;
const SHORT_PASSWORD = 8;

export interface KeyringOptions {
  /** Absolute path; need not exist. */
  readonly file: string;
  readonly password: PasswordSource;
  /** Receives each secret read or stored, and each password, for masking. */
  readonly known: KnownSecrets;
  readonly warn: (message: string) => void;
}

export interface Opened {
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
export const keyringVault = ({ file, password, known, warn }: KeyringOptions): Vault => {
  let opened: (Opened & { readonly identity: string }) | null = null;
  let last: { readonly id: string; readonly password: string; readonly key: KeyringKey } | null = null;
  const warned = new Set<string>();
  const warnOnce = (message: string): void => {
    if (!warned.has(message)) warn(message);
    warned.add(message);
  };
  const source = { file, warn: warnOnce };

  const keyOf = async (given: string, kdf: Kdf): Promise<KeyringKey> => {
    const id = idOf(kdf);
    if (last?.id === id && last.password === given) return last.key;
    const key = await deriveKey(given, kdf);
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
    return keyOf(given, newKdf());
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
