import * as E from 'fp-ts/lib/Either.js';
import type { LocalAnswers } from '../../../actors/ask.js';
import { failure } from '../../domain/errors.js';

const refuse = () =>
  E.left(failure('wrong_state', 'this service runs alone, without a cluster: start it with --cluster FILE'));

/** Answers about the cluster of a service that runs alone. */
export const aloneAnswers: Pick<LocalAnswers, 'cluster.read' | 'cluster.drain' | 'cluster.remove'> = {
  'cluster.read': () => E.right(null),
  'cluster.drain': refuse,
  'cluster.remove': refuse,
};
