/**
 * Compiles src/ and actors/ into dist/ when a source has changed since the last build, then joins the programs
 * there (`join.mjs`). Needs nothing but Node and the installed packages. Run by `npm run build` and, after an
 * install, by `prepare`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { joinPrograms } from './join.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.sources');
const entry = join(root, 'dist', 'src', 'cli', 'main.js');

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath ?? item.path, item.name));

/** Digest of everything the build reads. */
const digestOfSources = () => {
  const hash = createHash('sha256');
  const inputs = [
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.types.json',
    '.ci/build.mjs',
    '.ci/join.mjs',
  ].map((file) => join(root, file));
  for (const file of [...inputs, ...filesBelow('src'), ...filesBelow('actors')].sort()) {
    hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
};

export const build = async () => {
  const digest = digestOfSources();
  if (existsSync(stamp) && existsSync(entry) && readFileSync(stamp, 'utf8') === digest) return 0;
  const compiler = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  if (!existsSync(compiler)) {
    if (existsSync(entry)) return 0;
    process.stderr.write('spate: no compiler to build with: run `npm ci` (not with --omit=dev) first\n');
    return 1;
  }
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  // The second: types of the package export `spate/plugin`.
  for (const project of ['tsconfig.build.json', 'tsconfig.types.json']) {
    const { status } = spawnSync(process.execPath, [compiler, '-p', project], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) return status ?? 1;
  }
  await joinPrograms(root);
  mkdirSync(dirname(stamp), { recursive: true });
  chmodSync(entry, 0o755);
  writeFileSync(stamp, digest);
  return 0;
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(await build());
