import { createHash } from 'node:crypto';
import type { Clock } from '../../../ports/clock.js';

/** Channels of HEC: each is used by one request at a time. */
export interface Channels {
  readonly take: () => string;
  /** Returns a channel that has no unconfirmed request. Others are dropped. */
  readonly release: (channel: string) => void;
}

let made = 0;

const newGuid = (clock: Clock): string => {
  made += 1;
  const seed = `${clock.now()} ${clock.monotonicMs()} ${made}`;
  const hex = createHash('sha256').update(seed).digest('hex');
  const variant = (8 + (Number.parseInt(hex.charAt(16), 16) % 4)).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return [...parts, hex.slice(20, 32)].join('-');
};

/**
 * An indexer that restarts counts `ackId` from 0 again. With one request at a time in a channel, the number of
 * another request is never mistaken for the one that waits.
 */
export const makeChannels = (given: string | null, clock: Clock): Channels => {
  if (given !== null) return { take: () => given, release: () => {} };
  const free: string[] = [];
  return {
    take: () => free.pop() ?? newGuid(clock),
    release: (channel) => void free.push(channel),
  };
};
