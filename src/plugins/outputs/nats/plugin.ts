import { resolve } from 'node:path';
import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  nuid,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../../domain/errors.js';
import { hostPort } from '../../../domain/text/hostPort.js';
import type { OutputPlugin, PluginContext } from '../../kit.js';
import { readInputFile } from '../../shared/inputFile.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { makeLink } from '../shared/brokers/link.js';
import { makeErrorReporter } from '../shared/requestErrors.js';
import { readTls, type TlsOptions } from '../shared/tls/files.js';
import { connectTo } from './connection.js';
import { messageMaker, type NatsParams } from './messages.js';
import { natsOutput } from './output.js';
import { type NatsServer, serverOf } from './servers.js';
import { type natsFields, natsSpec } from './spec.js';

const MAX_FILE_BYTES = 1024 * 1024;

const wrong = (what: string) => E.left(failure('plugin_failed', `output nats: ${what}`));

const credentialsOf = async (
  file: string,
  { directory, clock }: Pick<PluginContext, 'directory' | 'clock'>,
): Promise<Result<Authenticator>> => {
  const path = resolve(directory, file);
  try {
    const bytes = await readInputFile(path, clock, MAX_FILE_BYTES);
    if (bytes === null) return wrong(`${path} is too large. Correct \`credentials_file\`.`);
    const authenticator = credsAuthenticator(bytes);
    // Throws for a file without JWT or seed.
    authenticator('check');
    return E.right(authenticator);
  } catch (thrown) {
    const what = `cannot read ${path}: ${reasonOf(thrown)}. Correct \`credentials_file\`.`;
    return E.left(failure('unreadable', `output nats: ${what}`));
  }
};

const authenticatorOf = async (
  { username, password, token, nkey, credentials_file }: NatsParams,
  context: Pick<PluginContext, 'directory' | 'clock'>,
): Promise<Result<Authenticator | null>> => {
  if (credentials_file !== null) return credentialsOf(credentials_file, context);
  if (username !== null) return E.right(usernamePasswordAuthenticator(username, password));
  if (token !== null) return E.right(tokenAuthenticator(token));
  if (nkey === null) return E.right(null);
  const authenticator = nkeyAuthenticator(Buffer.from(nkey, 'utf8'));
  try {
    authenticator('check');
    return E.right(authenticator);
  } catch {
    return wrong('`nkey` is not the seed of an NKey. It begins with SU.');
  }
};

/** Returns options for TLS. Without them the connection is plain, unless the server requires TLS. */
const tlsOf = (params: NatsParams, servers: readonly NatsServer[], options: TlsOptions) => {
  const isWanted =
    params.tls ||
    !params.verify ||
    [params.ca_cert, params.client_cert, params.server_host_name].some((value) => value !== null) ||
    servers.some(({ isTls }) => isTls);
  // The client hands them to Node, which takes buffers too.
  return isWanted ? { tls: options as unknown as NonNullable<NodeConnectionOptions['tls']> } : {};
};

export const natsPlugin: OutputPlugin<typeof natsFields> = {
  spec: natsSpec,
  open: async (params, { directory, clock, signal }) => {
    const servers = params.servers.flatMap((text) => serverOf(text) ?? []);
    const tls = await readTls('nats', params, { directory, clock });
    if (E.isLeft(tls)) return tls;
    const authenticator = await authenticatorOf(params, { directory, clock });
    if (E.isLeft(authenticator)) return authenticator;
    const name = `nats://${servers.map(hostPort).join(',')}, subject ${params.subject}`;
    const report = makeErrorReporter(name, [
      { username: params.username ?? '', password: params.password },
      { username: '', password: params.token ?? '' },
      { username: '', password: params.nkey ?? '' },
    ]);
    const options = {
      servers,
      client: {
        name: params.client_name,
        ...(authenticator.right === null ? {} : { authenticator: authenticator.right }),
        ...tlsOf(params, servers, tls.right),
      },
      connect_timeout_ms: params.connect_timeout * 1_000,
      hasReplies: params.jetstream,
      clock,
    };
    const link = makeLink((closing) => connectTo(options, closing));
    const connected = await link.get(signal);
    if (E.isLeft(connected)) return E.left(report('cannot open', { ...connected.left, isRetryable: true }));
    const maker = messageMaker(params, generatorName({ directory }), nuid.next());
    return E.right(natsOutput({ link, maker, params, name, report, clock }));
  },
};
