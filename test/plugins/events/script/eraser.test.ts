import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { execFileSync } from '../../../support/programs.js';

/** The built modules in their own process, to measure its memory. */
const MODULE = pathToFileURL(
  join(process.cwd(), 'dist', 'src', 'plugins', 'events', 'script', 'loader', 'source.js'),
).href;

const PROGRAM = `
import { createRequire } from 'node:module';
const { withoutTypes } = await import(${JSON.stringify(MODULE)});
const collected = async () => {
  // What has a finalizer goes with the collection after it.
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  const { external, heapUsed } = process.memoryUsage();
  return { external, heapUsed };
};
const before = await collected();
const codes = [];
const after = [];
for (let i = 0; i < 3; i++) {
  codes.push(withoutTypes('const a: number = ' + i, 'a.ts', 'a.ts'));
  codes.push(withoutTypes('let b: string', 'b.ts', 'b.ts'));
  after.push(await collected());
}
console.log(JSON.stringify({ before, after, codes, kept: Object.keys(createRequire(import.meta.url).cache) }));
`;

test('the eraser of types gives its memory back after use, and is there again for the next script', () => {
  const out = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', PROGRAM], {
    encoding: 'utf8',
  });
  const { before, after, codes, kept } = JSON.parse(out) as {
    readonly before: { readonly external: number; readonly heapUsed: number };
    readonly after: readonly { readonly external: number; readonly heapUsed: number }[];
    readonly codes: readonly string[];
    readonly kept: readonly string[];
  };
  expect(codes).toEqual([0, 1, 2].flatMap((value) => [`const a         = ${value}`, 'let b        ']));
  // Its program is 2.8 MB, its text 3.7 MB, the memory that it works in more than either.
  for (const { external, heapUsed } of after) {
    expect(external - before.external).toBeLessThan(1_000_000);
    expect(heapUsed - before.heapUsed).toBeLessThan(1_500_000);
  }
  expect(kept).toEqual([]);
});
