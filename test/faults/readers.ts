import * as fs from 'node:fs';

const EVERY_MS = 2;

export interface Drinker {
  /** Stops reading; returns everything read. */
  readonly stop: () => string;
}

/** Reads a limited number of bytes every two milliseconds. */
export const drink = (fd: number, bytes: number): Drinker => {
  const parts: Buffer[] = [];
  const sip = Buffer.alloc(bytes);
  const reading = setInterval(() => {
    try {
      parts.push(Buffer.from(sip.subarray(0, fs.readSync(fd, sip))));
    } catch {
      // No data yet.
    }
  }, EVERY_MS);
  return {
    stop: () => {
      clearInterval(reading);
      return Buffer.concat(parts).toString('utf8');
    },
  };
};
