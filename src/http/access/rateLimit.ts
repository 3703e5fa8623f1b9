import { isIPv6 } from 'node:net';
import type { Clock } from '../../ports/clock.js';
import { digest } from './password.js';

/** How many wrong guesses are heard. */
export interface GuessLimits {
  /** Guesses of one client that are judged at once; more have to wait. */
  readonly burst: number;
  /** After this long a client has one more guess, up to the burst. */
  readonly refill_ms: number;
  /** Clients that are remembered one by one; further ones share a single budget. */
  readonly max_clients: number;
}

/** Ten guesses, then six a minute: 8,640 a day. */
export const GUESS_LIMITS: GuessLimits = { burst: 10, refill_ms: 10_000, max_clients: 4_096 };

/** Hears guesses of credentials, and no more of them than the limits allow. */
export interface GuessLimiter {
  /**
   * Whether a guess may be judged: `known` was wrong before and needs no judging, a number is how many
   * milliseconds the client has to wait first.
   */
  readonly mayGuess: (client: string, guess: string) => 'yes' | 'known' | number;
  /** Notes a guess that was wrong. True when it was the last for now. */
  readonly wrong: (client: string, guess: string) => boolean;
  /** Clients that are remembered. */
  readonly size: () => number;
}

/**
 * Who is one client: an IPv4 address, or the network of an IPv6 address (the first 64 bits), because one
 * client of those has all its addresses.
 */
export const clientOf = (remoteAddress: string | undefined): string => {
  if (remoteAddress === undefined) return 'unknown';
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [front, back] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const all = [...front, ...Array<string>(zeros).fill('0'), ...back];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
};

interface Client {
  /** Guesses that are spent; it sinks by one every `refill_ms`. */
  readonly spent: number;
  readonly at_ms: number;
  /** Digests of its last wrong guesses. */
  readonly wrong: readonly string[];
}

const FRESH: Client = { spent: 0, at_ms: 0, wrong: [] };

const OVERFLOW = 'everybody else';

/** What is kept of a guess: enough to know it again, not to recover it. */
const markOf = (guess: string): string => digest(guess).subarray(0, 12).toString('base64');

/**
 * Makes a limiter. A guess that was wrong before costs nothing when it is repeated, since nobody learns
 * from it: a script with an old password does not lock out the people behind the same address. What is
 * judged at the same time is not held against each other, so a client may get a few guesses more than its
 * burst: as many as `password.ts` lets wait.
 */
export const guessLimiter = (clock: Clock, limits: GuessLimits = GUESS_LIMITS): GuessLimiter => {
  const clients = new Map<string, Client>();
  const spentNow = ({ spent, at_ms }: Client): number =>
    Math.max(0, spent - (clock.monotonicMs() - at_ms) / limits.refill_ms);

  /** Forgets who has its whole budget back. The map is in the order of the last wrong guess. */
  const forget = (): void => {
    for (const [name, client] of clients) if (spentNow(client) === 0) clients.delete(name);
  };
  const placeOf = (name: string): string =>
    clients.has(name) || clients.size < limits.max_clients ? name : OVERFLOW;

  return {
    mayGuess: (name, guess) => {
      const client = clients.get(placeOf(name)) ?? FRESH;
      if (client.wrong.includes(markOf(guess))) return 'known';
      const over = spentNow(client) - (limits.burst - 1);
      return over <= 0 ? 'yes' : Math.ceil(over * limits.refill_ms);
    },
    wrong: (name, guess) => {
      if (!clients.has(name) && clients.size >= limits.max_clients) forget();
      const place = placeOf(name);
      const client = clients.get(place) ?? FRESH;
      const spent = spentNow(client) + 1;
      const wrong = [...client.wrong, markOf(guess)].slice(-limits.burst);
      clients.delete(place);
      clients.set(place, { spent, at_ms: clock.monotonicMs(), wrong });
      return spent > limits.burst - 1;
    },
    size: () => clients.size,
  };
};
