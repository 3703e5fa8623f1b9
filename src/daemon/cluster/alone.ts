import * as E from 'fp-ts/lib/Either.js';
import type { LocalAnswers } from '../../../actors/ask.js';
import type { Settings } from '../../config/settings/settings.js';
import type { Result } from '../../domain/errors.js';
import { failure } from '../../domain/errors.js';
import type { JoinedCluster } from './join.js';
import type { JoinOptions } from './node.js';

const refuse = () =>
  E.left(failure('wrong_state', 'this service runs alone, without a cluster: start it with --cluster FILE'));

/** Answers about the cluster of a service that runs alone. */
export const aloneAnswers: Pick<LocalAnswers, 'cluster.read' | 'cluster.drain' | 'cluster.remove'> = {
  'cluster.read': () => E.right(null),
  'cluster.drain': refuse,
  'cluster.remove': refuse,
};

/** Joins the cluster, if there is one; its code is loaded only then. */
export const clusterOf = async (
  { clusterFile, version }: Pick<JoinOptions, 'version'> & { readonly clusterFile: string | null },
  { path: { generators_dir } }: Settings,
  more: Omit<JoinOptions, 'clusterFile' | 'generators_dir' | 'version'>,
): Promise<Result<JoinedCluster | null>> => {
  if (clusterFile === null) return E.right(null);
  const { joinCluster } = await import('./join.js');
  return joinCluster({ ...more, clusterFile, generators_dir, version });
};
