/**
 * Rebuilds every generated text from the declarations in the built program; `--check` only compares and
 * names what is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './build.mjs';

const load = (path) => import(pathToFileURL(join(root, 'dist', 'src', path)).href);
const { allSpecs } = await load('plugins/specs.js');
const { pluginReadme, readmePath } = await load('plugins/readme.js');
const { generatorShape } = await load('plugins/generatorShape.js');
const { settingsShape } = await load('config/settings/shape.js');
const { startupEntryShape } = await load('config/startup/startup.js');
const { optionTable, schemaDocument, schemaWithPlaceholders } = await load('schema/index.js');
const { ERRORS } = await load('domain/errors.js');

const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

/** A file with the text between `<!-- NAME -->` and `<!-- /NAME -->` replaced. */
const withBlock = (path, name, text) => {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const old = read(path);
  const [from, to] = [old.indexOf(open), old.indexOf(close)];
  if (from === -1 || to < from) throw new Error(`${path} has no block ${name}`);
  return `${old.slice(0, from + open.length)}\n${text}\n${old.slice(to)}`;
};

const errorRows = Object.entries(ERRORS).map(
  ([code, { status, exit, retryable, meaning }]) =>
    `| \`${code}\` | ${status} | ${exit} | ${retryable ? 'yes' : 'no'} | ${meaning} |`,
);
const errorTable = [
  '| code | HTTP | exit | retryable | meaning |',
  '|---|---|---|---|---|',
  ...errorRows,
].join('\n');

const settingsPage = `# Settings

<!-- Made by \`npm run docs\` from src/config: change that instead. -->

\`spate.yml\` configures an instance, \`startup.yml\` lists its generators. Both take nested keys, dotted keys, or a mixture. Paths are
relative to the folder of the file they stand in, those of generators to \`path.generators_dir\`. A change takes effect at the next start.

## spate.yml

${optionTable(settingsShape.fields)}

## startup.yml

A list; each entry:

${optionTable(startupEntryShape.fields)}
`;

const generated = [
  ...allSpecs().map((spec) => [readmePath(spec), pluginReadme(spec)]),
  [
    'generators/generator.schema.json',
    `${JSON.stringify(schemaDocument('Spate generator', schemaWithPlaceholders(generatorShape.schema)), null, 2)}\n`,
  ],
  ['settings/README.md', settingsPage],
  ['README.md', withBlock('README.md', 'errors', errorTable)],
];

const stale = generated.filter(([path, text]) => read(path) !== text);
if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stderr.write(`${path} is out of date: npm run docs\n`);
  process.exit(stale.length > 0 ? 1 : 0);
}
for (const [path, text] of stale) {
  writeFileSync(join(root, path), text);
  process.stdout.write(`wrote ${path}\n`);
}
