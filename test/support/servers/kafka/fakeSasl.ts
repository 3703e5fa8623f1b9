import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** Server side of a login: the next answer, or why it failed. */
export type FakeLogin = (token: Buffer) => { readonly token: string } | { readonly failed: string };

export interface FakeUser {
  readonly username: string;
  readonly password: string;
}

const ITERATIONS = 4_096;

const plain =
  ({ username, password }: FakeUser): FakeLogin =>
  (token) =>
    token.toString('utf8') === `\0${username}\0${password}`
      ? { token: '' }
      : { failed: 'Invalid username or password' };

/** SCRAM of RFC 5802, server side; keeps what a server keeps: salt, StoredKey and ServerKey. */
const scram = (
  { username, password }: FakeUser,
  digest: 'sha256' | 'sha512',
  forgets: boolean,
): FakeLogin => {
  const hmac = (key: Buffer, text: string): Buffer => createHmac(digest, key).update(text).digest();
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, digest === 'sha512' ? 64 : 32, digest);
  const stored = createHash(digest).update(hmac(salted, 'Client Key')).digest();
  const serverKey = hmac(forgets ? Buffer.from('something else') : salted, 'Server Key');
  let bare = '';
  let challenge = '';
  return (token) => {
    const text = token.toString('utf8');
    if (bare === '') {
      const [, name, nonce] = /^n,,n=([^,]*),r=([!-+\--~]+)$/.exec(text) ?? [];
      if (name?.replaceAll('=2C', ',').replaceAll('=3D', '=') !== username) return { failed: 'no such user' };
      bare = text.slice(3);
      challenge = `r=${nonce}${randomBytes(12).toString('base64')},s=${salt.toString('base64')},i=${ITERATIONS}`;
      return { token: challenge };
    }
    const [, without = '', proof = ''] = /^(c=biws,r=[^,]+),p=(.+)$/.exec(text) ?? [];
    if (!challenge.startsWith(`${without.slice('c=biws,'.length)},`)) return { failed: 'another nonce' };
    const signed = `${bare},${challenge},${without}`;
    const signature = hmac(stored, signed);
    const clientKey = Buffer.from(
      Buffer.from(proof, 'base64').map((byte, index) => byte ^ (signature[index] ?? 0)),
    );
    if (!createHash(digest).update(clientKey).digest().equals(stored))
      return { failed: `wrong password of ${username}` };
    return { token: `v=${hmac(serverKey, signed).toString('base64')}` };
  };
};

export const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

/** `forgets`: a server that does not know the password and accepts every proof would sign like this. */
export const fakeLogin = (mechanism: string, user: FakeUser, forgets: boolean): FakeLogin => {
  if (mechanism === 'PLAIN') return plain(user);
  return scram(user, mechanism === 'SCRAM-SHA-512' ? 'sha512' : 'sha256', forgets);
};
