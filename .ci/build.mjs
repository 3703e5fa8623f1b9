/**
 * Compiles src/ and actors/ into dist/ when a source has changed since the last build, then joins the programs
 * there (`join.mjs`). Needs nothing but Node and the installed packages. Run by `npm run build`, and by the script
 * `dependencies` after npm has installed them in a clone: unlike `prepare`, it is no script of an installed package.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { helpSources } from './help.mjs';
import { joinPrograms } from './join.mjs';
import { buildUi } from './ui.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const entry = join(dist, 'src', 'cli', 'main.js');

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath ?? item.path, item.name));

const isUi = (file) => file.startsWith(join(root, 'src', 'ui'));

/** Digest of files, the same wherever the folder of the repository is. */
const digestOf = (files) => {
  const hash = createHash('sha256');
  for (const file of [...files].sort())
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
};

const inRoot = (...names) => names.map((name) => join(root, name));

/** The program that runs Python scripts is not compiled. */
const copyPython = () => {
  for (const file of filesBelow('src').filter((name) => name.endsWith('.py'))) {
    const copy = join(dist, relative(root, file));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
  }
};

/** Compiles and joins the programs. */
const buildPrograms = async () => {
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  for (const folder of ['src', 'actors']) rmSync(join(dist, folder), { recursive: true, force: true });
  // The second: types of the package export `spate-events/plugin`.
  for (const project of ['tsconfig.build.json', 'tsconfig.types.json']) {
    const { status } = spawnSync(process.execPath, [compiler, '-p', project], {
      cwd: root,
      stdio: 'inherit',
    });
    if (status !== 0) return status ?? 1;
  }
  copyPython();
  await joinPrograms(root);
  chmodSync(entry, 0o755);
  const { status, stdout } = spawnSync(process.execPath, [entry, 'man'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) return status ?? 1;
  writeFileSync(join(dist, 'spate.1'), stdout);
  return 0;
};

/** What is built, from what, and where its stamp is: the digest of its sources. */
const PARTS = [
  {
    stamp: join(dist, '.sources'),
    made: entry,
    sources: () => [
      ...inRoot(
        'package.json',
        'tsconfig.json',
        'tsconfig.build.json',
        'tsconfig.types.json',
        '.ci/build.mjs',
        '.ci/join.mjs',
        '.ci/licenses.mjs',
      ),
      ...[...filesBelow('src'), ...filesBelow('actors')].filter((file) => !isUi(file)),
    ],
    build: buildPrograms,
  },
  {
    stamp: join(dist, '.ui-sources'),
    made: join(dist, 'ui', 'index.html'),
    sources: () => [
      ...inRoot(
        'package.json',
        'tsconfig.json',
        '.ci/ui.mjs',
        '.ci/help.mjs',
        '.ci/language.mjs',
        '.ci/licenses.mjs',
        ...helpSources(root),
      ),
      ...[
        ...['src/ui', 'src/config', 'src/contract', 'src/schema', 'src/domain', 'src/incidents'],
        // Parameters of functions, for the editor.
        'src/template/modules',
      ].flatMap(filesBelow),
    ],
    build: async () => {
      await buildUi(root);
      return 0;
    },
  },
];

export const build = async () => {
  for (const { stamp, made, sources, build: make } of PARTS) {
    const digest = digestOf(sources());
    if (existsSync(stamp) && existsSync(made) && readFileSync(stamp, 'utf8') === digest) continue;
    if (!existsSync(join(root, 'node_modules', 'vite'))) {
      if (existsSync(made)) continue;
      process.stderr.write('spate: no compiler to build with: run `npm ci` (not with --omit=dev) first\n');
      return 1;
    }
    // A build that fails leaves files that no stamp may vouch for.
    rmSync(stamp, { force: true });
    const status = await make();
    if (status !== 0) return status;
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, digest);
  }
  return 0;
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(await build());
