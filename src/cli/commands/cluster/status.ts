import { CLUSTER_OPTION } from '../../arguments/clusterOption.js';
import { type Command, NO_POSITIONALS } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';

export const statusOptions = {
  cluster: CLUSTER_OPTION,
  json: flagOption({ help: 'Print the answer of the node as JSON, as GET /api/cluster does.' }),
};

export const clusterStatus: Command<typeof statusOptions> = {
  name: 'cluster status',
  summary: 'Shows the nodes of the cluster, their load, and where each generator runs.',
  positionals: NO_POSITIONALS,
  options: statusOptions,
  notes: [
    'Asks the nodes in turn and prints the first answer. Exit codes: 0 a node answered; 1 no node answered (the nodes and leases ' +
      'that NATS stores are printed instead), or the cluster cannot be reached; 2 wrong usage.',
  ],
  examples: [{ title: 'Show the cluster', line: 'spate cluster status --cluster cluster.yml' }],
  run: async (given, context) => {
    const { runStatus } = await import('./runStatus.js');
    return runStatus(given, context);
  },
};
