import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { checkSecretName, MAX_SECRETS } from '../../domain/secrets.js';

/** scrypt cost (RFC 7914); salt in base64. */
export interface Kdf {
  readonly name: 'scrypt';
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
}

/** Authenticated but not encrypted. */
export interface KeyringHead {
  readonly format: 'spate-keyring';
  readonly version: 1;
  readonly kdf: Kdf;
  readonly names: readonly string[];
}

/** All values are one ciphertext, so none can be swapped, dropped or restored alone. Binary parts are base64. */
export interface KeyringDocument extends KeyringHead {
  readonly verifier: string;
  readonly cipher: { readonly name: 'aes-256-gcm'; readonly nonce: string; readonly tag: string };
  readonly data: string;
}

const FORMAT = 'spate-keyring';
const VERSION = 1;

/** Memory limit of key derivation: a hostile file is rejected before it costs anything. */
export const MAX_KDF_BYTES = 256 * 1_048_576;

const ordered = ({ kdf, names, verifier, cipher, data }: KeyringDocument) => ({
  format: FORMAT,
  version: VERSION,
  kdf: { name: kdf.name, N: kdf.N, r: kdf.r, p: kdf.p, salt: kdf.salt },
  names,
  verifier,
  cipher: { name: cipher.name, nonce: cipher.nonce, tag: cipher.tag },
  data,
});

/** Detects accidental damage; the cipher tag detects tampering. */
const checksumOf = (document: KeyringDocument): string =>
  createHash('sha256')
    .update(JSON.stringify(ordered(document)))
    .digest('hex');

export const printKeyring = (document: KeyringDocument): string =>
  `${JSON.stringify({ ...ordered(document), checksum: checksumOf(document) }, null, 2)}\n`;

type Unknown = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBase64 = (value: unknown, bytes?: number): value is string =>
  typeof value === 'string' &&
  Buffer.from(value, 'base64').toString('base64') === value &&
  (bytes === undefined || Buffer.from(value, 'base64').length === bytes);

const isCost = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const isKdf = (value: unknown): value is Kdf => {
  if (!isObject(value) || value['name'] !== 'scrypt' || !isBase64(value['salt'])) return false;
  const { N, r, p } = value;
  if (!isCost(N) || !isCost(r) || !isCost(p)) return false;
  return N >= 2 && Number.isInteger(Math.log2(N)) && p <= 16 && 128 * N * r <= MAX_KDF_BYTES;
};

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) &&
  value.length <= MAX_SECRETS &&
  value.every(
    (name: unknown, i) =>
      typeof name === 'string' && checkSecretName(name) === null && (i === 0 || value[i - 1] < name),
  );

const isDocument = (value: Unknown): boolean => {
  const { kdf, names, verifier, cipher, data } = value;
  return (
    isKdf(kdf) &&
    isNames(names) &&
    isBase64(verifier, 32) &&
    isObject(cipher) &&
    cipher['name'] === 'aes-256-gcm' &&
    isBase64(cipher['nonce'], 12) &&
    isBase64(cipher['tag'], 16) &&
    isBase64(data)
  );
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Returns the document, or an error that completes a sentence, such as `it is empty`. */
export const parseKeyring = (text: string): E.Either<string, KeyringDocument> => {
  if (text.trim() === '') return E.left('it is empty');
  const value = parseJson(text);
  if (!isObject(value))
    return E.left('it is not a complete JSON object: it is damaged or not a Spate keyring');
  if (value['format'] !== FORMAT) return E.left('it is damaged or not a Spate keyring');
  const { version } = value;
  if (version !== VERSION) {
    return E.left(
      typeof version === 'number' && version > VERSION
        ? `its format version is ${version}, but this Spate supports ${VERSION}: use a newer Spate`
        : 'it is damaged: its version is invalid',
    );
  }
  if (!isDocument(value)) return E.left('it is damaged: a part is missing or malformed');
  const document = value as unknown as KeyringDocument;
  return value['checksum'] === checksumOf(document)
    ? E.right(document)
    : E.left('it is damaged: its checksum does not match its content');
};
