import { readFile } from 'node:fs/promises';
import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';

/** How to reach a cluster. Paths are absolute or relative to the working directory. */
export interface ClusterOptions {
  /** Prefix of buckets and subjects: letters, digits, `_` and `-`. */
  readonly name: string;
  /** `host`, `host:port`, `nats://host:port` or `tls://host:port`. */
  readonly servers: readonly string[];
  /** File with JWT and NKey seed. */
  readonly credentials?: string | null;
  readonly token?: string | null;
  readonly user?: string | null;
  readonly password?: string | null;
  /** File with the seed of an NKey. */
  readonly nkey?: string | null;
  readonly tls?: ClusterTls | null;
  /** Copies of each bucket, 1 to 5. Applies to buckets that do not exist yet. */
  readonly replicas: number;
  /** Whether the servers tell the addresses of others of their cluster. Default: true. */
  readonly discovers_servers?: boolean;
  /** Time for the first connection. Default: 10 s. */
  readonly connect_timeout_ms?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Files in PEM. */
interface ClusterTls {
  readonly ca_cert?: string | null;
  readonly client_cert?: string | null;
  readonly client_key?: string | null;
}

const CLUSTER_NAME = /^[\w-]{1,64}$/;

const readOption = async (option: string, path: string): Promise<Result<Buffer>> => {
  try {
    return E.right(await readFile(path));
  } catch (thrown) {
    const what = `cannot read ${path}: ${reasonOf(thrown)}. Correct \`${option}\`.`;
    return E.left(failure('unreadable', `nats.${option}: ${what}`));
  }
};

const authenticatorFrom = async (
  option: string,
  path: string,
  make: (bytes: Uint8Array) => Authenticator,
): Promise<Result<Authenticator>> => {
  const bytes = await readOption(option, path);
  if (E.isLeft(bytes)) return bytes;
  try {
    const authenticator = make(bytes.right);
    // Throws for a file of another kind.
    authenticator('check');
    return E.right(authenticator);
  } catch (thrown) {
    const what = `nats.${option}: ${path} is of another kind (${reasonOf(thrown)}). Correct the path.`;
    return E.left(failure('invalid', what));
  }
};

const seedOf = (bytes: Uint8Array): Uint8Array => {
  const seed = /\bSU[A-Z2-7]{56}\b/.exec(Buffer.from(bytes).toString('latin1'))?.[0];
  if (seed === undefined) throw new Error('it has no seed; a seed begins with SU');
  return Buffer.from(seed, 'latin1');
};

const authenticatorOf = async (options: ClusterOptions): Promise<Result<Authenticator | null>> => {
  const { credentials, token, user, password, nkey } = options;
  if (credentials) return authenticatorFrom('credentials', credentials, credsAuthenticator);
  if (nkey) return authenticatorFrom('nkey', nkey, (bytes) => nkeyAuthenticator(seedOf(bytes)));
  if (user) return E.right(usernamePasswordAuthenticator(user, password ?? ''));
  return E.right(token ? tokenAuthenticator(token) : null);
};

const tlsOf = async ({ tls }: ClusterOptions): Promise<Result<Pick<NodeConnectionOptions, 'tls'>>> => {
  if (tls === undefined || tls === null) return E.right({});
  const files: Record<string, string> = {};
  for (const [name, option] of [
    ['ca', 'ca_cert'],
    ['cert', 'client_cert'],
    ['key', 'client_key'],
  ] as const) {
    const path = tls[option];
    if (!path) continue;
    const bytes = await readOption(`tls.${option}`, path);
    if (E.isLeft(bytes)) return bytes;
    files[name] = bytes.right.toString('utf8');
  }
  // The client hands all of it to Node.
  return E.right({ tls: { ...files, rejectUnauthorized: true } as { ca?: string } });
};

/** Returns the options of the NATS client for credentials and TLS, or the error `invalid` or `unreadable`. */
export const securityOf = async (
  options: ClusterOptions,
): Promise<Result<Pick<NodeConnectionOptions, 'tls' | 'authenticator'>>> => {
  if (!CLUSTER_NAME.test(options.name)) {
    const what = `cluster name "${options.name}" must have 1 to 64 letters, digits, "_" or "-".`;
    return E.left(failure('invalid', what));
  }
  const authenticator = await authenticatorOf(options);
  if (E.isLeft(authenticator)) return authenticator;
  const tls = await tlsOf(options);
  if (E.isLeft(tls)) return tls;
  return E.right({
    ...tls.right,
    ...(authenticator.right === null ? {} : { authenticator: authenticator.right }),
  });
};
