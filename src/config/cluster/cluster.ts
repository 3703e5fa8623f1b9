import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import { type DecodedOf, decode } from '../../schema/index.js';
import { invalid } from '../report.js';
import { type Expanded, readDocument } from '../yaml/document.js';
import { placeIssues } from '../yaml/source.js';
import { clusterShape } from './shape.js';

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
      (issues: readonly Issue[]) => invalid(file, placeIssues(source, issues)),
      (decoded: Decoded): ClusterFile => ({
        ...absolutePaths(decoded, dirname(file)),
        node: decoded.node ?? host,
      }),
    )(decode(clusterShape, value)),
  )(readDocument(text, file, clusterShape));
