import * as net from 'node:net';
import * as tls from 'node:tls';
import * as E from 'fp-ts/lib/Either.js';
import { systemCodeOf } from '../../../../domain/errors.js';
import type { Clock } from '../../../../ports/clock.js';
import { networkError, type RequestError, retryableError } from '../errors.js';
import type { TlsOptions } from '../tls.js';

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

interface ConnectOptions extends SocketAddress {
  /** Options of TLS. Null when the connection is without TLS. */
  readonly tls: TlsOptions | null;
  readonly connect_timeout_ms: number;
  readonly clock: Clock;
}

/** Connects once. The socket discards what it receives; it has no error listener yet. */
export type Connect = (signal: AbortSignal) => Promise<E.Either<RequestError, net.Socket>>;

export const connector =
  ({ host, port, tls: files, connect_timeout_ms, clock }: ConnectOptions): Connect =>
  (signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(E.left(ATTEMPT_ENDED));
      const isTls = files !== null;
      const sni = net.isIP(host) === 0 ? { servername: host } : {};
      const socket = isTls
        ? tls.connect({ host, port, ...sni, ...files })
        : net.connect({ host, port, noDelay: true });
      const settle = (result: E.Either<RequestError, net.Socket>): void => {
        stopWaiting();
        signal.removeEventListener('abort', stop);
        socket.off('error', fail);
        // A destroyed socket may still report an error.
        if (E.isLeft(result)) socket.on('error', () => {}).destroy();
        resolve(result);
      };
      const fail = (thrown: unknown): void => settle(E.left(peerError(thrown)));
      const stop = (): void => settle(E.left(ATTEMPT_ENDED));
      const stopWaiting = clock.after(connect_timeout_ms, () =>
        settle(
          E.left(
            retryableError(
              `no connection within connect_timeout (${connect_timeout_ms / 1000} s)`,
              'Check `host`, `port`, and that the destination is reachable.',
            ),
          ),
        ),
      );
      signal.addEventListener('abort', stop, { once: true });
      socket.once('error', fail);
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        socket.setNoDelay(true).resume();
        settle(E.right(socket));
      });
    });

/** Streams have no replies: their own words for an end of the connection. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

export const peerError = (thrown: unknown): RequestError => {
  const code = systemCodeOf(thrown);
  return CLOSED.has(code)
    ? { ...retryableError('the destination closed the connection', 'Check its log.'), origin: code }
    : networkError(thrown);
};

export const PEER_ENDED = retryableError('the destination closed the connection', 'Check its log.');
export const ATTEMPT_ENDED = retryableError('the attempt ended before the destination took all bytes', '');
