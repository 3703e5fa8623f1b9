import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prepare } from '../../../conformance/support.js';

export const prepare: Prepare = (folder, { path }) => {
  const lines = Array.from({ length: 20 }, (_, i) => `2024-03-01 10:00:${10 + i} INFO line ${i}\n`);
  writeFileSync(join(folder, String(path)), lines.join(''));
};
