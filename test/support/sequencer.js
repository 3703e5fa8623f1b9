import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * Files that take more than fifteen seconds, the longest first: one that begins last lets the other workers wait. In a
 * fresh clone Jest knows only the sizes of files, which say little.
 */
const LONGEST = [
  'examples/docs',
  'daemon/api/contract',
  'daemon/api/learnMemory',
  'ui/browser/looks',
  'analysis/learn/logs',
  'examples/generators',
  'daemon/api/crud',
  'hostile/faultStops',
  'plugins/tutorial',
  'ui/browser/tabs',
  'faults/redis',
  'hostile/scripts',
  'ui/browser/incidents',
  'examples/siemPage',
  'package/deb',
  'cli/incident/incident',
  'daemon/api/learn',
  'adapters/nats/faults',
  'world/world',
  'daemon/observe',
  'faults/mqtt',
  'faults/clickhouse',
  'plugins/events/script/script',
  'adapters/keyring/file',
  'cluster/hostile',
  'daemon/pythonScripts',
  'faults/nats',
  'daemon/scale',
  'hostile/blame',
  'cli/importEventum',
  'cli/keyring/processes',
  'ui/browser/workbench',
  'examples/library',
  'daemon/seam',
  'cli/cluster/nodes',
  'daemon/delivery/deadLetterResend',
  'daemon/partitions/daemon',
  'cli/keyring/keyring',
  'ui/browser/overview',
  'ui/browser/learn',
  'ui/browser/cluster',
  'mcp/journey',
  'cli/generate/partitions',
  'template/randomTrees',
  'hostile/thirdPartyPlugins',
  'cli/verify/clickhouse',
  'faults/postgresql',
  'ui/browser/drive',
  'ui/browser/session',
].map((name) => `test/${name}.test.ts`);

/** Jest's order, the longest files before all others. */
export default class extends Sequencer {
  sort(tests) {
    const rankOf = ({ path, context }) => {
      const rank = LONGEST.indexOf(relative(context.config.rootDir, path).replaceAll('\\', '/'));
      return rank === -1 ? LONGEST.length : rank;
    };
    return [...super.sort([...tests])].sort((a, b) => rankOf(a) - rankOf(b));
  }
}
