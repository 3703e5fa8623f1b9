import { createClient, ErrorReply } from '@redis/client';
import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import { STOPPED } from '../shared/attempts.js';
import { networkError, type RequestError, retryableError } from '../shared/errors.js';
import type { TlsOptions } from '../shared/tls.js';
import type { RedisCommand } from './commands.js';
import type { redisFields } from './spec.js';

export type RedisParams = ValueOf<typeof redisFields>;

/** One connection to the server. */
export interface RedisSession {
  /** Sends commands in one go; returns the error of each, `null` for success. The signal ends the connection. */
  readonly send: (
    commands: readonly Pick<RedisCommand, 'args'>[],
    signal: AbortSignal,
  ) => Promise<readonly (RedisError | null)[]>;
  /** Sends one command. */
  readonly ask: (
    args: readonly string[],
    signal: AbortSignal,
  ) => Promise<{ readonly error: RedisError | null; readonly reply: unknown }>;
  readonly isUsable: () => boolean;
  readonly close: () => Promise<void>;
}

interface SessionOptions {
  readonly params: RedisParams;
  readonly tls: TlsOptions;
  readonly clock: Clock;
}

/** Neither queues commands while offline nor reconnects by itself: both are the work of the delivery. */
const clientOf = ({ params, tls }: SessionOptions) => {
  const { host, port, username, password, database, connect_timeout } = params;
  const address = { host, port, reconnectStrategy: false as const, connectTimeout: connect_timeout * 1000 };
  return createClient({
    socket: params.tls ? { ...address, ...tls, tls: true } : address,
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    database,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
};

const errorIn = (reply: PromiseSettledResult<unknown>, signal: AbortSignal): RedisError | null => {
  if (reply.status === 'fulfilled') return null;
  return signal.aborted ? stopped : redisError(reply.reason);
};

/** Connects, authenticates and selects the database. */
export const openRedisSession = async (
  options: SessionOptions,
  signal: AbortSignal,
): Promise<E.Either<RedisError, RedisSession>> => {
  const { clock, params } = options;
  if (signal.aborted) return E.left(stopped);
  const client = clientOf(options);
  let isLost = false;
  const lose = (): void => {
    isLost = true;
  };
  client.on('error', lose);
  client.on('end', lose);
  client.on('terminated', lose);
  const destroy = (): void => {
    isLost = true;
    client.destroy();
  };
  const { connect_timeout } = params;
  const late: RedisError = {
    ...retryableError(
      `no connection within connect_timeout (${connect_timeout} s)`,
      'Check `host`, `port` and the load of the server, or raise connect_timeout.',
    ),
    needsReconnect: true,
  };
  const connected = await new Promise<E.Either<RedisError, void>>((resolve) => {
    const finish = (result: E.Either<RedisError, void>): void => {
      stopWaiting();
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const stop = (): void => finish(E.left(stopped));
    const stopWaiting = clock.after(connect_timeout * 1000, () => finish(E.left(late)));
    signal.addEventListener('abort', stop, { once: true });
    client.connect().then(
      () => finish(E.right(undefined)),
      (thrown: unknown) => finish(E.left(redisError(thrown))),
    );
  });
  if (E.isLeft(connected)) {
    destroy();
    return connected;
  }
  const exchange = async (
    commands: readonly Pick<RedisCommand, 'args'>[],
    until: AbortSignal,
  ): Promise<readonly PromiseSettledResult<unknown>[]> => {
    until.addEventListener('abort', destroy, { once: true });
    const replies = await Promise.allSettled(commands.map(({ args }) => client.sendCommand(args)));
    until.removeEventListener('abort', destroy);
    return replies;
  };
  return E.right({
    isUsable: () => !isLost,
    close: async () => {
      destroy();
      // The descriptor closes in a later turn.
      await clock.yieldTurn();
      await clock.yieldTurn();
    },
    send: async (commands, until) => {
      const replies = await exchange(commands, until);
      return replies.map((reply) => errorIn(reply, until));
    },
    ask: async (args, until) => {
      const [reply] = await exchange([{ args: [...args] }], until);
      if (reply === undefined) return { error: stopped, reply: null };
      return {
        error: errorIn(reply, until),
        reply: reply.status === 'fulfilled' ? reply.value : null,
      };
    },
  });
};

interface Meaning {
  readonly isRetryable: boolean;
  readonly remedy: string;
  /** Another connection may reach a server that accepts writes. */
  readonly needsReconnect?: true;
}

const USER: Meaning = {
  isRetryable: false,
  remedy: 'Check `username`, `password` and the ACL of the user.',
};
const NOT_THE_MASTER: Meaning = {
  isRetryable: true,
  remedy: 'Check `host`: the server must accept writes.',
  needsReconnect: true,
};
const TROUBLED: Meaning = { isRetryable: true, remedy: 'Check the log of the server.' };

/** First word of an error reply. */
const BY_WORD: Readonly<Record<string, Meaning>> = {
  OOM: { isRetryable: true, remedy: 'Raise `maxmemory` of the server, or set `max_length`.' },
  LOADING: { isRetryable: true, remedy: 'Wait until the server has loaded its data.' },
  BUSY: TROUBLED,
  MISCONF: { isRetryable: true, remedy: 'Check the disk of the server.' },
  NOREPLICAS: { isRetryable: true, remedy: 'Check the replicas of the server.' },
  CLUSTERDOWN: TROUBLED,
  TRYAGAIN: TROUBLED,
  READONLY: NOT_THE_MASTER,
  MASTERDOWN: NOT_THE_MASTER,
  UNBLOCKED: NOT_THE_MASTER,
  MOVED: { isRetryable: false, remedy: 'Redis Cluster is not supported: use a single server.' },
  ASK: { isRetryable: false, remedy: 'Redis Cluster is not supported: use a single server.' },
  WRONGTYPE: { isRetryable: false, remedy: 'Choose another `key`, or correct `mode`.' },
  NOPERM: USER,
  NOAUTH: USER,
  WRONGPASS: USER,
  DENIED: USER,
};

const FULL: Meaning = {
  isRetryable: true,
  remedy: 'Raise `maxclients` of the server.',
  needsReconnect: true,
};
const OTHER: Meaning = { isRetryable: false, remedy: 'Check the parameters of the output.' };

/** Why a command or a connection failed. */
export interface RedisError extends RequestError {
  /** The connection is of no use any more. */
  readonly needsReconnect: boolean;
}

const stopped: RedisError = { ...STOPPED, needsReconnect: true };

/** Errors of the client without a code. */
const LOST = /^Socket closed unexpectedly|^Disconnects client|^The client is closed|offline/;

export const redisError = (thrown: unknown): RedisError => {
  if (!(thrown instanceof ErrorReply)) {
    const message = thrown instanceof Error ? thrown.message : '';
    const lost = retryableError('the connection was closed before the reply', 'Check the log of the server.');
    const error = LOST.test(message) ? { ...lost, isClosing: true as const } : networkError(thrown);
    return { ...error, needsReconnect: true };
  }
  const [word = ''] = thrown.message.split(' ', 1);
  const meaning = BY_WORD[word] ?? (/max number of clients/.test(thrown.message) ? FULL : OTHER);
  return {
    what: thrown.message.slice(word.length).trim() || thrown.message,
    origin: word,
    remedy: meaning.remedy,
    isRetryable: meaning.isRetryable,
    code: null,
    needsReconnect: meaning.needsReconnect === true,
  };
};
