import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackPackages } from '../../../.ci/debianPackages.mjs';

const CACHE = join(tmpdir(), 'spate-test-packages');
const LIBRARIES = [
  'usr/lib/x86_64-linux-gnu',
  'lib/x86_64-linux-gnu',
  'usr/lib/aarch64-linux-gnu',
  'lib/aarch64-linux-gnu',
];

/**
 * Folder with the files of Debian packages that cannot or need not be installed, of the suite of this machine unless
 * another one is named. Null when they are not there, and SPATE_TEST_INSTALL is not 1 or there is no network.
 */
export const unpacked = (
  name: string,
  packages: readonly string[],
  suite: string | null = null,
): string | null => {
  const folder = join(CACHE, name);
  if (fs.existsSync(folder)) return folder;
  if (process.env['SPATE_TEST_INSTALL'] !== '1') return null;
  try {
    unpackPackages(folder, packages, suite);
  } catch {
    // Tests that need it are skipped and say so.
  }
  return fs.existsSync(folder) ? folder : null;
};

/** Folders of shared libraries in an unpacked root. */
export const librariesIn = (root: string): readonly string[] =>
  LIBRARIES.map((path) => join(root, path)).filter((path) => fs.existsSync(path));
