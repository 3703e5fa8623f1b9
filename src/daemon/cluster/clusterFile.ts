import { hostname } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import type { ClusterOptions } from '../../adapters/nats/options.js';
import { systemClock } from '../../adapters/systemClock.js';
import { type ClusterFile, loadCluster, MAX_CLUSTER_FILE_BYTES } from '../../config/cluster.js';
import type { Result } from '../../domain/errors.js';
import type { Log } from '../../ports/log.js';

/** Reads and checks `cluster.yml`; `path` is absolute. */
export const readClusterFile = async (path: string): Promise<Result<ClusterFile>> => {
  const text = await nodeFiles.readText(path, MAX_CLUSTER_FILE_BYTES);
  return E.isLeft(text) ? text : loadCluster(text.right, path, hostname());
};

const MAX_SECRET_BYTES = 4_096;

const readSecret = async (path: string | null): Promise<Result<string | null>> => {
  if (path === null) return E.right(null);
  return E.map((text: string) => text.trim())(await nodeFiles.readText(path, MAX_SECRET_BYTES));
};

/** How to reach the NATS servers of `cluster.yml`; reads the files with password and token. */
export const linkOptions = async (
  { name, nats, replicas }: ClusterFile,
  log: Log,
): Promise<Result<ClusterOptions>> => {
  const { tls } = nats;
  const password = await readSecret(nats.password_file);
  if (E.isLeft(password)) return password;
  const token = await readSecret(nats.token_file);
  if (E.isLeft(token)) return token;
  const usesTls = tls.enabled || tls.ca_cert !== null || tls.cert !== null;
  return E.right({
    name,
    servers: nats.servers,
    discovers_servers: nats.discovers_servers,
    credentials: nats.credentials_file,
    nkey: nats.nkey_file,
    user: nats.username,
    password: password.right,
    token: token.right,
    tls: usesTls ? { ca_cert: tls.ca_cert, client_cert: tls.cert, client_key: tls.cert_key } : null,
    replicas,
    clock: systemClock,
    log,
  });
};
