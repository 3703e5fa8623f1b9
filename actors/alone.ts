import { fromCallback } from 'xstate';
import type { ClusterMessage } from './cluster.js';

/** Stands for the actor of the cluster in a service that runs alone. */
export const alone = fromCallback<ClusterMessage>(() => {});
