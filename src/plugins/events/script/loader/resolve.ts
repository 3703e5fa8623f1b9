import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

const ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json'] as const;

/** TypeScript imports name the compiled file: `./x.js` may mean `./x.ts`. */
const SOURCES: readonly (readonly [made: RegExp, source: string])[] = [
  [/\.js$/, '.ts'],
  [/\.mjs$/, '.mts'],
  [/\.cjs$/, '.cts'],
];

/** Whether a specifier is a file of the script; others are packages and modules of Node. */
export const isOwn = (specifier: string): boolean =>
  /^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..' || specifier.startsWith('file:');

/** Returns the file of a relative, absolute or `file:` specifier, or null when there is none. */
export const resolveOwn = (specifier: string, importer: string): string | null => {
  const path = specifier.startsWith('file:') ? fileURLToPath(specifier) : specifier.replace(/[?#].*$/s, '');
  const base = resolve(dirname(importer), path);
  const literal = resolve(dirname(importer), specifier);
  const candidates = [
    literal,
    base,
    ...SOURCES.filter(([made]) => made.test(base)).map(([made, source]) => base.replace(made, source)),
    ...ENDINGS.map((ending) => base + ending),
    ...ENDINGS.map((ending) => resolve(base, `index${ending}`)),
  ];
  return candidates.find(isFile) ?? null;
};
