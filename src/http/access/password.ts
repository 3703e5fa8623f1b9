import { createHash, scrypt, timingSafeEqual } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import type { Account } from '../../domain/access/roles.js';
import { failure, type Result } from '../../domain/errors.js';
import { serialQueue } from '../../domain/waiting.js';

/** Cost parameters of scrypt (RFC 7914); `N` is a power of two. */
interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

interface ScryptHash extends ScryptCost {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** 16 MiB and about 50 ms per check. */
const DEFAULT_COST: ScryptCost = { N: 16_384, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Memory of one check; a stored hash that needs more is rejected on load. */
const MAX_MEMORY_BYTES = 256 * 1_048_576;
/** Queued checks; more are rejected, so that guessing cannot exhaust the machine. */
const MAX_WAITING_CHECKS = 16;

export type PasswordVerdict = 'right' | 'wrong' | 'busy';

/** Compares a password with the stored one. Never throws; same steps for right and wrong. */
export type CheckPassword = (password: string) => Promise<PasswordVerdict>;

export const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** The stored form of a token: `sha256$` and the hash in hexadecimal digits. */
export const tokenHash = (token: string): string => `sha256$${digest(token).toString('hex')}`;

/** Compares texts of any length in constant time, by digest. */
export const isSameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const derive = (password: string, salt: Buffer, length: number, cost: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: MAX_MEMORY_BYTES + 1_048_576 };
    scrypt(password.normalize('NFC'), salt, length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });

/** The stored form of a password: `scrypt$N$r$p$salt$hash`, salt and hash in base64. */
export const hashPassword = async (
  password: string,
  salt: Buffer,
  cost: ScryptCost = DEFAULT_COST,
): Promise<string> => {
  const hash = await derive(password, salt, HASH_BYTES, cost);
  return `scrypt$${cost.N}$${cost.r}$${cost.p}$${salt.toString('base64')}$${hash.toString('base64')}`;
};

const isSoundCost = ({ N, r, p }: ScryptCost): boolean =>
  N >= 2 && Number.isInteger(Math.log2(N)) && r >= 1 && p >= 1 && p <= 16 && 128 * N * r <= MAX_MEMORY_BYTES;

const parseHash = (stored: string): ScryptHash | null => {
  const base64 = '([A-Za-z0-9+/]+={0,2})';
  const match = new RegExp(`^scrypt\\$(\\d{1,8})\\$(\\d{1,4})\\$(\\d{1,4})\\$${base64}\\$${base64}$`).exec(
    stored,
  );
  if (match === null) return null;
  const [N, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, hash] = match.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  return isSoundCost({ N, r, p }) && salt.length >= 8 && hash.length >= 16 && hash.length <= 64
    ? { N, r, p, salt, hash }
    : null;
};

/** Checks one at a time; caches the digest of the last right password. */
const hashedCheck = (stored: ScryptHash): CheckPassword => {
  let known: Buffer | null = null;
  let waiting = 0;
  const inTurn = serialQueue();
  const verify = async (password: string): Promise<PasswordVerdict> => {
    const key = await derive(password, stored.salt, stored.hash.length, stored).catch(() => null);
    if (key === null || !timingSafeEqual(key, stored.hash)) return 'wrong';
    known = digest(password);
    return 'right';
  };
  return async (password) => {
    if (known !== null && timingSafeEqual(known, digest(password))) return 'right';
    if (waiting >= MAX_WAITING_CHECKS) return 'busy';
    waiting += 1;
    return inTurn(() => verify(password)).finally(() => {
      waiting -= 1;
    });
  };
};

const isHashed = (stored: string): boolean => stored.startsWith('scrypt$');

/** The check for a name that nobody has: always wrong, and takes as long as that of a user whose password is a hash. */
export const checkOfNobody = (accounts: readonly Pick<Account, 'password'>[]): CheckPassword =>
  accounts.some(({ password }) => password !== null && isHashed(password))
    ? hashedCheck({ ...DEFAULT_COST, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) })
    : async () => 'wrong';

/** The check of a stored password: plain text or a scrypt hash (`hashPassword`). */
export const makePasswordCheck = (stored: string): Result<CheckPassword> => {
  if (!isHashed(stored))
    return E.right(async (password) => (isSameText(password, stored) ? 'right' : 'wrong'));
  const hash = parseHash(stored);
  return hash === null
    ? E.left(
        failure(
          'invalid',
          "A password of server.auth or server.users begins with 'scrypt$' but is no such hash: it must be scrypt$N$r$p$salt$hash with salt and hash in base64, N a power of two and at most 256 MiB.",
        ),
      )
    : E.right(hashedCheck(hash));
};
