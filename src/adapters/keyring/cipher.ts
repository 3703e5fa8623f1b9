import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { type Kdf, type KeyringDocument, type KeyringHead, MAX_KDF_BYTES } from './document.js';

/** 64 MiB and about 0.1 s per key. */
const COST = { N: 65_536, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

/** Derived from password and salt: one half encrypts, the other verifies the password. */
export interface KeyringKey {
  readonly kdf: Kdf;
  readonly encryption: Buffer;
  readonly verifier: string;
}

export const newKdf = (): Kdf => ({
  name: 'scrypt',
  ...COST,
  salt: randomBytes(SALT_BYTES).toString('base64'),
});

/** Derives a key off this thread. NFC: all Unicode spellings of a password are equal. */
export const deriveKey = (password: string, kdf: Kdf): Promise<KeyringKey> =>
  new Promise((resolve, reject) => {
    const { N, r, p } = kdf;
    const salt = Buffer.from(kdf.salt, 'base64');
    const options = { N, r, p, maxmem: MAX_KDF_BYTES + 1_048_576 };
    scrypt(password.normalize('NFC'), salt, 2 * KEY_BYTES, options, (error, bytes) => {
      if (error !== null) return reject(error);
      const proof = createHmac('sha256', bytes.subarray(KEY_BYTES)).update('spate keyring password').digest();
      resolve({ kdf, encryption: bytes.subarray(0, KEY_BYTES), verifier: proof.toString('base64') });
    });
  });

export const fitsCipher = (key: KeyringKey, { verifier }: KeyringDocument): boolean =>
  timingSafeEqual(Buffer.from(key.verifier, 'base64'), Buffer.from(verifier, 'base64'));

/** Additional authenticated data. */
const authenticated = ({ format, version, kdf, names }: KeyringHead): Buffer =>
  Buffer.from(JSON.stringify([format, version, kdf.name, kdf.N, kdf.r, kdf.p, kdf.salt, names]));

export const seal = (secrets: ReadonlyMap<string, string>, key: KeyringKey): KeyringDocument => {
  const names = [...secrets.keys()].sort();
  const head: KeyringHead = { format: 'spate-keyring', version: 1, kdf: key.kdf, names };
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.encryption, nonce);
  cipher.setAAD(authenticated(head));
  // A list: secret names must not become property names.
  const values = JSON.stringify(names.map((name) => secrets.get(name) ?? ''));
  const data = Buffer.concat([cipher.update(values, 'utf8'), cipher.final()]);
  return {
    ...head,
    verifier: key.verifier,
    cipher: {
      name: 'aes-256-gcm',
      nonce: nonce.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
    },
    data: data.toString('base64'),
  };
};

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/**
 * Decrypts with the right key. Returns an error when the file was changed without the password; its text completes a
 * sentence.
 */
export const unseal = (
  document: KeyringDocument,
  key: KeyringKey,
): E.Either<string, ReadonlyMap<string, string>> => {
  const changed = E.left(
    'it is damaged, or was changed without the password: its content does not authenticate',
  );
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      key.encryption,
      Buffer.from(document.cipher.nonce, 'base64'),
      { authTagLength: 16 },
    );
    decipher.setAAD(authenticated(document));
    decipher.setAuthTag(Buffer.from(document.cipher.tag, 'base64'));
    const bytes = Buffer.concat([decipher.update(document.data, 'base64'), decipher.final()]);
    const values: unknown = JSON.parse(bytes.toString('utf8'));
    if (!isTexts(values) || values.length !== document.names.length) return changed;
    return E.right(new Map(document.names.map((name, i) => [name, values[i] ?? ''])));
  } catch {
    return changed;
  }
};
