import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';

const derive = promisify(pbkdf2);

export type Mechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';

export interface Login {
  readonly mechanism: Mechanism;
  readonly username: string;
  readonly password: string;
}

/** A login in steps. `next` returns null at the end, or an error when the server is not to be trusted. */
export interface Conversation {
  readonly first: Buffer;
  readonly next: (answer: Buffer) => Promise<E.Either<string, Buffer | null>>;
}

const plain = ({ username, password }: Login): Conversation => ({
  first: Buffer.from(`\0${username}\0${password}`, 'utf8'),
  next: async () => E.right(null),
});

const NONCE_BYTES = 24;
/** RFC 7677 asks for 4,096 at least; Kafka takes at most 16,384. */
const MIN_ITERATIONS = 4_096;
const MAX_ITERATIONS = 1_000_000;

const saslName = (name: string): string => name.replaceAll('=', '=3D').replaceAll(',', '=2C');

const attributesOf = (message: string): ReadonlyMap<string, string> =>
  new Map(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));

const xor = (a: Buffer, b: Buffer): Buffer =>
  Buffer.from(a.map((byte, index) => byte ^ (b[index] as number)));

/** Client side of SCRAM (RFC 5802) without channel binding. */
export const scram = (login: Login, nonce: string): Conversation => {
  const digest = login.mechanism === 'SCRAM-SHA-512' ? 'sha512' : 'sha256';
  const hmac = (key: Buffer, text: string): Buffer => createHmac(digest, key).update(text).digest();
  const bare = `n=${saslName(login.username)},r=${nonce}`;
  let signature: Buffer | null = null;

  const prove = async (challenge: string): Promise<E.Either<string, Buffer>> => {
    const attributes = attributesOf(challenge);
    const full = attributes.get('r') ?? '';
    const iterations = Number(attributes.get('i'));
    if (!full.startsWith(nonce) || full.length === nonce.length) {
      return E.left('the broker answered to another login');
    }
    if (!(iterations >= MIN_ITERATIONS && iterations <= MAX_ITERATIONS)) {
      return E.left(`the broker asks for ${attributes.get('i')} iterations`);
    }
    const salt = Buffer.from(attributes.get('s') ?? '', 'base64');
    const password = login.password.normalize('NFKC');
    const salted = await derive(password, salt, iterations, digest === 'sha512' ? 64 : 32, digest);
    const clientKey = hmac(salted, 'Client Key');
    const stored = createHash(digest).update(clientKey).digest();
    // `biws` is `n,,`: no channel binding.
    const withoutProof = `c=biws,r=${full}`;
    const signed = `${bare},${challenge},${withoutProof}`;
    signature = hmac(hmac(salted, 'Server Key'), signed);
    const proof = xor(clientKey, hmac(stored, signed)).toString('base64');
    return E.right(Buffer.from(`${withoutProof},p=${proof}`, 'utf8'));
  };

  return {
    first: Buffer.from(`n,,${bare}`, 'utf8'),
    next: async (answer) => {
      const text = answer.toString('utf8');
      if (signature === null) return prove(text);
      const given = Buffer.from(attributesOf(text).get('v') ?? '', 'base64');
      return given.length === signature.length && timingSafeEqual(given, signature)
        ? E.right(null)
        : E.left('the broker does not know the password');
    },
  };
};

export const conversationOf = (login: Login): Conversation =>
  login.mechanism === 'PLAIN' ? plain(login) : scram(login, randomBytes(NONCE_BYTES).toString('base64'));
