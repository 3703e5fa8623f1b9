/**
 * Joins the programs in dist/ with what they import into few files, because loading a thousand small ones takes longer
 * than everything else a short run does. These files are also all that the npm package has: what they contain is not a
 * dependency of it, and the licenses of that are in a file beside them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { licensesOf } from './licenses.mjs';

/**
 * They take the place of the compiled files of the same names. What is in a row shares files: the threads for long texts
 * and for dead letters load plugins as the pipeline thread does, and each by itself would have all of them once more.
 */
const PROGRAMS = [
  ['src/cli/main.js'],
  ['src/worker.js', 'src/worker/textThread.js', 'src/worker/deadLetters/thread.js'],
  // An isolated process.
  ['src/isolate.js'],
  // What a package of plugins imports.
  ['src/plugins/thirdParty/publicKit.js'],
];
/** Packages that read files beside themselves, or of which a run needs a small part: dependencies of the npm package. */
const NOT_JOINED = ['@swc/wasm-typescript', '@faker-js/faker'];

/**
 * Packages that also come as ES modules, which Node does not find by itself. Joined as CommonJS they would be whole,
 * and each use of a function of theirs a look-up by name: `E.right` of fp-ts alone was 4 % of a template's time.
 */
const asEsModules = (root) => ({
  'fp-ts/lib': 'fp-ts/es6',
  'io-ts': 'io-ts/es6/index.js',
  rxjs: join(root, 'node_modules/rxjs/dist/esm/index.js'),
});

/** CommonJS packages ask for modules of Node by `require`, which ES modules have not. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);";

/** What the command line loads by `import()`, but at every start. */
const AT_EVERY_START = 'src/cli/program.js';

/** Each row by itself: what two use is loaded by each thread anyway, and in one file sooner than in dozens. */
const optionsFor = (root, programs) => ({
  absWorkingDir: join(root, 'dist'),
  entryPoints: programs,
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
  alias: asEsModules(root),
  external: NOT_JOINED.flatMap((name) => [name, `${name}/*`]),
  plugins: [withoutUnusedParsers, withFewerMediaTypes],
  banner: { js: REQUIRE },
  logLevel: 'warning',
});

/**
 * Express brings readers of bodies and of queries, of which we use none (`src/http/body.ts`, and `query parser` is
 * disabled): the former, with the tables of all character sets of the world, were 0.6 of the 1.6 MB that a daemon loaded.
 */
const withoutUnusedParsers = {
  name: 'without-unused-parsers',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]node_modules[\\/](body-parser|qs[\\/]lib)[\\/]index\.js$/ }, () => ({
      contents: '',
    })),
};

/** Media types that no file name leads to say nothing about a file; nor does it help to know that one can be compressed. */
const withFewerMediaTypes = {
  name: 'with-fewer-media-types',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]node_modules[\\/]mime-db[\\/]db\.json$/ }, ({ path }) => {
      const types = Object.entries(JSON.parse(readFileSync(path, 'utf8')))
        .filter(([, { extensions, charset }]) => extensions !== undefined || charset !== undefined)
        .map(([type, { compressible: _, ...kept }]) => [type, kept]);
      return { contents: JSON.stringify(Object.fromEntries(types)), loader: 'json' };
    }),
};

const isOwn = (file) => file.startsWith('src/') || file.startsWith('actors/');

/** Own modules that these need before they run, without themselves. */
const neededBy = (inputs, modules) => {
  const found = new Set(modules);
  for (const file of found)
    for (const { path, kind } of inputs[file].imports)
      if (kind === 'import-statement' && isOwn(path)) found.add(path);
  for (const file of modules) found.delete(file);
  return [...found];
};

/** Own modules that are loaded by `import()`. */
const lateModules = (inputs) =>
  new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.filter(({ path, kind }) => kind === 'dynamic-import' && isOwn(path)).map(({ path }) => path),
    ),
  );

/**
 * esbuild makes a file for each combination of late modules that share something: 48 files to be loaded for
 * `spate --version`. Here each late module also imports what is loaded at every start anyway, so that all of that
 * is shared by the same ones, and is one file.
 */
const sharingTheStart = (dist, inputs, program) => {
  const late = lateModules(inputs);
  const start = neededBy(
    inputs,
    [program, AT_EVERY_START].filter((file) => file === program || late.has(file)),
  );
  const imports = start.map((file) => `import ${JSON.stringify(join(dist, file))};`).join('');
  return {
    name: 'sharing-the-start',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.js$/ }, ({ path }) =>
        late.has(path.slice(dist.length + 1))
          ? { contents: `${readFileSync(path, 'utf8')}\n${imports}` }
          : null,
      );
    },
  };
};

/** The files of programs, not yet written, and which files went into them. */
const joinRow = async (bundle, root, programs) => {
  const options = { ...optionsFor(root, programs), write: false, metafile: true };
  const { metafile } = await bundle(options);
  const sharing = sharingTheStart(options.absWorkingDir, metafile.inputs, programs[0]);
  const { outputFiles, metafile: joined } = await bundle({
    ...options,
    plugins: [...options.plugins, sharing],
  });
  return { outputFiles, inputs: Object.keys(joined.inputs).map((file) => join(root, 'dist', file)) };
};

/** Joins the programs of a compiled tree. Nothing is written before all are read: some import another. */
export const joinPrograms = async (root) => {
  const { build: bundle } = await import('esbuild');
  const joined = await Promise.all(PROGRAMS.map((programs) => joinRow(bundle, root, programs)));
  for (const { path, contents } of joined.flatMap(({ outputFiles }) => outputFiles)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  writeFileSync(join(root, 'dist', 'licenses.txt'), licensesOf(joined.flatMap(({ inputs }) => inputs)));
};
