import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { execFileSync } from '../support/programs.js';
import { ROOT } from '../support/sources.js';

test.each([
  'src/cli/main.ts',
  'src/host/startWorker.ts',
  'src/worker.ts',
  'src/plugins/shared/linearEngine.ts',
])('the engine knows the flags that %s sets: it would only print an error', (file) => {
  const flags = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/setFlagsFromString\('([^'=]+)/g)];
  expect(flags).not.toHaveLength(0);
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const [, flag] of flags) expect(known).toContain((flag as string).replace(/^--no-/, '--'));
});
