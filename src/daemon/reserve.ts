import type { Server } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../adapters/files/files.js';
import { systemClock } from '../adapters/systemClock.js';
import type { Result } from '../domain/errors.js';
import { type ListenAddress, reserve } from '../http/listener/listen.js';
import { loadTls, type SslSettings, type Tls } from '../http/listener/tls.js';

export type { ListenAddress } from '../http/listener/listen.js';

/** An address held for the next instance. */
export interface Reserved {
  readonly address: ListenAddress;
  readonly holder: Server;
}

export const isSameAddress = (a: ListenAddress, b: ListenAddress): boolean =>
  a.host === b.host && a.port === b.port;

/**
 * Holds the next address. Returns null when it is free only once this instance ends, and an error when it cannot be
 * had.
 */
export const reserveAddress = async (
  next: ListenAddress,
  current: ListenAddress | null,
): Promise<Result<Reserved | null>> => {
  if (current !== null && isSameAddress(next, current)) return E.right(null);
  const isOwnPort = current?.port === next.port;
  // On our own port only the host can be tried.
  const held = await reserve(isOwnPort ? { ...next, port: 0 } : next);
  if (E.isLeft(held)) return held;
  if (!isOwnPort) return E.right({ address: next, holder: held.right });
  held.right.close();
  return E.right(null);
};

/** The certificates on the disk now. */
export const readServerTls = (ssl: SslSettings): Promise<Result<Tls | null>> =>
  loadTls(ssl, nodeFiles, systemClock);
