import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { unreadGlobals } from '../../src/worker/check/globals.js';
import { writeFiles } from '../support/library.js';

const config = (event: string): string =>
  `input: [static: {count: 1}]\nevent: {${event}}\noutput: [stdout: {}]\n`;

const OF_SCRIPT = config('script: {path: p.mjs}');
const HELPER = 'export const knob = (globals, key) => globals.get(key, 1);\n';
const HANDS_ON =
  "import { knob } from './knob.js';\nexport const produce = ({ globals }) => `${knob(globals, 'sale_share')}`;\n";

/** What is said about a global, by the files of the generator `g`. */
const saysOf = async (key: string, files: Readonly<Record<string, string>>) => {
  const folder = await mkdtemp(join(tmpdir(), 'spate-globals-'));
  try {
    await writeFiles(folder, files);
    const { unread } = await unreadGlobals([key], [join(folder, 'g', 'generator.yml')]);
    return unread.get(key) ?? null;
  } finally {
    await rm(folder, { recursive: true });
  }
};

const handingOn = { 'g/generator.yml': OF_SCRIPT, 'g/p.mjs': HANDS_ON, 'g/knob.js': HELPER };

describe('a global that the input of a world reads', () => {
  const template =
    'event: {template: {mode: activity, templates: [{a: {template: a.jinja, kinds: [logon]}}]}}\n';
  const files = {
    'g/generator.yml': `input: [world: {kinds: [logon]}]\n${template}output: [stdout: {}]\n`,
    'g/a.jinja': '{{ activity.kind }}\n',
  };

  test.each(['anomaly', 'people_factor', 'outside_factor'])(
    'needs no template that reads it: %s',
    async (key) => {
      expect(await saysOf(key, files)).toBeNull();
      const { 'g/a.jinja': text } = files;
      const alone = {
        'g/generator.yml': config('template: {mode: all, templates: [{a: {template: a.jinja}}]}'),
        'g/a.jinja': text,
      };
      expect(await saysOf(key, alone)).toEqual({ isCertain: true, hint: null });
    },
  );
});

describe('a global that a script with helpers', () => {
  test.each([
    ['misspells is near the name that was meant', 'sale_shrae', "Did you mean 'sale_share'?"],
    ['does not know is near nothing', 'wind', null],
  ])('%s', async (_, key, hint) => {
    expect(await saysOf(key, handingOn)).toEqual({ isCertain: false, hint });
  });

  test.each([
    ['names in its own text', 'sale_share', {}],
    [
      'names in an import of an import',
      'deep',
      { 'g/knob.js': "import './deep.js';\n", 'g/deep.js': "export const k = 'deep';\n" },
    ],
    [
      'names in a folder beside its own',
      'far',
      {
        'g/knob.js': "export * from '../lib/far.ts';\n",
        'lib/far.ts': 'export const K = { far: 1 } as const;\n',
      },
    ],
    [
      'names in an imported JSON file',
      'in_json',
      { 'g/knob.js': "import k from './k.json' with { type: 'json' };\n", 'g/k.json': '{"in_json": 1}' },
    ],
    ['names in its config', 'in_config', { 'g/generator.yml': `${OF_SCRIPT}# in_config\n` }],
    [
      'builds from a prefix',
      'rate_eu',
      { 'g/knob.js': 'export const knob = (globals, key) => globals.get(`rate_${key}`);\n' },
    ],
    [
      'builds from an end',
      'eu_rate',
      { 'g/knob.js': "export const knob = (globals, key) => globals.get(key + '_rate');\n" },
    ],
    [
      'may find among all',
      'any',
      { 'g/knob.js': 'export const knob = (globals) => Object.values(globals.snapshot());\n' },
    ],
    [
      'may find in a file known at run time',
      'any',
      { 'g/knob.js': 'export const knob = async (file) => import(file);\n' },
    ],
    ['may find in a file that is missing', 'any', { 'g/knob.js': "import './none.js';\n" }],
  ])('%s is fine', async (_, key, files) => {
    expect(await saysOf(key, { ...handingOn, ...files })).toBeNull();
  });

  test('of Python does not know has a warning, also when another file names one like it', async () => {
    const files = {
      'g/generator.yml': config('script: {path: p.py}'),
      'g/p.py': "from knobs import knob\ndef produce(params):\n    return str(knob(params['globals']))\n",
      'g/knobs.py': "def knob(g):\n    return g['sale_share']\n",
    };
    expect(await saysOf('sale_share', files)).toBeNull();
    expect(await saysOf('sale_shrae', files)).toEqual({
      isCertain: false,
      hint: "Did you mean 'sale_share'?",
    });
  });
});

describe('a global of templates', () => {
  const files = (template: string) => ({
    'g/generator.yml': config('template: {mode: all, templates: [{a: {template: a.jinja}}]}'),
    'g/a.jinja': template,
  });

  test('that none reads is certain', async () => {
    expect(await saysOf('sael', files("{{ globals.get('sale') }}"))).toEqual({
      isCertain: true,
      hint: "Did you mean 'sale'?",
    });
  });

  test('that none mentions is not, when macros get all of them', async () => {
    const handingOn = "{% macro m(g, key) %}{{ g[key] }}{% endmacro %}{{ m(globals, 'sale') }}";
    expect(await saysOf('sale', files(handingOn))).toBeNull();
    expect(await saysOf('sael', files(handingOn))).toEqual({
      isCertain: false,
      hint: "Did you mean 'sale'?",
    });
  });
});
