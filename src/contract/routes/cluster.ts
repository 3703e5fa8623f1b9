import type { ClusterInfo } from '../../messages/cluster.js';
import { nameParam } from '../params.js';
import { nothing, nothingDoc, valueDoc } from '../reply.js';
import { type Reply, route } from '../route.js';
import { refTo } from '../schemaParts.js';

const TAG = 'Cluster';
const params = { node: nameParam('Name of the node.') };
const errors = ['not_found', 'wrong_state'] as const;

/** The cluster, or that there is none. */
export type ClusterAnswer = { readonly enabled: false } | ({ readonly enabled: true } & ClusterInfo);

const cluster = (info: ClusterInfo | null): Reply<ClusterAnswer> => ({
  status: 200,
  kind: 'json',
  value: info === null ? { enabled: false } : { enabled: true, ...info },
});

/** What a node knows of its cluster; a service that runs alone says so. */
export const clusterRoutes = () =>
  [
    route({
      id: 'readCluster',
      method: 'get',
      path: '/cluster',
      tag: TAG,
      summary: 'Read the state of the cluster',
      description:
        'Returns nodes and tasks as this node sees them. After it has lost the cluster, they are as old as its `seen_seconds_ago`.',
      success: valueDoc('The cluster; only `enabled: false` if the service runs alone.', refTo('Cluster')),
      errors: [],
      request: () => ({ type: 'cluster.read', payload: null }),
      reply: cluster,
    }),
    route({
      id: 'drainNode',
      method: 'post',
      path: '/cluster/nodes/{node}/drain',
      tag: TAG,
      summary: 'Drain a node',
      description:
        'The node gives its generators to other nodes and takes no more until it is resumed, also after a restart. Responds before they have moved.',
      params,
      success: nothingDoc,
      errors,
      request: ({ path }) => ({ type: 'cluster.drain', payload: { node: path.node, drain: true } }),
      reply: nothing,
    }),
    route({
      id: 'resumeNode',
      method: 'post',
      path: '/cluster/nodes/{node}/resume',
      tag: TAG,
      summary: 'Resume a drained node',
      description: 'The node takes generators again.',
      params,
      success: nothingDoc,
      errors,
      request: ({ path }) => ({ type: 'cluster.drain', payload: { node: path.node, drain: false } }),
      reply: nothing,
    }),
    route({
      id: 'removeNode',
      method: 'delete',
      path: '/cluster/nodes/{node}',
      tag: TAG,
      summary: 'Remove a lost node',
      description:
        'Removes a lost node and its order to drain from the cluster at once; lost nodes leave by themselves after a day. Responds with 409 if ' +
        'the node is not lost. A removed node that comes back joins again.',
      params,
      success: nothingDoc,
      errors,
      request: ({ path }) => ({ type: 'cluster.remove', payload: { node: path.node } }),
      reply: nothing,
    }),
  ] as const;
