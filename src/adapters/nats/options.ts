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
import { nodeFiles } from '../files/files.js';

/** How to reach a cluster: `name`, `nats` and `replicas` are those of its file. */
export interface ClusterOptions {
  /** Prefix of buckets and subjects: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly nats: NatsOptions;
  /** Copies of each bucket, 1 to 5. Applies to buckets that do not exist yet. */
  readonly replicas: number;
  /** Time for the first connection. Default: 10 s. */
  readonly connect_timeout_ms?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Paths are absolute or relative to the working directory; files of certificates are in PEM. */
interface NatsOptions extends Paths<keyof typeof LOGINS> {
  /** `host`, `host:port`, `nats://host:port` or `tls://host:port`. */
  readonly servers: readonly string[];
  /** Whether the servers tell the addresses of others of their cluster. */
  readonly discovers_servers: boolean;
  readonly username: string | null;
  readonly tls: Paths<'ca_cert' | 'cert' | 'cert_key'> & { readonly enabled: boolean };
}

type Paths<Option extends string> = Readonly<Record<Option, string | null>>;

const CLUSTER_NAME = /^[\w-]{1,64}$/;
/** Largest file of an option: a bundle of all authorities has a quarter of it. */
const MAX_FILE_BYTES = 1_048_576;

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const seedIn = (text: string): Uint8Array => {
  const seed = /\bSU[A-Z2-7]{56}\b/.exec(text)?.[0];
  if (seed === undefined) throw new Error('it has no seed; a seed begins with SU');
  return bytesOf(seed);
};

/** Ways to log in by the option with their file. The first one that is given counts. */
const LOGINS = {
  credentials_file: (text: string) => credsAuthenticator(bytesOf(text)),
  nkey_file: (text: string) => nkeyAuthenticator(seedIn(text)),
  password_file: (text: string, username: string | null) =>
    usernamePasswordAuthenticator(username ?? '', text.trim()),
  token_file: (text: string) => tokenAuthenticator(text.trim()),
};

/** Returns the text of the file that an option names, or null when it names none. */
const textOf = async (option: string, path: string | null): Promise<Result<string | null>> => {
  if (path === null) return E.right(null);
  const text = await nodeFiles.readText(path, MAX_FILE_BYTES);
  return E.isRight(text) ? text : E.left(failure('unreadable', `nats.${option}: ${text.left.message}`));
};

const authenticatorOf = async (nats: NatsOptions): Promise<Result<Authenticator | null>> => {
  for (const option of Object.keys(LOGINS) as (keyof typeof LOGINS)[]) {
    const text = await textOf(option, nats[option]);
    if (E.isLeft(text)) return text;
    if (text.right === null) continue;
    try {
      const authenticator = LOGINS[option](text.right, nats.username);
      // Throws for a file of another kind.
      authenticator('check');
      return E.right(authenticator);
    } catch (thrown) {
      const what = `nats.${option}: ${nats[option]} is of another kind (${reasonOf(thrown)}). Correct the path.`;
      return E.left(failure('invalid', what));
    }
  }
  return E.right(null);
};

const tlsOf = async ({ tls }: NatsOptions): Promise<Result<Pick<NodeConnectionOptions, 'tls'>>> => {
  if (!tls.enabled && tls.ca_cert === null && tls.cert === null) return E.right({});
  const files: Record<string, string> = {};
  for (const [name, option] of Object.entries({ ca: 'ca_cert', cert: 'cert', key: 'cert_key' } as const)) {
    const text = await textOf(`tls.${option}`, tls[option]);
    if (E.isLeft(text)) return text;
    if (text.right !== null) files[name] = text.right;
  }
  // The client hands all of it to Node.
  return E.right({ tls: { ...files, rejectUnauthorized: true } as { ca?: string } });
};

/** Returns the options of the NATS client for credentials and TLS, or the error `invalid` or `unreadable`. */
export const securityOf = async ({
  name,
  nats,
}: ClusterOptions): Promise<Result<Pick<NodeConnectionOptions, 'tls' | 'authenticator'>>> => {
  if (!CLUSTER_NAME.test(name)) {
    const what = `cluster name "${name}" must have 1 to 64 letters, digits, "_" or "-".`;
    return E.left(failure('invalid', what));
  }
  const authenticator = await authenticatorOf(nats);
  if (E.isLeft(authenticator)) return authenticator;
  const tls = await tlsOf(nats);
  if (E.isLeft(tls)) return tls;
  return E.right({
    ...tls.right,
    ...(authenticator.right === null ? {} : { authenticator: authenticator.right }),
  });
};
