/** Refuses a web UI whose first page loads more script than a slow connection should wait for. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.mjs';

/** Compressed, as a browser gets it. */
const MAX_BYTES = 230_000;

const folder = join(root, 'dist', 'ui');
const page = readFileSync(join(folder, 'index.html'), 'utf8');
const scripts = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name);
// Tiny files are sent as they are.
const sizeOf = (name) =>
  (statSync(join(folder, `${name}.br`), { throwIfNoEntry: false }) ?? statSync(join(folder, name))).size;
const bytes = scripts.reduce((sum, name) => sum + sizeOf(name), 0);
process.stdout.write(`the first page loads ${bytes} bytes of script, at most ${MAX_BYTES}\n`);
if (scripts.length === 0 || bytes > MAX_BYTES) process.exit(1);
