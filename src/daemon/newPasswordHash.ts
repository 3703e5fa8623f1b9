import { drawSalt, drawToken } from '../adapters/entropy.js';
import { hashPassword, tokenHash } from '../http/access/password.js';

/** A salted scrypt hash, as `server.auth.password` takes it. */
export const newPasswordHash = (password: string): Promise<string> => hashPassword(password, drawSalt());

/** A token of 256 random bits, and its hash as `server.users` takes it. The prefix lets scanners of secrets find it. */
export const newToken = (): { readonly token: string; readonly hash: string } => {
  const token = `spate_${drawToken()}`;
  return { token, hash: tokenHash(token) };
};
