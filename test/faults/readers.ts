import * as fs from 'node:fs';

/** How often a slow reader takes something. */
const EVERY_MS = 2;

export interface Drinker {
  /** Takes no more; everything that was taken. */
  readonly stop: () => string;
}

/** Reads at most so many bytes from a descriptor every two milliseconds. */
export const drink = (fd: number, bytes: number): Drinker => {
  const parts: Buffer[] = [];
  const sip = Buffer.alloc(bytes);
  const reading = setInterval(() => {
    try {
      parts.push(Buffer.from(sip.subarray(0, fs.readSync(fd, sip))));
    } catch {
      // Nothing is there now.
    }
  }, EVERY_MS);
  return {
    stop: () => {
      clearInterval(reading);
      return Buffer.concat(parts).toString('utf8');
    },
  };
};
