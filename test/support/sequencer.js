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
  'examples/generators',
  'learn/logs',
  'ui/browser/tabs',
  'plugins/tutorial',
  'ui/browser/incidents',
  'hostile/faultStops',
  'hostile/scripts',
  'adapters/nats/faults',
  'daemon/api/learn',
  'examples/library',
  'daemon/scale',
  'ui/browser/cluster',
  'hostile/blame',
  'faults/redis',
  'cli/scenario/scenario',
  'ui/browser/workbench',
  'faults/nats',
  'pipeline/clocksAndSilences',
  'daemon/partitions/daemon',
  'faults/mqtt',
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
