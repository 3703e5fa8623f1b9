import { jetstream } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { type Result, reasonOf } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import { disconnected, isLate, isUnheard, natsError, tooOld } from './natsErrors.js';

const OPERATION_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 1_500;
const REPEAT_MS = 100;
const FLUSH_TIMEOUT_MS = 2_000;
const DEFAULT_MAX_PAYLOAD = 1024 * 1024;
/** A publish that is permitted by now must not be named for ever. */
const DENIED_MS = 60_000;
const MAX_DENIED = 10;

const BROKEN = Symbol('the connection broke');

/** Permissions that the servers refused, newest last. */
const deniedPermissions = (clock: Clock) => {
  /** When each was refused last. */
  const found = new Map<string, number>();
  return {
    note: ({ operation, subject }: InstanceType<typeof errors.PermissionViolationError>): void => {
      const isLasting = operation === 'subscription';
      const text = `${isLasting ? 'subscribe' : 'publish'} to "${subject}"`;
      found.delete(text);
      found.set(text, isLasting ? Number.POSITIVE_INFINITY : clock.monotonicMs());
      for (const oldest of found.keys()) if (found.size > MAX_DENIED) found.delete(oldest);
    },
    forget: (): void => found.clear(),
    texts: (): readonly string[] =>
      [...found].filter(([, atMs]) => clock.monotonicMs() - atMs < DENIED_MS).map(([text]) => text),
  };
};

/** The state of a connection, as the client tells it. */
const watchConnection = (client: NatsConnection, clock: Clock, log: Log, closing: AbortSignal) => {
  const denied = deniedPermissions(clock);
  const onReconnect = new Set<() => void>();
  const onBreak = new Set<() => void>();
  let isConnected = true;
  /** Logged since the last good connection. */
  const refusals = new Set<string>();
  const breakOff = (): void => {
    isConnected = false;
    for (const run of [...onBreak]) run();
  };
  const watchStatus = async (): Promise<void> => {
    for await (const status of client.status()) {
      if (status.type === 'disconnect' || status.type === 'close') {
        if (isConnected && !closing.aborted) log.write('warning', 'the connection to NATS is lost');
        breakOff();
      } else if (status.type === 'reconnect') {
        const refusal = tooOld(client)?.message;
        if (refusal !== undefined) {
          if (!refusals.has(refusal)) log.write('error', refusal);
          refusals.add(refusal);
          // The client goes on to the next server, and waits before it tries the same one again.
          void client.reconnect().catch(() => undefined);
          continue;
        }
        refusals.clear();
        isConnected = true;
        denied.forget();
        log.write('info', `connected to NATS again: ${client.getServer()}`);
        for (const run of [...onReconnect]) run();
      } else if (status.type === 'error') {
        if (status.error instanceof errors.PermissionViolationError) denied.note(status.error);
        log.write('warning', `NATS: ${reasonOf(status.error)}`);
      }
    }
  };
  void watchStatus();
  const subscriber = (runs: Set<() => void>) => (run: () => void) => {
    runs.add(run);
    return () => void runs.delete(run);
  };
  return {
    isConnected: () => isConnected,
    denied: denied.texts,
    breakOff,
    onReconnect: subscriber(onReconnect),
    onBreak: subscriber(onBreak),
  };
};

/** Repeats an operation that nobody took, until the time is over. */
const insisted = async <A>(
  { clock, closing }: { readonly clock: Clock; readonly closing: AbortSignal },
  isRead: boolean,
  operation: () => Promise<A>,
  isOver: () => boolean,
): Promise<A> => {
  const until = clock.monotonicMs() + OPERATION_TIMEOUT_MS;
  for (;;) {
    try {
      return await operation();
    } catch (thrown) {
      const left_ms = until - clock.monotonicMs();
      const mayRepeat = isUnheard(thrown) || (isRead && isLate(thrown));
      if (!mayRepeat || left_ms <= 0 || isOver()) throw thrown;
      await clock.sleepMs(Math.min(left_ms, REPEAT_MS * (0.5 + Math.random())), closing);
      if (isOver()) throw thrown;
    }
  }
};

/** A connection to NATS that reconnects for ever, and what all parts of a link share. */
export type NatsSession = Awaited<ReturnType<typeof sessionOf>>;

/** A session on an open connection. */
export const sessionOf = async (client: NatsConnection, clock: Clock, log: Log) => {
  const ending = new AbortController();
  const closing = ending.signal;
  const connection = watchConnection(client, clock, log, closing);
  /** Largest message of the servers, in bytes. */
  const maxPayload = (): number => client.info?.max_payload ?? DEFAULT_MAX_PAYLOAD;
  const managerFor = (timeout: number) => jetstream(client, { timeout }).jetstreamManager(false);

  /**
   * Runs an operation. Returns an error at once without a connection, and when the connection breaks; `place` is for
   * the message. An operation that is `unavailable` may have happened.
   */
  const run = async <A>(
    place: string,
    operation: (isOver: () => boolean) => Promise<A>,
  ): Promise<Result<A>> => {
    if (!connection.isConnected()) {
      // A caller that retries at once must not keep the connection from being made.
      await clock.yieldTurn();
      return E.left(disconnected(place));
    }
    let isOver = false;
    let stop = (): void => {};
    const broken = new Promise<typeof BROKEN>((resolve) => {
      stop = connection.onBreak(() => resolve(BROKEN));
    });
    try {
      const done = await Promise.race([operation(() => isOver), broken]);
      return done === BROKEN ? E.left(disconnected(place)) : E.right(done);
    } catch (thrown) {
      return E.left(natsError(place, thrown, maxPayload()));
    } finally {
      isOver = true;
      stop();
    }
  };
  const close = async (): Promise<void> => {
    if (closing.aborted) return;
    ending.abort();
    if (connection.isConnected()) {
      const flushed = new AbortController();
      const ended = client.flush().catch(() => undefined);
      await Promise.race([ended, clock.sleepMs(FLUSH_TIMEOUT_MS, flushed.signal)]);
      flushed.abort();
    }
    connection.breakOff();
    await client.close();
  };
  return {
    client,
    js: jetstream(client, { timeout: OPERATION_TIMEOUT_MS }),
    manager: await managerFor(OPERATION_TIMEOUT_MS),
    /** For requests that are repeated when the answer is late. */
    quick: await managerFor(READ_TIMEOUT_MS),
    clock,
    log,
    isConnected: connection.isConnected,
    /** What the servers did not permit: subscriptions of this connection, and publishes of the last minute. */
    denied: connection.denied,
    /** Calls back after each reconnect, unless the result is called before. */
    onReconnect: connection.onReconnect,
    maxPayload,
    /** Reads and writes of entries since the start. */
    operations: { reads: 0, writes: 0 },
    run,
    /**
     * As `run`, but tries for 5 s: again when no server took the request, as without a leader, and, when it `isRead`,
     * when there was no answer.
     */
    insist: <A>(place: string, isRead: boolean, operation: () => Promise<A>): Promise<Result<A>> =>
      run(place, (isOver) => insisted({ clock, closing }, isRead, operation, isOver)),
    /** Ends with the link. */
    closing,
    close,
  };
};
