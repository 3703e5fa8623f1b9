import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from '../programs.js';

const CACHE = join(tmpdir(), 'spate-test-packages');
const LIBRARIES = [
  'usr/lib/x86_64-linux-gnu',
  'lib/x86_64-linux-gnu',
  'usr/lib/aarch64-linux-gnu',
  'lib/aarch64-linux-gnu',
];

const download = (folder: string, packages: readonly string[]): void => {
  const work = fs.mkdtempSync(join(CACHE, 'new-'));
  const quiet = { cwd: work, stdio: 'ignore' as const };
  execFileSync('apt-get', ['download', ...packages], quiet);
  for (const name of fs.readdirSync(work).filter((file) => file.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', name, 'root'], quiet);
  }
  try {
    fs.renameSync(join(work, 'root'), folder);
  } catch {
    // Another process was faster.
  }
  fs.rmSync(work, { recursive: true, force: true });
};

/**
 * Folder with the files of Debian packages that cannot or need not be installed; `null`: they are not there, and
 * SPATE_TEST_INSTALL is not 1 or there is no network.
 */
export const unpacked = (name: string, packages: readonly string[]): string | null => {
  const folder = join(CACHE, name);
  if (fs.existsSync(folder)) return folder;
  if (process.env['SPATE_TEST_INSTALL'] !== '1') return null;
  try {
    fs.mkdirSync(CACHE, { recursive: true });
    download(folder, packages);
  } catch {
    // Tests that need it are skipped and say so.
  }
  return fs.existsSync(folder) ? folder : null;
};

/** Folders of shared libraries in an unpacked root. */
export const librariesIn = (root: string): readonly string[] =>
  LIBRARIES.map((path) => join(root, path)).filter((path) => fs.existsSync(path));
