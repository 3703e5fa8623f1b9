/**
 * Builds the web UI from src/ui into dist/ui: hashed files, compressed, so that the service sends them as they
 * are. `npm run dev` serves it with hot reload instead, in front of a running daemon.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { writeHelp } from './help.mjs';
import { builtReference } from './language.mjs';
import { licensesOf } from './licenses.mjs';

/** Smaller files are not worth a header. */
const MIN_BYTES = 1024;

/**
 * What takes the place of modules that only run in Node: a browser gets the declarations of plugins without their
 * behavior, and the packages that those use as parts of the bundle.
 */
const IN_BROWSER = [
  [
    /\/src\/plugins\/loaders\.ts$/,
    'export const LOADERS = { input: {}, event: {}, output: {}, formatter: {} };',
  ],
  [
    /\/src\/plugins\/shared\/lateRequire\.ts$/,
    `import * as chrono from 'chrono-node/en';
     import * as cron from 'cron-parser';
     const PACKAGES = { 'chrono-node/en': chrono, 'cron-parser': cron };
     export const lateRequire = (name) => () => PACKAGES[name];`,
  ],
];

const inBrowser = {
  name: 'in-browser',
  load: (id) => IN_BROWSER.find(([file]) => file.test(id))?.[1] ?? null,
};

/** The rows of the API by what a browser needs of them: their texts are for the OpenAPI document. */
const rowsOf = async (root) => {
  const at = (name) => import(pathToFileURL(join(root, 'dist', 'src', `${name}.js`)).href);
  const [{ makeRoutes }, { AUTH_ROUTES }, { record }] = await Promise.all(
    ['contract/routes', 'contract/routes/auth', 'schema/index'].map(at),
  );
  const short = (rows) => JSON.stringify(rows.map(({ id, method, path }) => ({ id, method, path })));
  return [
    [
      /\/src\/contract\/routes\.ts$/,
      `export const makeRoutes = () => ${short(makeRoutes(new Proxy({}, { get: () => record({}) })))};`,
    ],
    [/\/src\/contract\/routes\/auth\.ts$/, `export const AUTH_ROUTES = ${short(AUTH_ROUTES)};`],
  ];
};

const shortRows = (root) => {
  const rows = rowsOf(root);
  return {
    name: 'short-rows',
    load: async (id) => (await rows).find(([file]) => file.test(id))?.[1] ?? null,
  };
};

/** A file with the licenses of the packages in the bundle; fonts are no modules, but files that styles name. */
const withLicenses = (root) => ({
  name: 'with-licenses',
  generateBundle(_options, bundle) {
    const named = Object.values(bundle).flatMap(({ originalFileNames = [] }) => originalFileNames);
    this.emitFile({
      type: 'asset',
      fileName: 'licenses.txt',
      source: licensesOf([
        ...[...this.getModuleIds()].map((id) => id.replace(/^\0/, '')),
        ...named.map((name) => resolve(root, 'src', 'ui', name)),
      ]),
    });
  },
});

const configOf = async (root) => {
  const { default: react } = await import('@vitejs/plugin-react');
  return {
    configFile: false,
    root: join(root, 'src', 'ui'),
    base: '/',
    logLevel: 'warn',
    clearScreen: false,
    plugins: [react(), inBrowser, shortRows(root), withLicenses(root)],
    worker: { format: 'es' },
    build: {
      outDir: join(root, 'dist', 'ui'),
      emptyOutDir: true,
      target: 'es2022',
      // Data addresses would need a hole in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1024,
    },
  };
};

const compress = (folder) => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    if (bytes.length < MIN_BYTES || !/\.(js|css|svg|json)$/.test(name)) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    // One more takes three times as long for 2 % less.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    // The service makes it of the others for a client that takes neither.
    rmSync(path);
  }
};

/** Where `src/ui/pages/help/files.ts` finds the help, and the editor what templates and scripts can use. */
const helpFolder = (root) => join(root, 'dist', 'help');

const writeTexts = async (root) => {
  await writeHelp(root, helpFolder(root));
  writeFileSync(join(helpFolder(root), 'language.json'), JSON.stringify(await builtReference(root)));
};

export const buildUi = async (root) => {
  await writeTexts(root);
  const { build } = await import('vite');
  await build(await configOf(root));
  compress(join(root, 'dist', 'ui', 'assets'));
  // It is among the assets now.
  rmSync(helpFolder(root), { recursive: true });
};

/** A server of the UI with hot reload; requests to the API go to `target`. */
export const devServer = async (root, target, options = {}) => {
  const { createServer } = await import('vite');
  await writeTexts(root);
  const config = await configOf(root);
  // The modules of src/ui/api have addresses below /api, too.
  const isModule = ({ url }) => existsSync(join(config.root, new URL(url, 'http://ui').pathname));
  const bypass = (request) => (isModule(request) ? request.url : undefined);
  return createServer({
    ...config,
    ...options,
    server: {
      port: 5174,
      fs: { allow: [root] },
      proxy: { '/api': { target, ws: true, bypass } },
      ...options.server,
    },
  });
};

/** Serves the UI with hot reload; requests to the API go to `target`. */
export const serveUi = async (root, target) => {
  const server = await devServer(root, target, { logLevel: 'info' });
  await server.listen();
  server.printUrls();
};
