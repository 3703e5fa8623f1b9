/**
 * Compiles src/ and actors/ into dist/ when a source has changed since the last build, then joins the two
 * programs (command line, pipeline thread) with what they import into few files, because loading a thousand
 * small ones takes longer than everything else a short run does. Needs nothing but Node and the installed
 * packages. Run by `npm run build` and, after an install, by `prepare`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, 'dist', '.sources');
const entry = join(root, 'dist', 'src', 'cli', 'main.js');

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath ?? item.path, item.name));

/** The two programs; they take the place of the compiled files of the same names. */
const PROGRAMS = ['src/cli/main.js', 'src/worker.js'];
/** Packages that read files beside themselves, or of which a run needs a small part. */
const NOT_JOINED = ['@swc/wasm-typescript', '@faker-js/faker'];

/**
 * Packages that also come as ES modules, which Node does not find by itself. Joined as CommonJS they would be whole,
 * and each use of a function of theirs a look-up by name: `E.right` of fp-ts alone was 4 % of a template's time.
 */
const AS_ES_MODULES = {
  'fp-ts/lib': 'fp-ts/es6',
  'io-ts': 'io-ts/es6/index.js',
  rxjs: join(root, 'node_modules/rxjs/dist/esm/index.js'),
};

/** CommonJS packages ask for modules of Node by `require`, which ES modules have not. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);";

/** Each program by itself: what both use is loaded by each thread anyway, and in one file sooner than in dozens. */
const joined = (program) => ({
  absWorkingDir: join(root, 'dist'),
  entryPoints: [program],
  outdir: '.',
  outbase: '.',
  // Beside the folders of dist/src, so that paths relative to a file of such a folder stay what they are.
  chunkNames: 'src/joined/[name]-[hash]',
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Less to read at every start; names stay, and SPATE_DEBUG=1 shows places by the source maps.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  alias: AS_ES_MODULES,
  external: NOT_JOINED.flatMap((name) => [name, `${name}/*`]),
  banner: { js: REQUIRE },
  logLevel: 'warning',
});

const joinPrograms = async () => {
  const { build: bundle } = await import('esbuild');
  await Promise.all(PROGRAMS.map((program) => bundle(joined(program))));
};

/** Digest of everything the build reads. */
const digestOfSources = () => {
  const hash = createHash('sha256');
  const inputs = ['package.json', 'tsconfig.json', 'tsconfig.build.json', '.ci/build.mjs'].map((file) =>
    join(root, file),
  );
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
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) return status ?? 1;
  await joinPrograms();
  mkdirSync(dirname(stamp), { recursive: true });
  chmodSync(entry, 0o755);
  writeFileSync(stamp, digest);
  return 0;
};

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(await build());
