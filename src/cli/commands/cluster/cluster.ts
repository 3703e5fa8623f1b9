import { type Command, type CommandGroup, NO_POSITIONALS } from '../../arguments/command.js';
import { flagOption, integerOption } from '../../arguments/option.js';
import { CLUSTER_OPTION } from '../../arguments/sharedOptions.js';
import { DEFAULT_DRAIN_SECONDS, MAX_DRAIN_SECONDS } from '../limits.js';

export const statusOptions = {
  cluster: CLUSTER_OPTION,
  json: flagOption({ help: 'Print the answer of the node as JSON, as GET /api/cluster does.' }),
};

const clusterStatus: Command<typeof statusOptions> = {
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

export const pushOptions = {
  cluster: CLUSTER_OPTION,
  'dry-run': flagOption({ help: 'Only print what would change.' }),
  delete: flagOption({
    help: 'Remove generator directories from the cluster that GENERATORS_DIR does not have.',
  }),
};

const clusterPush: Command<typeof pushOptions> = {
  name: 'cluster push',
  summary: 'Copies generator directories and a startup list into the cluster.',
  positionals: { usage: 'GENERATORS_DIR STARTUP_FILE', min: 2, max: 2 },
  options: pushOptions,
  notes: [
    'Writes what differs: new and changed directories, then the startup list, then removals. Running nodes apply the changes ' +
      'and restart only the generators concerned. `out/` of each directory is not copied.',
    'A startup list with an error pushes nothing. A directory or list that changes in the cluster during the push is not ' +
      'replaced: the push stops and names it. Run it again to see the new difference.',
    'Exit codes: 0 the cluster has these files; 1 invalid startup list, conflict, or unreachable cluster; 2 wrong usage.',
  ],
  examples: [
    {
      title: 'See what would change',
      line: 'spate cluster push generators settings/startup.yml --cluster cluster.yml --dry-run',
    },
    { title: 'Push', line: 'spate cluster push generators settings/startup.yml --cluster cluster.yml' },
  ],
  run: async (given, context) => {
    // Lazy: other commands load no NATS client.
    const { runPush } = await import('./runPush.js');
    return runPush(given, context);
  },
};

export const drainOptions = {
  cluster: CLUSTER_OPTION,
  'no-wait': flagOption({ help: 'Return at once instead of waiting until the node is empty.' }),
  timeout: integerOption(
    'SECONDS',
    { help: `Maximum time to wait (default ${DEFAULT_DRAIN_SECONDS}).` },
    { min: 1, max: MAX_DRAIN_SECONDS },
  ),
};

const ONE_NODE = { usage: 'NODE', min: 1, max: 1 } as const;

const clusterDrain: Command<typeof drainOptions> = {
  name: 'cluster drain',
  summary: 'Moves all generators of a node to the other nodes.',
  positionals: ONE_NODE,
  options: drainOptions,
  notes: [
    'The node stays in the cluster and answers the API, but takes no generators until spate cluster resume, also after a restart.',
    'Exit codes: 0 the node is empty, with --no-wait: the order is stored; 1 it still holds generators at the timeout, or there ' +
      'is no such node; 2 wrong usage.',
  ],
  examples: [{ title: 'Empty a node', line: 'spate cluster drain node-b --cluster cluster.yml' }],
  run: async (given, context) => {
    const { runDrain } = await import('./runDrain.js');
    return runDrain(given, context);
  },
};

const resumeOptions = { cluster: CLUSTER_OPTION };

export const clusterResume: Command<typeof resumeOptions> = {
  name: 'cluster resume',
  summary: 'Lets a drained node take generators again.',
  positionals: ONE_NODE,
  options: resumeOptions,
  examples: [{ title: 'Use the node again', line: 'spate cluster resume node-b --cluster cluster.yml' }],
  run: async (given, context) => {
    const { runResume } = await import('./runDrain.js');
    return runResume(given, context);
  },
};

const removeOptions = { cluster: CLUSTER_OPTION };

export const clusterRemove: Command<typeof removeOptions> = {
  name: 'cluster remove',
  summary: 'Removes a lost node from the list of nodes.',
  positionals: ONE_NODE,
  options: removeOptions,
  notes: [
    'Lost nodes leave the list by themselves after a day. A node that is not lost is refused; without another node that answers, the ' +
      'command first waits for a lease to see that it is silent. A removed node that comes back joins again.',
  ],
  examples: [{ title: 'Forget a lost node', line: 'spate cluster remove node-b --cluster cluster.yml' }],
  run: async (given, context) => {
    const { runRemove } = await import('./runDrain.js');
    return runRemove(given, context);
  },
};

export const cluster: CommandGroup = {
  name: 'cluster',
  summary: 'Fills, shows and maintains a cluster of nodes.',
  notes: [
    'The commands connect to the NATS servers of the cluster file, with its credentials. They work from any machine that ' +
      'reaches these servers, also while no node runs.',
  ],
  commands: [clusterPush, clusterStatus, clusterDrain, clusterResume, clusterRemove],
};
