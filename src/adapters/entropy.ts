import { randomBytes } from 'node:crypto';

/** A seed nobody chose: 128 random bits as hex. It is logged at start, so that any run can be repeated. */
export const drawSeed = (): string => randomBytes(16).toString('hex');

/** Uniform in [0, 1); for jitter of retries, where nothing must repeat. */
export const uniform = (): number => Math.random();
