import * as net from 'node:net';
import * as tls from 'node:tls';
import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import { networkError, type RequestError, retryableError } from '../shared/errors.js';
import type { TlsOptions } from '../shared/tls.js';
import {
  type ApiName,
  answerReaderOf,
  type KafkaAddress,
  requestHead,
  type Versions,
} from './protocol/requests.js';
import type { WireReader } from './protocol/wire.js';

/** Error of a request; `wasSent`: the broker may have done what it asks. */
export interface Unanswered extends RequestError {
  readonly wasSent: boolean;
}

export interface RequestOptions {
  readonly body: Uint8Array;
  /** Sent after the body without a copy. */
  readonly pieces?: readonly Uint8Array[];
  readonly version: number;
  readonly signal: AbortSignal;
  /** False: the broker sends no reply (`acks: 0`); resolves when the system took the bytes. */
  readonly isAnswered?: boolean;
}

/** One connection to a broker. It never reconnects: the cluster makes another. */
export interface KafkaConnection {
  readonly isOpen: () => boolean;
  /** Sends a request and reads its reply, null when none is expected. Ends the connection when none comes in time. */
  readonly request: <A>(
    api: ApiName,
    options: RequestOptions,
    read: (reader: WireReader) => A,
  ) => Promise<E.Either<Unanswered, A | null>>;
  /** Time of the last request, and time after which the login is no longer valid. */
  readonly usedAt_ms: () => number;
  /** Resolves when the system has closed it. */
  readonly close: () => Promise<void>;
  /** What `openConnection` found out. */
  versions: Versions;
  validUntil_ms: number;
}

export interface KafkaConnectOptions {
  readonly address: KafkaAddress;
  readonly tls: TlsOptions | null;
  readonly client_id: string;
  readonly request_timeout_ms: number;
  readonly clock: Clock;
}

export const CONNECTION_ENDED = retryableError('the attempt ended before the broker replied', '');
/** More is not a reply to a producer. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

const OPTIONS = {
  host: '`bootstrap_servers`',
  address: '`bootstrap_servers`',
  protocol: '`security_protocol`, `bootstrap_servers`',
  authority: '`ssl_cafile`',
  certificate: '`ssl_certfile` and `ssl_keyfile`',
  server_name: null,
};

/** An error of the network, with the broker. */
const wireError = (thrown: unknown, { host, port }: KafkaAddress): RequestError => {
  const error = networkError(thrown, OPTIONS);
  return { ...error, what: `broker ${host}:${port}: ${error.what}` };
};

/** Cuts replies out of the stream. */
const makeFrames = (onFrame: (frame: Buffer) => void): ((part: Buffer) => void) => {
  let held: Buffer[] = [];
  let bytes = 0;
  let wanted = 4;
  return (part) => {
    held.push(part);
    bytes += part.length;
    if (bytes < wanted) return;
    let whole = held.length === 1 ? part : Buffer.concat(held);
    for (;;) {
      if (whole.length < 4) {
        wanted = 4;
        break;
      }
      const size = whole.readInt32BE(0);
      if (size < 4 || size > MAX_REPLY_BYTES) throw new RangeError('the reply is not from Kafka');
      wanted = 4 + size;
      if (whole.length < wanted) break;
      onFrame(whole.subarray(4, wanted));
      whole = whole.subarray(wanted);
    }
    held = [whole];
    bytes = whole.length;
  };
};

const socketOf = ({ address: { host, port }, tls: options }: KafkaConnectOptions): net.Socket => {
  if (options === null) return net.connect({ host, port });
  const named = net.isIP(host) === 0 ? { servername: host } : {};
  return tls.connect({ host, port, ...named, ...options });
};

