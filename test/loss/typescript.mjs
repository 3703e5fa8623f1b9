/** Hooks of Node that load TypeScript: types are removed, and `./x.js` is `./x.ts` where only that is there. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

export const resolve = (specifier, context, next) => {
  if (!specifier.startsWith('.') || !specifier.endsWith('.js')) return next(specifier, context);
  const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
  return existsSync(fileURLToPath(url)) ? { url: url.href, shortCircuit: true } : next(specifier, context);
};

export const load = async (url, context, next) => {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcefile: fileURLToPath(url),
    sourcemap: 'inline',
  });
  return { format: 'module', source: code, shortCircuit: true };
};
