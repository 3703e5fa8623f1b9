import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NOW, type Prepare } from '../../../conformance/support.js';

export const prepare: Prepare = (folder) => {
  const lines = Array.from({ length: 20 }, (_, i) => new Date(NOW / 1000 + i * 1000).toISOString());
  writeFileSync(join(folder, 'moments.txt'), lines.join('\n'));
};
