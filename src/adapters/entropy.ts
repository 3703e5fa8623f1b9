import { randomBytes } from 'node:crypto';

/** A seed nobody chose: 128 random bits as hex. It is logged at start, so that any run can be repeated. */
export const drawSeed = (): string => randomBytes(16).toString('hex');

/** A text that nobody guesses: 256 random bits in letters that URLs and cookies may have. */
export const drawToken = (): string => randomBytes(32).toString('base64url');

/** Uniform in [0, 1); for jitter of retries, where nothing must repeat. */
export const uniform = (): number => Math.random();
