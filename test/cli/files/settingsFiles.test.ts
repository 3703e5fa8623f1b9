import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadSettings, settingsReadBack } from '../../../src/config/settings/settings.js';
import { settingsShape } from '../../../src/config/settings/shape.js';
import { loadStartup } from '../../../src/config/startup/startup.js';
import { parseYaml } from '../../../src/config/yaml/source.js';
import { isJsonObject, type Json } from '../../../src/domain/json.js';
import type { Fields } from '../../../src/schema/index.js';
import { right } from '../../support/either.js';

const folder = join(import.meta.dirname, '..', '..', '..', 'settings');
const settingsFile = join(folder, 'spate.yml');

const textOf = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

/** Every option of a declaration by its dotted name, nested ones only by their parts, without former names. */
const optionNames = (fields: Fields, prefix = ''): readonly string[] =>
  Object.entries(fields)
    .filter(([, { help }]) => !help.startsWith('Former name of '))
    .flatMap(([name, field]) =>
      field.fields === undefined ? [prefix + name] : optionNames(field.fields, `${prefix}${name}.`),
    );

/** Values of a document by their dotted names; an empty object is one. */
const leaves = (value: Json, prefix = ''): readonly (readonly [string, Json])[] =>
  isJsonObject(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, prefix === '' ? key : `${prefix}.${key}`))
    : [[prefix, value]];

/** Options of the shipped file that have another value than their default, or have no default. */
const GIVEN = ['server.host', 'path.logs', 'path.startup', 'path.generators_dir', 'path.keyring_cryptfile'];

test('the settings that come with Spate name every option', async () => {
  const written = right(parseYaml(await textOf('spate.yml'), settingsFile)).value;
  expect(leaves(written).map(([name]) => name)).toEqual(optionNames(settingsShape.fields ?? {}));
});

test('each option there has its default, but for the address and what has none', async () => {
  const written = leaves(right(parseYaml(await textOf('spate.yml'), settingsFile)).value);
  const minimal =
    'server: {}\ngeneration: {}\nlog: {}\npath: {logs: a, startup: b, generators_dir: c, keyring_cryptfile: d}';
  const defaults = new Map(leaves(right(settingsReadBack(minimal, settingsFile))));
  const differing = written
    .filter(([name, value]) => JSON.stringify(defaults.get(name)) !== JSON.stringify(value))
    .map(([name]) => name);
  expect(differing).toEqual(GIVEN);
});

test('they serve only this machine, on relative paths, without credentials', async () => {
  const settings = right(loadSettings(await textOf('spate.yml'), settingsFile));
  expect(settings.server).toMatchObject({ host: '127.0.0.1', port: 9474, accounts: [] });
  expect(settings.path).toMatchObject({
    startup: join(folder, 'startup.yml'),
    generators_dir: join(folder, '..', 'generators'),
    state: join(folder, 'state'),
  });
});

test('the startup list that comes with Spate starts the examples', async () => {
  const { generation, path } = right(loadSettings(await textOf('spate.yml'), settingsFile));
  const list = right(loadStartup(await textOf('startup.yml'), path.startup, generation, path.generators_dir));
  expect(list.rejected).toEqual([]);
  expect(list.warnings).toEqual([]);
  expect(list.entries.map(({ id, scenarios, autostart }) => [id, scenarios, autostart])).toEqual([
    ['access-log', [], true],
    ['shop-orders', ['shop'], true],
    ['shop-fulfilment', ['shop'], true],
  ]);
});
