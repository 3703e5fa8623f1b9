import { isIPv6 } from 'node:net';
import type { Clock } from '../../ports/clock.js';
import { digest } from './password.js';

/** Limits of wrong guesses. */
interface GuessLimits {
  /** Guesses of one client before it has to wait; those with the name of the user count apart. */
  readonly burst: number;
  /** A client regains one guess per interval, up to the burst. */
  readonly refill_ms: number;
  /** Budgets that are remembered; further clients share one. */
  readonly max_clients: number;
}

/** Ten guesses, then six per minute: 8,640 a day. */
export const GUESS_LIMITS: GuessLimits = { burst: 10, refill_ms: 10_000, max_clients: 8_192 };

export interface GuessLimiter {
  /** Whether to check a guess: `known` was wrong before, a number is the wait in milliseconds. */
  readonly mayGuess: (client: string, guess: string) => 'yes' | 'known' | number;
  /** Records a wrong guess. True if it was the last for now. */
  readonly wrong: (client: string, guess: string) => boolean;
  /** Clients with recorded guesses. */
  readonly size: () => number;
}

/** An IPv4 address, or the first 64 bits of an IPv6 address: one client owns such a network. */
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
  /** Guesses used; decreases by one every `refill_ms`. */
  readonly spent: number;
  readonly at_ms: number;
  /** Digests of its last wrong guesses. */
  readonly wrong: readonly string[];
}

const FRESH: Client = { spent: 0, at_ms: 0, wrong: [] };

const OVERFLOW = 'everybody else';

/** Enough to recognize a guess, not to recover it. */
const markOf = (guess: string): string => digest(guess).subarray(0, 12).toString('base64');

/**
 * A repeated wrong guess costs nothing, since it reveals nothing: a script with an old password does not lock
 * out others behind its address. Concurrent checks can exceed the burst by the queue of `password.ts`.
 */
export const guessLimiter = (clock: Clock, limits: GuessLimits = GUESS_LIMITS): GuessLimiter => {
  const clients = new Map<string, Client>();
  const spentNow = ({ spent, at_ms }: Client): number =>
    Math.max(0, spent - (clock.monotonicMs() - at_ms) / limits.refill_ms);

  /** Forgets clients with a full budget. The map is in the order of the last wrong guess. */
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
