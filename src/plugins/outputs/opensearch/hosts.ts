import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import type { ErrorReporter, RequestError } from '../shared/errors.js';
import type { HttpClient, HttpReply, HttpRequest } from '../shared/http/request.js';

/** A node with its own connections. */
export interface Host {
  /** Without a slash at the end. */
  readonly address: string;
  readonly client: HttpClient;
  readonly report: ErrorReporter;
}

export interface HostAnswer {
  readonly host: Host;
  readonly reply: HttpReply;
}

export interface HostError {
  readonly host: Host;
  readonly error: RequestError;
}

/** Statuses of a node or balancer that is not up. */
const IS_DOWN: ReadonlySet<number> = new Set([502, 503, 504]);

/** A host that was down is asked after the others for so long. */
const SHUN_MS = 10_000;

export interface Hosts {
  /**
   * Sends to the next host in turn; to another one when there is no reply or the host is not up. The reply or error
   * of the last one tried.
   */
  readonly send: (
    path: string,
    request: Omit<HttpRequest, 'url'>,
  ) => Promise<E.Either<HostError, HostAnswer>>;
  readonly close: () => void;
}

export const makeHosts = (hosts: readonly Host[], clock: Clock): Hosts => {
  const shunnedUntil = new Map<Host, number>();
  let turn = 0;

  /** Beginning with the one whose turn it is; those that were down last. */
  const inTurn = (): readonly Host[] => {
    const first = turn++ % hosts.length;
    const now = clock.monotonicMs();
    const rotated = [...hosts.slice(first), ...hosts.slice(0, first)];
    const isShunned = (host: Host): boolean => (shunnedUntil.get(host) ?? 0) > now;
    return [...rotated.filter((host) => !isShunned(host)), ...rotated.filter(isShunned)];
  };

  return {
    send: async (path, request) => {
      let last: E.Either<HostError, HostAnswer> | null = null;
      for (const host of inTurn()) {
        const reply = await host.client.send({ ...request, url: new URL(host.address + path) });
        last = E.isLeft(reply) ? E.left({ host, error: reply.left }) : E.right({ host, reply: reply.right });
        const isDown = E.isLeft(reply) || IS_DOWN.has(reply.right.status);
        if (isDown) shunnedUntil.set(host, clock.monotonicMs() + SHUN_MS);
        if (!isDown || request.signal.aborted) break;
      }
      return last as E.Either<HostError, HostAnswer>;
    },
    close: () => {
      for (const { client } of hosts) client.close();
    },
  };
};
