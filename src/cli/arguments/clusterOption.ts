import { resolve } from 'node:path';
import type { Io } from '../terminal/io.js';
import { textOption } from './option.js';

export const CLUSTER_VARIABLE = 'SPATE_CLUSTER';

/** Option of commands that talk to a cluster. */
export const CLUSTER_OPTION = textOption('FILE', {
  help: `File that describes how to reach the cluster (default: $${CLUSTER_VARIABLE}).`,
});

/** Returns the absolute path of `cluster.yml`, or null when neither option nor variable names one. */
export const clusterFileOf = (
  given: string | undefined,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): string | null => {
  const file = given ?? env[CLUSTER_VARIABLE] ?? '';
  return file === '' ? null : resolve(cwd, file);
};
