import * as net from 'node:net';
import {
  connect,
  createInbox,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
  PermissionViolationError,
} from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { hostPort } from '../../../domain/text/shown.js';
import type { Clock } from '../../../ports/clock.js';
import { STOPPED } from '../shared/attempts.js';
import { type BrokerConnection, endOfConnection } from '../shared/brokers/brokerOutput.js';
import { networkError, type RequestError, retryableError } from '../shared/errors.js';
import { connectionError, SERVERS } from './natsErrors.js';
import type { NatsServer } from './spec.js';

/** An open connection to a NATS server. */
export interface NatsLink extends BrokerConnection {
  readonly client: NatsConnection;
  /** Reply subject under which `onReply` gets the next reply. */
  readonly replyTo: (onReply: (reply: Msg) => void) => string;
  /** Calls back with each subject that the user may not publish to, unless the result is called before. */
  readonly onDenied: (run: (subject: string) => void) => () => void;
}

export interface NatsConnectOptions {
  readonly servers: readonly NatsServer[];
  readonly client: NodeConnectionOptions;
  readonly connect_timeout_ms: number;
  /** Whether replies are needed. */
  readonly hasReplies: boolean;
  readonly clock: Clock;
}

/**
 * Waits for the greeting of a server. The client would leave a socket behind for each attempt at a server that hangs.
 */
const greets = (
  { host, port }: NatsServer,
  { connect_timeout_ms, clock }: NatsConnectOptions,
  signal: AbortSignal,
): Promise<RequestError | null> =>
  new Promise((resolve) => {
    const socket = net.connect({ host, port });
    const done = (error: RequestError | null): void => {
      stopWaiting();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(error);
    };
    const stopWaiting = clock.after(connect_timeout_ms, () =>
      done(
        retryableError(
          `no greeting within connect_timeout (${connect_timeout_ms / 1000} s)`,
          'Check `servers` and that the server is running.',
        ),
      ),
    );
    const onAbort = (): void => done(STOPPED);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('data', (part: Buffer) =>
      done(
        part.toString('latin1', 0, 4) === 'INFO'
          ? null
          : retryableError('the server does not speak NATS', 'Check `servers`.'),
      ),
    );
    socket.once('error', (thrown) => done(networkError(thrown, SERVERS)));
    socket.once('close', () => done(retryableError('the server closed the connection', 'Check its log.')));
  });

const linkOf = (client: NatsConnection, hasReplies: boolean): NatsLink => {
  const over = endOfConnection();
  const denied = new Set<(subject: string) => void>();
  const pending = new Map<number, (reply: Msg) => void>();
  let lastError: Error | null = null;
  let next = 0;
  void client
    .closed()
    .then((thrown) =>
      over.finish({ ...connectionError(thrown ?? lastError), isRetryable: true, isClosing: true }),
    );
  const watchStatus = async (): Promise<void> => {
    for await (const status of client.status()) {
      if (status.type !== 'error') continue;
      const { error } = status;
      if (!(error instanceof PermissionViolationError)) lastError = error;
      else if (error.operation === 'publish') for (const run of [...denied]) run(error.subject);
    }
  };
  void watchStatus();
  const inbox = createInbox();
  if (hasReplies) {
    client.subscribe(`${inbox}.*`, {
      callback: (error, reply) => {
        if (error !== null) {
          over.finish(
            retryableError(
              'the user may not subscribe to _INBOX.>',
              'Allow it: acknowledgements arrive there.',
            ),
          );
          return;
        }
        const token = Number(reply.subject.slice(inbox.length + 1));
        const onReply = pending.get(token);
        pending.delete(token);
        onReply?.(reply);
      },
    });
  }
  return {
    client,
    end: over.end,
    onOver: over.onOver,
    replyTo: (onReply) => {
      const token = next++;
      pending.set(token, onReply);
      return `${inbox}.${token}`;
    },
    onDenied: (run) => {
      denied.add(run);
      return () => void denied.delete(run);
    },
    close: async (reason) => {
      over.finish(reason);
      pending.clear();
      await client.close();
    },
  };
};

/** Connects to the first server that greets. */
export const connectToNats = async (
  options: NatsConnectOptions,
  signal: AbortSignal,
): Promise<E.Either<RequestError, NatsLink>> => {
  let failed: RequestError = STOPPED;
  for (const server of options.servers) {
    const refused = await greets(server, options, signal);
    if (signal.aborted) return E.left(STOPPED);
    if (refused !== null) {
      failed = { ...refused, what: `${hostPort(server)}: ${refused.what}` };
      continue;
    }
    try {
      const client = await connect({
        ...options.client,
        servers: [hostPort(server)],
        timeout: options.connect_timeout_ms,
        reconnect: false,
        ignoreClusterUpdates: true,
        noAsyncTraces: true,
      });
      return E.right(linkOf(client, options.hasReplies));
    } catch (thrown) {
      const error = connectionError(thrown);
      failed = { ...error, what: `${hostPort(server)}: ${error.what}` };
      // Another server of the cluster knows the same users.
      if (!error.isRetryable) break;
    }
  }
  return E.left(failed);
};
