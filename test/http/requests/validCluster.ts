import { defaultAnswers } from '../support.js';
import type { ValidRequest } from './validRequest.js';

/** As `VALID`, for the cluster. */
export const VALID_CLUSTER: readonly ValidRequest[] = [
  [
    'readCluster',
    'GET',
    '/cluster',
    undefined,
    { type: 'cluster.read', payload: null },
    200,
    { enabled: true, ...defaultAnswers()['cluster.read'] },
  ],
  [
    'drainNode',
    'POST',
    '/cluster/nodes/a.1/drain',
    undefined,
    { type: 'cluster.drain', payload: { node: 'a.1', drain: true } },
    200,
    null,
  ],
  [
    'resumeNode',
    'POST',
    '/cluster/nodes/a.1/resume',
    undefined,
    { type: 'cluster.drain', payload: { node: 'a.1', drain: false } },
    200,
    null,
  ],
  [
    'removeNode',
    'DELETE',
    '/cluster/nodes/a.1',
    undefined,
    { type: 'cluster.remove', payload: { node: 'a.1' } },
    200,
    null,
  ],
];
