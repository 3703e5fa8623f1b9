import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prepare } from '../../../conformance/support.js';

export const prepare: Prepare = (folder) => {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const two = (value: number): string => String(value).padStart(2, '0');
  const lines = Array.from(
    { length: 30 },
    (_, i) => `1.2.3.4 - - [05/Jan/2026:08:00:${two(i)} +0000] "GET /${i}"`,
  );
  writeFileSync(join(folder, 'access.log'), `${lines.join('\n')}\n`);
  for (const name of ['a', 'b']) {
    const records = Array.from(
      { length: 9 },
      (_, i) => `2026-01-05 08:00:${two(i * 3)},250 ${name}${i}\n  at x\n`,
    );
    writeFileSync(join(folder, 'logs', `${name}.log`), records.join(''));
  }
};
