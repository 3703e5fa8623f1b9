import { ErrorReply } from '@redis/client';
import { STOPPED } from '../shared/attempts.js';
import { networkError, type RequestError, retryableError } from '../shared/requestErrors.js';

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

export const stopped: RedisError = { ...STOPPED, needsReconnect: true };

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
