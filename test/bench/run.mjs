/**
 * `npm run bench [-- CASE...]`: runs benchmark cases against the built program and prints what they
 * measured as JSON. A case fails on wrong results, never on time.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'cases');
const all = readdirSync(folder).map((file) => file.replace(/\.mjs$/, ''));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`no such case: ${unknown.join(', ')}; there are ${all.join(', ')}\n`);
  process.exit(2);
}
let failed = 0;
for (const name of wanted.length > 0 ? wanted : all) {
  const { run } = await import(join(folder, `${name}.mjs`));
  process.stderr.write(`${name} ...\n`);
  const { problems, ...report } = await run();
  process.stdout.write(`${JSON.stringify({ case: name, ...report }, null, 2)}\n`);
  for (const problem of problems) process.stderr.write(`${name}: ${problem}\n`);
  failed += problems.length;
}
process.exit(failed > 0 ? 1 : 0);
