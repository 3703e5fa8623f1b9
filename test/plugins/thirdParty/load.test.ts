import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import { generatorShape } from '../../../src/plugins/generatorShape.js';
import { installed, installedSpecs } from '../../../src/plugins/installed.js';
import { install, loadedPlugin, loadedSources } from '../../../src/plugins/loaded.js';
import { registry } from '../../../src/plugins/registry.js';
import { runsApart } from '../../../src/plugins/runsApart.js';
import { installPlugins, LOAD_LIMIT_MS, loadPlugins } from '../../../src/plugins/thirdParty/load.js';
import { loadOnDemand, sourcesUsedBy } from '../../../src/plugins/thirdParty/onDemand.js';
import { decode } from '../../../src/schema/index.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { execFileSync } from '../../support/programs.js';

const folder = mkdtempSync(join(tmpdir(), 'spate-plugins-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => install([]));

let files = 0;

/** A file below the folder; a path of its own, because modules are never loaded twice. */
const file = (text: string, path = `plugin${++files}.mjs`): string => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return `./${path}`;
};

const output = (name: string, more = '', kind = 'output'): string =>
  `export default ({ ${kind}Plugin }) => ({
    spec: ${kind}Plugin({ name: '${name}', summary: 'Does nothing.', fields: {}, examples: [], ${more} }),
    ${kind === 'output' ? 'open' : 'build'}: async () => {},
  });`;

const load = (...entries: readonly string[]) =>
  loadPlugins(
    entries.map((entry) => ({ entry, folder })),
    systemClock,
  );

const messageOf = async (...entries: readonly string[]): Promise<string> => {
  const loaded = await load(...entries);
  return E.isLeft(loaded) ? loaded.left.message.replaceAll(folder, '/here') : 'it was loaded';
};

const namesOf = async (...entries: readonly string[]): Promise<readonly string[]> => {
  const loaded = await load(...entries);
  if (E.isLeft(loaded)) throw new Error(loaded.left.message);
  return loaded.right.map(({ plugin: { spec } }) => `${spec.kind} ${spec.name}`);
};

describe('a file that cannot be used', () => {
  test.each([
    ['export default', /^plugin .*: it cannot be loaded: .+\. Correct the file\.$/],
    ['throw new Error("boom");', /it cannot be loaded: boom\. Correct the file/],
    ['export default () => { throw new Error("boom"); };', /it cannot be loaded: boom/],
    ['export default async () => Promise.reject("boom");', /it cannot be loaded: boom/],
    ['import "no-such-package";', /it cannot be loaded: .*no-such-package/],
    ['export const plugin = 1;', /it has no default export\. Export a plugin, or a function/],
    ['export default () => {};', /its default export returned nothing\. Return the plugin/],
    ['export default null;', /it exports something that is no plugin\. Export `\{ spec, open \}`/],
    ['export default [1];', /it exports something that is no plugin/],
    [
      'export default { spec: { kind: "sink", name: "x" }, open() {} };',
      /has the kind "sink"\. Declare it with/,
    ],
    ['export default { spec: {}, open() {} };', /has the kind undefined/],
    [output('no name'), /has the name "no name"\. A name has up to 64 letters/],
    [output('__proto__'), /has the name "__proto__"/],
    [output('x', 'summary: ""'), /has no `summary`/],
    [output('x', 'aliases: "y"'), /has `aliases` that are no list of names/],
    [output('x', 'notes: [1]'), /has `notes` that are no list of texts/],
    [output('x', 'examples: [{}]'), /has no list of `examples`\. Give each a title and params/],
    [output('x', 'rules: 1'), /has `rules` that are no list/],
    [output('x', 'formatter: "xml"'), /has another `formatter` than plain, json or json-batch/],
    [output('x', 'fields: { a: 1 }'), /has a field a that is none\. Make it with `required`/],
    [
      `export default ({ outputPlugin, required, text }) => ({
        spec: outputPlugin({ name: 'x', summary: 'X.', fields: { formatter: required(text(), { help: 'x' }) }, examples: [] }),
        open() {},
      });`,
      /has a field formatter, which every output gets\. Rename it/,
    ],
    [
      'export default { spec: { kind: "input", name: "x", summary: "X.", fields: {}, examples: [] }, build() {} };',
      /was not made with `inputPlugin` of the kit\. Call it/,
    ],
    [output('x').replace('open:', 'build:'), /exports output x without a function `open`\. Add it/],
    [output('http'), /the name of output http is taken: Spate has http\. Rename the plugin/],
    [output('use'), /the name of output use is taken: `use` stands for a destination\. Rename the plugin/],
    [output('x', 'aliases: ["columnar_db"]'), /the name of output x is taken: Spate has clickhouse/],
  ])('%s', async (text, message) => {
    expect(await messageOf(file(text))).toMatch(message);
  });

  test('one that is not there says where it was looked for and what to do', async () => {
    expect(await messageOf('./none.mjs')).toBe(
      'plugin ./none.mjs: /here/none.mjs does not exist. Create it or correct the path.',
    );
    expect(await messageOf('spate-plugin-none')).toBe(
      'plugin spate-plugin-none: no package has this name in /here/node_modules or a folder above. ' +
        'Install it in /here with npm install spate-plugin-none.',
    );
    expect(await messageOf('mine.mjs')).toContain('Write ./mine.mjs for a file');
    expect(await messageOf('a/../b')).toContain('it is neither a path nor the name of a package');
    file('', 'empty/readme');
    expect(await messageOf('./empty')).toContain('/here/empty/package.json cannot be read');
    file('null', 'null/package.json');
    expect(await messageOf('./null')).toContain('/here/null/package.json cannot be read');
    file('', 'pipe/readme');
    execFileSync('mkfifo', [join(folder, 'pipe', 'package.json')]);
    expect(await messageOf('./pipe')).toContain('/here/pipe/package.json cannot be read');
    file('{"exports": "./none.js"}', 'mainless/package.json');
    expect(await messageOf('./mainless')).toContain(
      'the package in /here/mainless has no main file ./none.js',
    );
  });

  test('two files with the same name, or one file twice', async () => {
    const [one, two] = [file(output('twin')), file(output('twin'))];
    expect(await messageOf(one, two)).toContain(`the name of output twin is taken by ${one}`);
    expect(await messageOf(one, one)).toContain(`the name of output twin is taken by ${one}`);
  });

  test('one that hangs is given up', async () => {
    const clock = fakeClock();
    const entry = file('export default () => new Promise(() => {});');
    const loading = loadPlugins([{ entry, folder }], clock);
    let message = '';
    void loading.then((result) => {
      message = E.isLeft(result) ? result.left.message : 'it was loaded';
    });
    // The import itself takes real time.
    while (message === '') {
      await systemClock.yieldTurn();
      await clock.advanceMs(LOAD_LIMIT_MS);
    }
    expect(message).toBe(
      `plugin ${entry}: it was not loaded within 10 s. Connect in \`open\`, not at the top level.`,
    );
  });
});

describe('plugins are found', () => {
  test('in a file, alone or as a list, made with the kit of the call', async () => {
    expect(await namesOf(file(output('alone')))).toEqual(['output alone']);
    const list = `export default async (kit) => ['one', 'two'].map((name) => ({
      spec: kit.inputPlugin({ name, summary: 'Nothing.', fields: {}, examples: [] }), build() {},
    }));`;
    expect(await namesOf(file(list))).toEqual(['input one', 'input two']);
  });

  test('the same name may be used by plugins of two kinds', async () => {
    expect(await namesOf(file(output('kafka', '', 'input')))).toEqual(['input kafka']);
  });

  test.each([
    ['main', { main: 'lib/plugin.mjs' }],
    ['exports', { exports: './lib/plugin.mjs', main: 'other.js' }],
    ['exports with a condition', { exports: { '.': { require: './no.cjs', import: './lib/plugin.mjs' } } }],
    ['exports with nested conditions', { exports: { node: { import: { default: './lib/plugin.mjs' } } } }],
  ])('in a package with %s', async (title, description) => {
    const name = `spate-plugin-${title.replaceAll(' ', '-')}`;
    file(JSON.stringify({ type: 'module', ...description }), `node_modules/${name}/package.json`);
    file(output('packed'), `node_modules/${name}/lib/plugin.mjs`);
    expect(await namesOf(name)).toEqual(['output packed']);
  });

  test('in a package with a scope, and in a folder', async () => {
    file('{"type": "module"}', 'node_modules/@me/out/package.json');
    file(output('scoped'), 'node_modules/@me/out/index.js');
    expect(await namesOf('@me/out', './node_modules/@me/out/../out/index.js').catch(String)).toContain(
      'taken by @me/out',
    );
    expect(await namesOf('./node_modules/@me/out')).toEqual(['output scoped']);
  });
});

describe('installed plugins', () => {
  const CONFIG = {
    input: [{ theirs_in: {} }],
    event: { script: { path: 'a.mjs' } },
    output: [{ stdout: { formatter: { format: 'theirs_format' } } }, { theirs_out: {} }],
  };

  const installAll = async (): Promise<readonly string[]> => {
    const entries = [
      file(output('theirs_in', '', 'input')),
      file(output('theirs_format', '', 'formatter')),
      file(output('theirs_out', 'aliases: ["theirs_alias"]')),
    ];
    const wanted = entries.map((entry) => ({ entry, folder }));
    expect(await installPlugins(wanted, systemClock)).toEqual(E.right(undefined));
    return entries;
  };

  test('are part of configs, schemas and lists, and none of it without them', async () => {
    expect(E.isLeft(decode(generatorShape, CONFIG))).toBe(true);
    await installAll();
    const { shapes } = installed();
    expect(decode(shapes.generator, CONFIG)).toMatchObject({ _tag: 'Right' });
    expect(JSON.stringify(shapes.generator.schema)).toContain('theirs_alias');
    expect(decode(shapes.generatorPatch, { output: CONFIG.output })).toMatchObject({ _tag: 'Right' });
    expect(installedSpecs().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['timer', 'theirs_format']),
    );
    expect((await registry.output('theirs_out')).spec.name).toBe('theirs_out');
    install([]);
    expect(installed().shapes.generator).toBe(generatorShape);
    expect(loadedPlugin('output', 'theirs_out')).toBeNull();
    await expect(registry.output('theirs_out')).rejects.toThrow('no output plugin is named theirs_out');
  });

  test('give their generators a thread of their own', async () => {
    const plain = { ...CONFIG, event: { template: {} } };
    expect(runsApart(plain, false)).toBe(false);
    await installAll();
    expect(runsApart(plain, false)).toBe(true);
    expect(runsApart({ ...plain, input: [{ timer: {} }], output: [{ theirs_alias: {} }] }, false)).toBe(true);
    expect(runsApart({ ...plain, input: [], output: [{ stdout: {} }] }, false)).toBe(false);
  });

  test('load on a thread when a config uses them: one by one, each once', async () => {
    const [input, formatter, out] = await installAll();
    const sources = loadedSources();
    install([]);
    const shown = (): readonly string[] => loadedSources().map((source) => source.shown);
    const { forConfig } = loadOnDemand(sources, systemClock);
    expect(forConfig({ output: [{ stdout: {} }] })).toBeNull();
    await Promise.all([forConfig({ input: [{ theirs_in: {} }] }), forConfig({ input: [{ theirs_in: {} }] })]);
    expect(shown()).toEqual([input]);
    await forConfig({ formatter: { format: 'theirs_format' } });
    expect(shown()).toEqual([input, formatter]);
    expect(forConfig({ input: [{ theirs_in: {} }] })).toBeNull();
    await forConfig(CONFIG);
    expect(shown()).toEqual([input, formatter, out]);
  });

  test('are found in configs with dotted keys', async () => {
    await installAll();
    const sources = loadedSources();
    const used = (config: Parameters<typeof sourcesUsedBy>[0]) => sourcesUsedBy(config, sources).length;
    expect(used({ output: [{ 'theirs_out.path': 'x' }] })).toBe(1);
    expect(used({ output: [{ stdout: { 'formatter.format': 'theirs_format' } }] })).toBe(1);
    expect(used({ output: [{ stdout: null }], input: 'theirs_in', event: ['theirs_out'] })).toBe(0);
  });
});
