import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * Files that take more than twenty seconds, the longest first: one that begins last lets the other workers wait. In a
 * fresh clone Jest knows only the sizes of files, which say little.
 */
const LONGEST = [
  'examples/docs',
  'daemon/api/contract',
  'ui/browser/looks',
  'daemon/api/learnMemory',
  'analysis/learn/logs',
  'examples/generators',
  'plugins/tutorial',
  'ui/browser/tabs',
  'faults/redis',
  'cli/incident/incident',
  'ui/browser/incidents',
  'hostile/faultStops',
  'hostile/scripts',
  'ui/browser/cluster',
  'daemon/api/learn',
  'examples/library',
  'adapters/nats/faults',
  'daemon/scale',
  'mcp/http',
  'daemon/api/crud',
  'ui/browser/workbench',
  'hostile/blame',
  'daemon/pythonScripts',
  'ui/browser/overview',
  'daemon/observe',
  'faults/nats',
  'ui/browser/drive',
  'cli/cluster/nodes',
  'cli/keyring/keyring',
  'faults/mqtt',
  'ui/browser/session',
  'cli/generate/partitions',
  'hostile/thirdPartyPlugins',
  'cli/verify/clickhouse',
  'daemon/seam',
  'daemon/partitions/daemon',
  'faults/postgresql',
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
