import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StartDestination } from '../../../conformance/support.js';

export const destination: StartDestination = (folder) => {
  const path = join(folder, 'made/out.log');
  return {
    // 0: the output checks with every write whether its file is still there.
    params: { path: 'made/out.log', flush_interval: 0 },
    arrived: () => readFileSync(path, 'utf8'),
    takeAway: () => {
      rmSync(path);
      mkdirSync(path);
    },
  };
};
