import { CLUSTER_OPTION } from '../../arguments/clusterOption.js';
import type { Command } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';

export const pushOptions = {
  cluster: CLUSTER_OPTION,
  'dry-run': flagOption({ help: 'Only print what would change.' }),
  delete: flagOption({
    help: 'Remove generator directories from the cluster that GENERATORS_DIR does not have.',
  }),
};

export const clusterPush: Command<typeof pushOptions> = {
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
