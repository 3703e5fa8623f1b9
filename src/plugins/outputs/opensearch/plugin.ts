import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../domain/errors.js';
import type { OutputPlugin, PluginContext } from '../../kit.js';
import { openHttp } from '../shared/http/open.js';
import { statusError } from '../shared/http/replies.js';
import { type Host, type Hosts, makeHosts } from './hosts.js';
import { type OpensearchParams, opensearchHeaders, opensearchOutput } from './output.js';
import { replyErrorOf } from './replies.js';
import { type opensearchFields, opensearchSpec } from './spec.js';

/** Requests in flight of one generator are bounded before; these are kept open for reuse. */
const MAX_CONNECTIONS = 32;

const openHosts = async (
  params: OpensearchParams,
  context: PluginContext,
): Promise<Result<readonly Host[]>> => {
  const hosts: Host[] = [];
  for (const written of params.hosts) {
    const address = written.replace(/\/+$/, '');
    const secrets = params.api_key === null ? [] : [params.api_key];
    const server = {
      url: new URL(address),
      name: address,
      field: 'hosts',
      max_connections: MAX_CONNECTIONS,
      secrets,
    };
    const connection = await openHttp('opensearch', params, server, context);
    if (E.isLeft(connection)) return connection;
    hosts.push({ address, ...connection.right });
  }
  return E.right(hosts);
};

/** A user who may only index may not read this. */
const FORBIDDEN = 403;

/** Checks addresses, TLS and credentials with one request. */
const check = async (hosts: Hosts, params: OpensearchParams, signal: AbortSignal): Promise<Result<void>> => {
  const answer = await hosts.send('/', {
    method: 'GET',
    headers: opensearchHeaders(params),
    body: [],
    signal,
    limit_ms: params.connect_timeout * 1_000,
    limit_name: 'connect_timeout',
  });
  if (E.isLeft(answer)) return E.left(answer.left.host.report('cannot open', answer.left.error));
  const { host, reply } = answer.right;
  if (reply.status === FORBIDDEN || (reply.status >= 200 && reply.status < 300)) return E.right(undefined);
  return E.left(
    host.report('cannot open', { ...replyErrorOf(reply, statusError(reply)), isRetryable: true }),
  );
};

export const opensearchPlugin: OutputPlugin<typeof opensearchFields> = {
  spec: opensearchSpec,
  open: async (params, context) => {
    const opened = await openHosts(params, context);
    if (E.isLeft(opened)) return opened;
    const hosts = makeHosts(opened.right, context.clock);
    const checked = await check(hosts, params, context.signal);
    if (E.isRight(checked)) {
      return E.right(opensearchOutput(params, hosts, opened.right[0] as Host, context));
    }
    hosts.close();
    return checked;
  },
};
