import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { type TestFile, testFileShape } from '../../../analysis/expect/format.js';
import { invalid } from '../../../config/report.js';
import { type Expanded, readDocument } from '../../../config/yaml/document.js';
import { locateIssues } from '../../../config/yaml/source.js';
import { failure, type Issue, type Result } from '../../../domain/errors.js';
import { decode } from '../../../schema/index.js';
import { filesAt, type NamedFile } from '../../files/namedFiles.js';

const CONFIG_NAMES = ['generator.yml', 'generator.yaml'];
const TESTS = 'tests';
/** A file in a folder `tests`. */
const TEST_FILE = /(?:^|\/)tests\/[^/]+\.ya?ml$/;
const DIRECT_FILE = /^[^/]+\.ya?ml$/;

export interface FoundTest {
  readonly path: string;
  /** Path as the user wrote it. */
  readonly shown: string;
  /** Absolute path of the generator config. */
  readonly config: string;
  /** Folder of the generator, as shown. */
  readonly generator: string;
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() === true;

const configIn = async (folder: string): Promise<string | null> => {
  for (const name of CONFIG_NAMES) if (await isFile(join(folder, name))) return join(folder, name);
  return null;
};

/** Folder of the generator of a tests file: the one above `tests`, else that of the file. */
const folderOf = (path: string): string => {
  const folder = dirname(path);
  return basename(folder) === TESTS ? dirname(folder) : folder;
};

const found = async ({ path, shown }: NamedFile): Promise<FoundTest | null> => {
  const config = await configIn(folderOf(path));
  return config === null ? null : { path, shown, config, generator: folderOf(shown) };
};

/**
 * Returns the tests of a path, which names a tests file, a generator config, a folder `tests`, or a folder to search.
 * Returns an error when nothing is there.
 */
export const testsAt = async (shown: string, cwd: string): Promise<Result<readonly FoundTest[]>> => {
  const absolute = resolve(cwd, shown);
  const isConfig = CONFIG_NAMES.includes(basename(absolute));
  const start = isConfig ? join(dirname(shown), TESTS) : shown;
  const isTests = basename(resolve(cwd, start)) === TESTS;
  const files = await filesAt(start, cwd, isTests ? DIRECT_FILE : TEST_FILE);
  if (E.isLeft(files)) return files;
  const tests: FoundTest[] = [];
  for (const file of [...files.right].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const test = await found(file);
    if (test !== null) tests.push(test);
    else if (file.isNamed)
      return E.left(
        failure(
          'not_found',
          `${file.shown}: there is no generator.yml in ${folderOf(file.shown)}. Put tests into a folder tests beside it.`,
        ),
      );
  }
  return E.right(tests);
};

/** Decodes a tests file. Returns an error with every problem, by line and column, when it is invalid. */
export const testOf = (
  text: string,
  shown: string,
): Result<{ readonly test: TestFile; readonly document: Expanded }> =>
  E.flatMap((document: Expanded) =>
    E.bimap(
      (issues: readonly Issue[]) => invalid(shown, locateIssues(document.source, issues)),
      (test: TestFile) => ({ test, document }),
    )(decode(testFileShape, document.value)),
  )(readDocument(text, shown, testFileShape));
