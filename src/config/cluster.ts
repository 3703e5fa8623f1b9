import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../domain/errors.js';
import {
  boolean,
  type DecodedOf,
  decode,
  defaulted,
  givenTogether,
  integer,
  listOf,
  number,
  oneOf,
  optional,
  path,
  record,
  required,
  text,
} from '../schema/index.js';
import { invalid } from './report.js';
import { nodeLabels } from './startup/shape.js';
import { type Expanded, readDocument } from './yaml/document.js';
import { locateIssues } from './yaml/source.js';

export const MAX_CLUSTER_FILE_BYTES = 65_536;

type Decoded = DecodedOf<typeof clusterShape>;

/** `cluster.yml` with every default; paths are absolute. */
export interface ClusterFile extends Omit<Decoded, 'node'> {
  readonly node: string;
}

const absolutePaths = (decoded: Decoded, folder: string): Decoded => {
  const at = (given: string | null): string | null => (given === null ? null : resolve(folder, given));
  const { nats } = decoded;
  const { tls } = nats;
  return {
    ...decoded,
    nats: {
      ...nats,
      password_file: at(nats.password_file),
      token_file: at(nats.token_file),
      nkey_file: at(nats.nkey_file),
      credentials_file: at(nats.credentials_file),
      tls: { ...tls, ca_cert: at(tls.ca_cert), cert: at(tls.cert), cert_key: at(tls.cert_key) },
    },
  };
};

/** Reads `cluster.yml` from an absolute `file`. `host`: name of a node that the file does not name. */
export const loadCluster = (text: string, file: string, host: string): Result<ClusterFile> =>
  E.flatMap(({ source, value }: Expanded) =>
    E.bimap(
      (issues: readonly Issue[]) => invalid(file, locateIssues(source, issues)),
      (decoded: Decoded): ClusterFile => ({
        ...absolutePaths(decoded, dirname(file)),
        node: decoded.node ?? host,
      }),
    )(decode(clusterShape, value)),
  )(readDocument(text, file, clusterShape));

const nonEmpty = text({ minLength: 1, maxLength: 256 });

const namedBy = (label: string, pattern: RegExp, message: string, maxLength: number) =>
  text({
    label,
    minLength: 1,
    maxLength,
    check: (value) => (pattern.test(value) ? null : { type: 'not_allowed', message }),
  });

const clusterName = namedBy(
  'cluster name',
  /^[A-Za-z0-9_-]+$/,
  "must consist of letters, digits, '_' and '-' (ASCII)",
  32,
);

const nodeName = namedBy(
  'node name',
  /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/,
  "must consist of letters, digits, '.', '_' and '-' (ASCII), without a dot at the start",
  64,
);

const tls = record(
  {
    enabled: defaulted(boolean(), false, { help: 'Require TLS; a certificate below does too.' }),
    ca_cert: optional(path(), { help: 'PEM file of the authorities that sign server certificates.' }),
    cert: optional(path(), { help: 'PEM file of the client certificate.' }),
    cert_key: optional(path(), { help: 'PEM file of the private key of the client certificate.' }),
  },
  { rules: [givenTogether('cert', 'cert_key', { message: 'is required: cert and cert_key go together' })] },
);

const nats = record(
  {
    servers: required(listOf(nonEmpty, { min: 1, max: 100 }), {
      help: 'Servers of the cluster: `nats://host:port` or `tls://host:port`.',
      example: ['nats://10.0.0.1:4222', 'nats://10.0.0.2:4222', 'nats://10.0.0.3:4222'],
    }),
    discovers_servers: defaulted(boolean(), true, {
      help: 'Also use the servers that these name; false where only the listed addresses can be reached.',
    }),
    username: optional(nonEmpty, { help: 'User.' }),
    password_file: optional(path(), { help: 'File with the password of the user.' }),
    token_file: optional(path(), { help: 'File with an authentication token.' }),
    nkey_file: optional(path(), { help: 'File with the seed of an NKey.' }),
    credentials_file: optional(path(), { help: 'Credentials file with JWT and NKey seed.' }),
    tls: defaulted(
      tls,
      { enabled: false, ca_cert: null, cert: null, cert_key: null },
      { help: 'Encryption of the connection.' },
    ),
  },
  {
    rules: [
      givenTogether('username', 'password_file', {
        message: 'is required: username and password_file go together',
      }),
    ],
  },
);

/** `cluster.yml`: how a node reaches its cluster. Not part of the settings, which the API replaces. */
export const clusterShape = record({
  name: defaulted(clusterName, 'spate', {
    help: 'Name of the cluster, part of the names of its buckets and subjects: several clusters can share NATS servers.',
  }),
  node: optional(nodeName, { help: 'Name of this node, unique in the cluster. Default: the host name.' }),
  nats: required(nats, { help: 'The NATS servers with JetStream that hold the state of the cluster.' }),
  replicas: defaulted(integer({ min: 1, max: 5 }), 3, {
    help: 'Copies of each bucket; at most the number of NATS servers. Used when a bucket is created.',
  }),
  lease: defaulted(number({ min: 1, max: 3_600 }), 15, {
    help: 'Seconds after which a node that is not heard of has lost its generators. Below 15, the election of a NATS leader (up to 9 s) can isolate nodes. The same on all nodes.',
  }),
  capacity: defaulted(number({ min: 0, max: 1_000 }), 1, {
    help: 'Weight of this node: a node with 2 gets twice the generators of a node with 1, one with 0 gets none.',
  }),
  labels: defaulted(
    nodeLabels,
    {},
    {
      help: 'Labels of this node; a startup entry with `runs_on` runs only on nodes that have its labels.',
      example: { zone: 'a' },
    },
  ),
  moves: defaulted(integer({ min: 1, max: 1_000 }), 4, {
    help: 'Generators or scenarios that this node gives to others at the same time.',
  }),
  on_isolation: defaulted(oneOf(['stop', 'continue']), 'stop', {
    help: '`stop`: a node that loses its cluster stops its generators after two thirds of `lease`, so that nothing runs twice. `continue`: it goes on, and events may be made twice.',
  }),
});
