import { readFileSync, statSync } from 'node:fs';

/** Larger ones are read by the command alone. */
const MAX_BYTES = 64 * 1024;

/** What `--path` of a command line is given; `null`: nothing. */
const pathIn = (argv: readonly string[]): string | null => {
  const at = argv.findIndex((argument) => argument === '--path' || argument.startsWith('--path='));
  if (at < 0) return null;
  return argv[at] === '--path' ? (argv[at + 1] ?? null) : (argv[at] as string).slice('--path='.length);
};

/**
 * Words that are followed by a colon in the config of a command line, the names of its plugins among them:
 * good for a guess, before there is a parser. None when the file cannot be read, or only once.
 */
export const configKeys = (argv: readonly string[]): readonly string[] => {
  const path = pathIn(argv);
  if (path === null) return [];
  try {
    const stat = statSync(path);
    // Files of the kernel have no size; to read one may take for ever.
    if (!stat.isFile() || stat.size === 0 || stat.size > MAX_BYTES) return [];
    return [...new Set(readFileSync(path, 'utf8').match(/[\w-]+(?=\s*:)/g))];
  } catch {
    return [];
  }
};
