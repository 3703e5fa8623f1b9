import { randomBytes } from 'node:crypto';

/** Draws a seed: 128 random bits as hex. */
export const drawSeed = (): string => randomBytes(16).toString('hex');

/** Draws a session token: 256 random bits, safe in URLs and cookies. */
export const drawToken = (): string => randomBytes(32).toString('base64url');

/** Uniform in [0, 1), not seeded; for jitter. */
export const uniform = (): number => Math.random();

/** Draws a salt for a hash of a password: 128 random bits. */
export const drawSalt = (): Buffer => randomBytes(16);
