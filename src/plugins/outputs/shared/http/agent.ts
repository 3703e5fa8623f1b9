import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { Clock } from '../../../../ports/clock.js';
import type { TlsOptions } from '../tls.js';

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

interface ProxyAddress {
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  /** Value of `Proxy-Authorization`; `null` without credentials. */
  readonly authorization: string | null;
  readonly username: string;
  readonly password: string;
}

/** Reads a `proxy_url`; default port 80 or 443. Throws on bad percent-encoding. */
export const proxyOf = (written: string): ProxyAddress => {
  const url = new URL(written);
  const isTls = url.protocol === 'https:';
  const username = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const user = `${username}:${password}`;
  return {
    isTls,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
    authorization: user === ':' ? null : `Basic ${Buffer.from(user, 'utf8').toString('base64')}`,
    username,
    password,
  };
};

const failed = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** Without `servername`, which names the server, not the proxy. */
const tlsOf = ({ ca, rejectUnauthorized }: TlsOptions) => ({
  ...(ca === undefined ? {} : { ca }),
  rejectUnauthorized,
});

const connectToProxy = ({ isTls, host, port }: ProxyAddress, options: TlsOptions): Socket =>
  isTls ? tls.connect({ host, port, ...tlsOf(options) }) : net.connect({ host, port });

/** Connects to `authority` (`host:port`) through the proxy with CONNECT (RFC 9110, 9.3.6). */
const tunnel = (
  proxy: ProxyAddress,
  authority: string,
  options: TlsOptions,
  signal: AbortSignal,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { isTls, host, port, authorization } = proxy;
    const request = (isTls ? https : http).request({
      host,
      port,
      method: 'CONNECT',
      path: authority,
      agent: false,
      signal,
      headers: {
        Host: authority,
        ...(authorization === null ? {} : { 'Proxy-Authorization': authorization }),
      },
      ...(isTls ? tlsOf(options) : {}),
    });
    request.on('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(failed('PROXY_REFUSED', `the proxy refused to connect (HTTP status ${response.statusCode})`));
    });
    request.on('response', (response) => {
      response.destroy();
      reject(failed('PROXY_REFUSED', `the proxy refused to connect (HTTP status ${response.statusCode})`));
    });
    request.on('error', (thrown) => {
      reject(signal.aborted ? failed('CONNECT_TIMEOUT', 'the proxy did not connect in time') : thrown);
    });
    request.end();
  });
