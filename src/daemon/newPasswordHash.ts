import { drawSalt } from '../adapters/entropy.js';
import { hashPassword } from '../http/access/password.js';

/** A salted scrypt hash, as `server.auth.password` takes it. */
export const newPasswordHash = (password: string): Promise<string> => hashPassword(password, drawSalt());