/** Connects, with TLS if asked. Returns an error that says why it cannot. */
export const connect = async (
  options: KafkaConnectOptions,
  signal: AbortSignal,
): Promise<E.Either<RequestError, KafkaConnection>> => {
  const { address, client_id, request_timeout_ms, clock } = options;
  const name = `broker ${address.host}:${address.port}`;
  if (signal.aborted) return E.left(CONNECTION_ENDED);
  const socket = socketOf(options);
  socket.setNoDelay(true);
  const ready = await new Promise<RequestError | null>((resolve) => {
    const done = (error: RequestError | null): void => {
      stopTimer();
      signal.removeEventListener('abort', stop);
      resolve(error);
    };
    const stop = (): void => done(CONNECTION_ENDED);
    const stopTimer = clock.after(request_timeout_ms, () =>
      done(
        retryableError(
          `${name}: no connection within request_timeout_ms (${request_timeout_ms} ms)`,
          'Check `bootstrap_servers` and the network.',
        ),
      ),
    );
    signal.addEventListener('abort', stop, { once: true });
    socket.once(options.tls === null ? 'connect' : 'secureConnect', () => done(null));
    socket.once('error', (thrown) => done(wireError(thrown, address)));
    socket.once('close', () => done(wireError({ code: 'ECONNRESET' }, address)));
  });
  if (ready !== null) {
    socket.on('error', () => {});
    socket.destroy();
    return E.left(ready);
  }
  return E.right(makeConnection(socket, { name, address, client_id, request_timeout_ms, clock }));
};

interface Named extends Omit<KafkaConnectOptions, 'tls'> {
  readonly name: string;
}

const makeConnection = (socket: net.Socket, options: Named): KafkaConnection => {
  const { name, address, client_id, request_timeout_ms, clock } = options;
  const waiting = new Map<number, (end: E.Either<RequestError, Buffer>) => void>();
  let correlation = 0;
  let ended: RequestError | null = null;
  let usedAt_ms = clock.monotonicMs();

  const end = (error: RequestError): void => {
    if (ended !== null) return;
    ended = error;
    socket.destroy();
    for (const done of [...waiting.values()]) done(E.left(error));
  };
  const frames = makeFrames((frame) => waiting.get(frame.readInt32BE(0))?.(E.right(frame.subarray(4))));
  socket.on('data', (part: Buffer) => {
    try {
      frames(part);
    } catch {
      end(
        retryableError(
          `${name}: the reply is not from Kafka`,
          'Check `bootstrap_servers` and `security_protocol`.',
        ),
      );
    }
  });
  socket.on('error', (thrown) => end(wireError(thrown, address)));
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      end(wireError({ code: 'ECONNRESET' }, address));
      resolve();
    });
  });

  const send = (
    api: ApiName,
    { body, pieces = [], version, signal, isAnswered = true }: RequestOptions,
  ): Promise<E.Either<Unanswered, Buffer | null>> =>
    new Promise((resolve) => {
      const id = correlation++;
      const stop = (): void => end(CONNECTION_ENDED);
      const done = (reply: E.Either<RequestError, Buffer | null>): void => {
        stopTimer();
        waiting.delete(id);
        signal.removeEventListener('abort', stop);
        resolve(E.isRight(reply) ? reply : E.left({ ...reply.left, wasSent: true }));
      };
      const stopTimer = clock.after(request_timeout_ms, () =>
        end(
          retryableError(
            `${name}: no reply within request_timeout_ms (${request_timeout_ms} ms)`,
            'Check the load of the broker, or raise `request_timeout_ms`.',
          ),
        ),
      );
      waiting.set(id, done);
      signal.addEventListener('abort', stop, { once: true });
      const more_bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const head = requestHead(api, version, id, client_id, body, more_bytes);
      usedAt_ms = clock.monotonicMs();
      socket.cork();
      const last = pieces.length - 1;
      const taken = isAnswered ? undefined : () => done(E.right(null));
      socket.write(head, last < 0 ? taken : undefined);
      pieces.forEach((piece, index) => void socket.write(piece, index === last ? taken : undefined));
      socket.uncork();
    });

  return {
    isOpen: () => ended === null,
    usedAt_ms: () => usedAt_ms,
    close: () => {
      end(retryableError(`${name}: the connection is closed`, ''));
      return closed;
    },
    versions: {},
    validUntil_ms: Number.POSITIVE_INFINITY,
    request: async (api, request, read) => {
      if (ended !== null) return E.left({ ...ended, wasSent: false });
      if (request.signal.aborted) return E.left({ ...CONNECTION_ENDED, wasSent: false });
      const reply = await send(api, request);
      if (E.isLeft(reply)) return reply;
      try {
        return E.right(reply.right === null ? null : read(answerReaderOf(reply.right)));
      } catch {
        const damaged = retryableError(`${name}: the reply is damaged`, 'Check the network and the broker.');
        end(damaged);
        return E.left({ ...damaged, wasSent: true });
      }
    },
  };
};
