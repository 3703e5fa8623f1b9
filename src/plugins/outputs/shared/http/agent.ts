import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '../../../../ports/clock.js';
import type { TlsOptions } from '../tls/files.js';
import { connectToProxy, type ProxyAddress, tunnel } from './proxy.js';

interface AgentOptions {
  readonly isTls: boolean;
  /** `host:port` of the server. */
  readonly authority: string;
  readonly tls: TlsOptions;
  readonly proxy: ProxyAddress | null;
  readonly connect_timeout_ms: number;
  readonly pool_maxsize: number;
  readonly clock: Clock;
}

const tooSlow = (ms: number): Error =>
  Object.assign(new Error(`no connection within connect_timeout (${ms / 1000} s)`), {
    code: 'CONNECT_TIMEOUT',
  });

/**
 * HTTP agent of one server with at most `pool_maxsize` keep-alive connections: plain, TLS or through a proxy.
 * `destroy` also ends connections in progress.
 */
export const makeAgent = (options: AgentOptions): http.Agent => {
  const { isTls, tls, proxy, pool_maxsize } = options;
  const limits = { keepAlive: true, maxSockets: pool_maxsize, maxFreeSockets: pool_maxsize };
  const agent = isTls ? new https.Agent({ ...limits, ...tls }) : new http.Agent(limits);
  const direct = agent.createConnection.bind(agent) as Connect;
  const ready = isTls ? 'secureConnect' : 'connect';
  if (proxy === null) {
    agent.createConnection = (given, done) => watched(direct(given, done), ready, options);
  } else if (isTls) {
    tunnelled(agent, direct, proxy, options);
  } else {
    const proxyReady = proxy.isTls ? 'secureConnect' : 'connect';
    agent.createConnection = () => watched(connectToProxy(proxy, tls), proxyReady, options);
    nameWholeAddress(agent, options.authority, proxy.authorization);
  }
  return agent;
};

type Done = ((error: Error | null, socket: Socket) => void) | undefined;
type Connect = (given: http.ClientRequestArgs & { readonly socket?: Socket }, done?: Done) => Socket;

const watched = (
  socket: Socket,
  ready: 'connect' | 'secureConnect',
  { clock, connect_timeout_ms }: AgentOptions,
): Socket => {
  const stop = clock.after(connect_timeout_ms, () => socket.destroy(tooSlow(connect_timeout_ms)));
  socket.once(ready, stop);
  socket.once('close', stop);
  if (ready === 'connect') resetWhenDestroyed(socket);
  return socket;
};

/**
 * Resets a plain socket that is destroyed during a request. Servers of 18.x take a normal end for the end of the data
 * and insert a torn last row. Node's `resetAndDestroy` waits for pending writes, forever if the server hangs.
 */
const resetWhenDestroyed = (socket: Socket & { resetAndClosing?: boolean }): void => {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error?: Error) => {
    if (error !== undefined && !socket.connecting) socket.resetAndClosing = true;
    return destroy(error);
  };
};

const tunnelled = (agent: http.Agent, direct: Connect, proxy: ProxyAddress, options: AgentOptions): void => {
  const { clock, connect_timeout_ms, authority, tls } = options;
  const underWay = new Set<AbortController>();
  agent.createConnection = (given, done: Done) => {
    const ending = new AbortController();
    underWay.add(ending);
    const stop = clock.after(connect_timeout_ms, () => ending.abort());
    void tunnel(proxy, authority, tls, ending.signal)
      .then(
        (socket) => done?.(null, watched(direct({ ...given, socket }), 'secureConnect', options)),
        (thrown: Error) => done?.(thrown, undefined as never),
      )
      .finally(() => {
        stop();
        underWay.delete(ending);
      });
    return undefined;
  };
  const destroy = agent.destroy.bind(agent);
  agent.destroy = () => {
    for (const ending of underWay) ending.abort();
    destroy();
  };
};

interface RequestTaker {
  addRequest(request: http.ClientRequest, ...rest: readonly unknown[]): void;
}

/** Requests to a proxy have the absolute address (RFC 9112, 3.2.2) and its credentials. */
const nameWholeAddress = (agent: http.Agent, authority: string, authorization: string | null): void => {
  const taker = agent as unknown as RequestTaker;
  const addRequest = taker.addRequest.bind(agent);
  taker.addRequest = (request, ...rest) => {
    request.path = `http://${authority}${request.path}`;
    if (authorization !== null) request.setHeader('Proxy-Authorization', authorization);
    addRequest(request, ...rest);
  };
};
