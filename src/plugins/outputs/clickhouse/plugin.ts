import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../../domain/errors.js';
import type { OutputPlugin } from '../../kit.js';
import { makeAgent } from '../shared/http/agent.js';
import { proxyOf } from '../shared/http/proxy.js';
import { type ErrorReporter, makeErrorReporter, retryableError } from '../shared/requestErrors.js';
import { readTls } from '../shared/tls/files.js';
import { type Client, makeClient } from './client.js';
import { type Endpoint, endpointOf } from './endpoint.js';
import { clickhouseOutput } from './output.js';
import { type clickhouseFields, clickhouseSpec } from './spec.js';
import { existsStatement } from './statement.js';

/** The server may hide the table from a user with INSERT rights only. */
const ACCESS_DENIED = 497;

/** Checks host, TLS, user, database and table with one statement. */
const check = async (
  client: Client,
  endpoint: Endpoint,
  report: ErrorReporter,
  { signal, limit_ms }: { readonly signal: AbortSignal; readonly limit_ms: number },
): Promise<Result<void>> => {
  const statement = existsStatement(endpoint.database, endpoint.table);
  const answer = await client.send(statement, { signal, limit_ms, limit_name: 'connect_timeout' });
  if (E.isLeft(answer)) {
    return answer.left.code === ACCESS_DENIED
      ? E.right(undefined)
      : E.left(report('cannot open', { ...answer.left, isRetryable: true }));
  }
  if (answer.right.text.trim() === '1') return E.right(undefined);
  const what =
    answer.right.text.trim() === '0'
      ? { what: 'the table does not exist', remedy: 'Create it, or correct `database` and `table`.' }
      : { what: 'the reply is not from ClickHouse', remedy: 'Check `host` and `port`.' };
  return E.left(report('cannot open', retryableError(what.what, what.remedy)));
};

export const clickhousePlugin: OutputPlugin<typeof clickhouseFields> = {
  spec: clickhouseSpec,
  open: async (params, { directory, clock, log, signal }) => {
    const endpoint = endpointOf(params);
    if (E.isLeft(endpoint)) return endpoint;
    const tls = await readTls('clickhouse', params, { directory, clock });
    if (E.isLeft(tls)) return tls;
    const { protocol, url, name } = endpoint.right;
    const isTls = protocol === 'https';
    const hasCertificate = isTls && params.client_cert !== null;
    if (params.tls_mode === 'mutual' && !hasCertificate) {
      log.write(
        'warning',
        '`tls_mode: mutual` needs `protocol: https` and a client certificate; using the password',
      );
    }
    const connect_timeout_ms = params.connect_timeout * 1000;
    try {
      const proxy = params.proxy_url === null ? null : proxyOf(params.proxy_url);
      const report = makeErrorReporter(name, proxy === null ? [endpoint.right] : [endpoint.right, proxy]);
      const agent = makeAgent({
        isTls,
        authority: url.slice(url.indexOf('//') + 2),
        tls: tls.right,
        proxy,
        connect_timeout_ms,
        pool_maxsize: params.pool_maxsize,
        clock,
      });
      const client = makeClient({
        endpoint: endpoint.right,
        agent,
        isCertificateUser: hasCertificate && params.tls_mode === 'mutual',
        client_name: params.client_name,
        clock,
      });
      const checked = await check(client, endpoint.right, report, { signal, limit_ms: connect_timeout_ms });
      if (E.isRight(checked))
        return E.right(clickhouseOutput({ client, endpoint: endpoint.right, params, report, log }));
      await client.close();
      return checked;
    } catch (thrown) {
      return E.left(failure('plugin_failed', `output clickhouse: ${reasonOf(thrown)}`));
    }
  },
};
