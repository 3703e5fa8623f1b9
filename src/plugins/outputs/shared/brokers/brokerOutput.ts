import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../../domain/events/eventBatch.js';
import type { Clock } from '../../../../ports/clock.js';
import type { Output } from '../../../kit.js';
import { STOPPED } from '../attempts.js';
import { type ErrorReporter, type RequestError, retryableError, whileConnecting } from '../errors.js';
import { closedFailure, NOTHING } from '../written.js';
import { type BrokerOutcome, type Ending, makeOutcome } from './writes.js';

/** One write over a connection. */
export interface Publication<C> {
  readonly batch: EventBatch;
  readonly link: C;
  readonly outcome: BrokerOutcome;
  readonly ending: Ending;
}

interface BrokerOutputOptions<C extends BrokerConnection> {
  readonly link: BrokerLink<C>;
  readonly name: string;
  readonly report: ErrorReporter;
  readonly clock: Clock;
  /** In seconds. */
  readonly ack_timeout: number;
  /** Gives each item its fate. `isClean`: the connection holds nothing of unknown fate. */
  readonly publish: (
    publication: Publication<C>,
  ) => Promise<{ readonly bytes: number; readonly isClean: boolean }>;
}

const ACT = 'cannot publish to';

/** An output that publishes messages over one connection. */
export const brokerOutput = <C extends BrokerConnection>(options: BrokerOutputOptions<C>): Output => {
  const { link, name, report, clock, publish } = options;
  const ack_timeout_ms = options.ack_timeout * 1_000;
  let isClosed = false;
  return {
    isBulk: true,
    isOrdered: false,
    write: async (batch, signal) => {
      if (isClosed) return E.left(closedFailure(name));
      if (batch.count === 0) return E.right(NOTHING);
      const connected = await link.get(signal);
      if (E.isLeft(connected)) return E.left(report(ACT, connected.left));
      const connection = connected.right;
      const outcome = makeOutcome(batch.count, ACT, report);
      const ending = { signal, onOver: connection.onOver, clock, ack_timeout_ms };
      const { bytes, isClean } = await publish({ batch, link: connection, outcome, ending });
      // What is left in its buffers must not pile up, nor arrive long after it was given up.
      if (!isClean) await link.drop(connection);
      return outcome.result(bytes);
    },
    flush: async () => E.right(undefined),
    close: async () => {
      if (isClosed) return E.right(undefined);
      isClosed = true;
      await link.close();
      return E.right(undefined);
    },
  };
};

/** A connection to a broker. */
export interface BrokerConnection {
  /** Returns why the connection is over, or null when it is open. */
  readonly end: () => RequestError | null;
  /** Calls back with the reason when it is over, at once if it is; unless the result is called before. */
  readonly onOver: (run: (reason: RequestError) => void) => () => void;
  /** Ends it at once; bytes that wait to be sent are dropped. */
  readonly close: (reason: RequestError) => Promise<void>;
}

const CLOSED = retryableError('the output was closed', '');
const DROPPED = retryableError('the connection was given up: another write on it had no answer in time', '');

/**
 * The one connection of an output, made when a write needs it. Nothing is buffered while there is none: a write
 * fails at once with the reason, and its retry connects again.
 */
export interface BrokerLink<C extends BrokerConnection> {
  readonly get: (signal: AbortSignal) => Promise<E.Either<RequestError, C>>;
  /** Closes this connection: the next write makes a new one. */
  readonly drop: (connection: C) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The part of a connection that says when it is over. */
interface EndOfConnection extends Pick<BrokerConnection, 'end' | 'onOver'> {
  /** The first reason counts. */
  readonly finish: (reason: RequestError) => void;
}

export const endOfConnection = (): EndOfConnection => {
  let end: RequestError | null = null;
  const listeners = new Set<(reason: RequestError) => void>();
  return {
    end: () => end,
    onOver: (run) => {
      if (end !== null) run(end);
      else listeners.add(run);
      return () => void listeners.delete(run);
    },
    finish: (reason) => {
      if (end !== null) return;
      end = reason;
      for (const run of listeners) run(reason);
      listeners.clear();
    },
  };
};

export const makeLink = <C extends BrokerConnection>(
  connect: (signal: AbortSignal) => Promise<E.Either<RequestError, C>>,
): BrokerLink<C> => {
  let current: C | null = null;
  let connecting: Promise<E.Either<RequestError, C>> | null = null;
  const closing = new AbortController();

  const connectOnce = async (): Promise<E.Either<RequestError, C>> => {
    const made = await connect(closing.signal);
    connecting = null;
    if (E.isLeft(made)) return E.left(whileConnecting(made.left));
    if (closing.signal.aborted) {
      await made.right.close(CLOSED);
      return E.left(STOPPED);
    }
    current = made.right;
    return made;
  };

  const aborted = (
    signal: AbortSignal,
  ): { readonly promise: Promise<E.Left<RequestError>>; readonly stop: () => void } => {
    let onAbort: () => void = () => {};
    const promise = new Promise<E.Left<RequestError>>((resolve) => {
      onAbort = () => resolve(E.left(STOPPED) as E.Left<RequestError>);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    return { promise, stop: () => signal.removeEventListener('abort', onAbort) };
  };

  return {
    get: async (signal) => {
      if (signal.aborted || closing.signal.aborted) return E.left(STOPPED);
      if (current !== null && current.end() === null) return E.right(current);
      current = null;
      connecting ??= connectOnce();
      const stopping = aborted(signal);
      const made = await Promise.race([connecting, stopping.promise]);
      stopping.stop();
      return made;
    },
    drop: async (connection) => {
      if (current === connection) current = null;
      await connection.close(DROPPED);
    },
    close: async () => {
      closing.abort();
      const last = current;
      current = null;
      await last?.close(CLOSED);
      await connecting;
    },
  };
};
