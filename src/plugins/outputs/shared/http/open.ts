import type { Agent } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../../../domain/errors.js';
import type { ValueOf } from '../../../../schema/shape.js';
import type { PluginContext } from '../../../kit.js';
import { addressIn, type ErrorReporter, makeErrorReporter } from '../errors.js';
import { readTls } from '../tls.js';
import { makeAgent, proxyOf } from './agent.js';
import type { httpFields } from './fields.js';
import { type HttpClient, makeHttpClient } from './request.js';

export type HttpParams = Omit<ValueOf<typeof httpFields>, 'headers'> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** Headers and query keys whose value is a secret. */
const SECRET_NAME = /auth|key|token|secret|cookie|pass|signature/i;

/** Headers of every request: credentials, then those of the config, which win. */
export const headersOf = ({
  headers,
  username,
  password,
  bearer_token,
}: Pick<HttpParams, 'headers' | 'username' | 'password' | 'bearer_token'>): Readonly<
  Record<string, string>
> => {
  const user =
    username === null ? null : Buffer.from(`${username}:${password ?? ''}`, 'utf8').toString('base64');
  const authorization =
    bearer_token !== null ? `Bearer ${bearer_token}` : user !== null ? `Basic ${user}` : null;
  const isWritten = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return authorization === null || isWritten ? headers : { Authorization: authorization, ...headers };
};

export const secretsIn = (url: URL): readonly string[] =>
  [...url.searchParams].filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value);

/** Secrets of the parameters, for `makeErrorReporter`. */
export const usersOf = (
  { headers, username, password, bearer_token, proxy_url }: HttpParams,
  more: readonly string[] = [],
): Parameters<typeof makeErrorReporter>[1] => [
  { username: username ?? '', password: password ?? '' },
  ...(proxy_url === null ? [] : [proxyOf(proxy_url)]),
  ...[bearer_token ?? '', ...more].map((secret) => ({ username: '', password: secret })),
  ...Object.entries(headers)
    .filter(([name]) => SECRET_NAME.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\w+ +/, '')])
    .map((secret) => ({ username: '', password: secret })),
];

export interface HttpConnection {
  readonly client: HttpClient;
  readonly agent: Agent;
  readonly report: ErrorReporter;
}

/** Client of one server and reporter of its errors. Nothing connects before the first request. */
export const openHttp = async (
  output: string,
  params: HttpParams,
  server: {
    readonly url: URL;
    /** For messages, without credentials. */
    readonly name: string;
    /** Field of its address. */
    readonly field: string;
    /** Most connections. */
    readonly max_connections: number;
    /** More secrets to mask. */
    readonly secrets?: readonly string[];
  },
  { directory, clock }: Pick<PluginContext, 'directory' | 'clock'>,
): Promise<Result<HttpConnection>> => {
  const tls = await readTls(output, params, { directory, clock });
  if (E.isLeft(tls)) return tls;
  const { url, name, field, max_connections, secrets } = server;
  const isTls = url.protocol === 'https:';
  try {
    const agent = makeAgent({
      isTls,
      authority: `${url.hostname}:${url.port === '' ? (isTls ? 443 : 80) : url.port}`,
      tls: tls.right,
      proxy: params.proxy_url === null ? null : proxyOf(params.proxy_url),
      connect_timeout_ms: params.connect_timeout * 1_000,
      pool_maxsize: max_connections,
      clock,
    });
    return E.right({
      client: makeHttpClient(agent, clock, addressIn(field)),
      agent,
      report: makeErrorReporter(name, usersOf(params, secrets)),
    });
  } catch (thrown) {
    return E.left(failure('plugin_failed', `output ${output}: ${reasonOf(thrown)}`));
  }
};
