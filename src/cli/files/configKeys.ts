import { readFileSync, statSync } from 'node:fs';

/** Larger configs are read by the command alone. */
const MAX_BYTES = 64 * 1024;

/** The config that a command line names by `--path`, or as its first argument; null when it names none there. */
const pathIn = (argv: readonly string[]): string | null => {
  const at = argv.findIndex((argument) => argument === '--path' || argument.startsWith('--path='));
  const first = argv[3] ?? '-';
  if (at < 0) return first.startsWith('-') ? null : first;
  return argv[at] === '--path' ? (argv[at + 1] ?? null) : (argv[at] as string).slice('--path='.length);
};

/** A folder means its `generator.yml`. */
const fileIn = (path: string): string => (statSync(path).isDirectory() ? `${path}/generator.yml` : path);

/**
 * Guesses the plugins of the config before a parser is loaded: all words before a colon. Empty if the file
 * cannot be read, or is not a regular file.
 */
export const configKeys = (argv: readonly string[]): readonly string[] => {
  const named = pathIn(argv);
  if (named === null) return [];
  try {
    const path = fileIn(named);
    const stat = statSync(path);
    // Kernel files report no size, and reading one may block.
    if (!stat.isFile() || stat.size === 0 || stat.size > MAX_BYTES) return [];
    return [...new Set(readFileSync(path, 'utf8').match(/[\w-]+(?=\s*:)/g))];
  } catch {
    return [];
  }
};
