import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { TlsOptions } from '../tls/files.js';

export interface ProxyAddress {
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

export const connectToProxy = ({ isTls, host, port }: ProxyAddress, options: TlsOptions): Socket =>
  isTls ? tls.connect({ host, port, ...tlsOf(options) }) : net.connect({ host, port });

/** Connects to `authority` (`host:port`) through the proxy with CONNECT (RFC 9110, 9.3.6). */
export const tunnel = (
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
