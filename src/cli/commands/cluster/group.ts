import type { CommandGroup } from '../../arguments/command.js';
import { clusterDrain, clusterRemove, clusterResume } from './drain.js';
import { clusterPush } from './push.js';
import { clusterStatus } from './status.js';

export const cluster: CommandGroup = {
  name: 'cluster',
  summary: 'Fills, shows and maintains a cluster of nodes.',
  notes: [
    'The commands connect to the NATS servers of the cluster file, with its credentials. They work from any machine that ' +
      'reaches these servers, also while no node runs.',
  ],
  commands: [clusterPush, clusterStatus, clusterDrain, clusterResume, clusterRemove],
};
