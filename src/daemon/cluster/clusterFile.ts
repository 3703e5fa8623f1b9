import { hostname } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { type ClusterFile, loadCluster, MAX_CLUSTER_FILE_BYTES } from '../../config/cluster.js';
import type { Result } from '../../domain/errors.js';

/** Reads and checks `cluster.yml`; `path` is absolute. */
export const readClusterFile = async (path: string): Promise<Result<ClusterFile>> => {
  const text = await nodeFiles.readText(path, MAX_CLUSTER_FILE_BYTES);
  return E.isLeft(text) ? text : loadCluster(text.right, path, hostname());
};
