import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prepare } from '../../../conformance/support.js';

export const prepare: Prepare = (folder) =>
  writeFileSync(join(folder, 'load.csv'), 'hour,factor\n3,1\n10,9\n14,7\n15.5,8\n20,3\n');
