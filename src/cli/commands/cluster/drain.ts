import { CLUSTER_OPTION } from '../../arguments/clusterOption.js';
import type { Command } from '../../arguments/command.js';
import { flagOption, integerOption } from '../../arguments/option.js';
import { DEFAULT_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS } from './limits.js';

export const drainOptions = {
  cluster: CLUSTER_OPTION,
  'no-wait': flagOption({ help: 'Return at once instead of waiting until the node is empty.' }),
  timeout: integerOption(
    'SECONDS',
    { help: `Maximum time to wait (default ${DEFAULT_TIMEOUT_SECONDS}).` },
    { min: 1, max: MAX_TIMEOUT_SECONDS },
  ),
};

const ONE_NODE = { usage: 'NODE', min: 1, max: 1 } as const;

export const clusterDrain: Command<typeof drainOptions> = {
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
