import { describe, expect, test } from '@jest/globals';
import { loadGenerator, patchDefinition } from '../../../src/config/generator/config.js';
import { destinationErrors } from '../../../src/config/generator/destinations.js';
import { paramIssues } from '../../../src/config/generator/given.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { installed } from '../../../src/plugins/installed.js';
import { filesOf, left, paramsOf, right, secretsOf } from '../support.js';

const shape = installed().shapes.generator;
const CONFIG = '/g/generators/web/generator.yml';
const REST = 'input: [static: {count: 1}]\nevent: {replay: {path: x.log}}\n';

const SIEM = `# Our SIEM.
opensearch:
  hosts: ['https://siem:9200']
  index: \${params.index:-logs}
  username: spate
  password: \${secrets.siem}
  retry.attempts: 3
`;

const load = (
  output: string,
  destinations: Readonly<Record<string, string>> = { siem: SIEM },
  params: JsonObject = {},
) =>
  loadGenerator(
    {
      files: filesOf({
        [CONFIG]: `${REST}output:\n${output}`,
        ...Object.fromEntries(
          Object.entries(destinations).map(([name, text]) => [`/g/destinations/${name}.yml`, text]),
        ),
      }),
      secrets: secretsOf({ siem: 'hidden' }),
      shape,
    },
    { ...paramsOf(params), path: CONFIG },
    [],
  );

const outputsOf = async (...given: Parameters<typeof load>) =>
  (right(await load(...given)).config as JsonObject)['output'] as readonly JsonObject[];

const messageOf = async (...given: Parameters<typeof load>) => left(await load(...given)).message;

describe('an output that uses a destination', () => {
  test('is the output of its file, with the parameters and secrets of the generator', async () => {
    const definition = right(await load('  - stdout: {}\n  - use: siem\n', undefined, { index: 'web' }));
    const output = (definition.config as JsonObject)['output'];
    expect(output).toMatchObject([
      { stdout: {} },
      {
        opensearch: {
          hosts: ['https://siem:9200'],
          index: 'web',
          password: 'hidden',
          retry: { attempts: 3 },
        },
      },
    ]);
    expect(definition.plugins.outputs).toEqual(['stdout', 'opensearch']);
    expect(definition.secrets).toEqual(['hidden']);
  });

  test('takes what the config says `with` it instead of what the destination says', async () => {
    const [one, two] = await outputsOf(
      '  - use: {name: siem, with: {index: web, formatter: {format: plain}}}\n  - use: {name: siem}\n',
    );
    expect(one).toMatchObject({ opensearch: { index: 'web', formatter: { format: 'plain' } } });
    expect(two).toMatchObject({ opensearch: { index: 'logs', formatter: { format: 'json' } } });
  });

  test('may be chosen by a parameter', async () => {
    const choice = '  - use: ${params.to:-siem}\n';
    const both = { siem: SIEM, local: 'file: {path: out.log}\n' };
    expect(await outputsOf(choice, both)).toMatchObject([{ opensearch: {} }]);
    expect(await outputsOf(choice, both, { to: 'local' })).toMatchObject([{ file: { path: 'out.log' } }]);
  });

  test('replaces the outputs of a generator that runs', async () => {
    const definition = right(await load('  - stdout: {}\n'));
    const files = filesOf({ '/g/destinations/siem.yml': SIEM });
    const context = { files, secrets: secretsOf({ siem: 'hidden' }), shape };
    const patched = right(await patchDefinition(context, definition, { output: [{ use: 'siem' }] }));
    expect(patched.plugins.outputs).toEqual(['opensearch']);
    expect(
      left(await patchDefinition(context, definition, { output: [{ use: 'seim' }] })).issues,
    ).toMatchObject([{ path: ['output', 0, 'use'], type: 'missing_destination' }]);
  });
});

describe('a destination that cannot be used', () => {
  test('is an error of the config, which says where the file should be', async () => {
    expect(await messageOf('  - use: seim\n')).toBe(
      `${CONFIG}:4:10  output[0].use  names a destination 'seim' that does not exist. Create /g/destinations/seim.yml: it has one output, as a config has.`,
    );
  });

  test('is an error of its own file, with line and column', async () => {
    expect(await messageOf('  - use: siem\n', { siem: 'opensearch:\n  hosts: 5\n  index: x\n' })).toMatch(
      /^\/g\/destinations\/siem\.yml:2:10 {2}opensearch\.hosts {2}must be a list/,
    );
    expect(await messageOf('  - use: siem\n', { siem: '' })).toMatch(/siem\.yml/);
    expect(await messageOf('  - use: siem\n', { siem: 'just text' })).toMatch(/must be an object, not text/);
    expect(await messageOf('  - use: siem\n', { siem: 'use: other' })).toMatch(
      /a destination cannot use another one/,
    );
    expect(await messageOf('  - use: siem\n', { siem: 'file: {path: a}\ntcp: {}\n' })).toMatch(
      /exactly one key/,
    );
  });

  test('is an error of the config when a parameter of it is wrong', async () => {
    expect(await messageOf('  - use: {name: siem, with: {hosts: 5}}\n')).toMatch(
      /generator\.yml:4:\d+ {2}output\[0\]\.opensearch\.hosts {2}must be a list/,
    );
    expect(await messageOf('  - use: {name: siem, with: {hsots: []}}\n')).toMatch(/unknown key 'hsots'/);
    expect(await messageOf('  - use: {name: siem, wiht: {}}\n')).toMatch(/unknown key 'wiht'/);
  });

  test('has a name that leads out of the folder', async () => {
    for (const name of ['../web/x', '/etc/passwd', '.hidden', 'a'.repeat(61), ''])
      expect(await messageOf(`  - use: '${name}'\n`)).toMatch(/output\[0\]\.use/);
    expect(await messageOf('  - use: ${params.to}\n', {}, { to: '../secret' })).toMatch(
      /must consist of letters/,
    );
    expect(await messageOf('  - use: ${params.to}\n')).toMatch(/parameter 'to' is missing/);
    expect(await messageOf('  - use: 5\n')).toMatch(/output\[0\]\.use/);
  });

  test('lacks a secret: the error names it', async () => {
    expect(await messageOf('  - use: siem\n', { siem: 'tcp: {host: "${secrets.nope}", port: 1}' })).toMatch(
      /secret 'nope' is not in the keyring/,
    );
  });
});

describe('before a start', () => {
  const errors = (output: JsonObject, files: Readonly<Record<string, string>> = {}) =>
    destinationErrors({ output: [output] }, { path: CONFIG, files: filesOf(files), shape });

  test('a check of a file finds destinations that are missing or invalid, and needs no parameter', async () => {
    expect(await errors({ use: 'siem' })).toMatchObject([{ issues: [{ type: 'missing_destination' }] }]);
    expect(await errors({ use: { name: 'siem' } }, { '/g/destinations/siem.yml': 'nope: {}' })).toMatchObject(
      [{ file: '/g/destinations/siem.yml' }],
    );
    expect(await errors({ use: '${params.to}' })).toEqual([]);
    expect(await errors({ use: 'siem' }, { '/g/destinations/siem.yml': SIEM })).toEqual([]);
    expect(await errors({ stdout: {} })).toEqual([]);
  });

  test('a parameter that only a destination reads is known', async () => {
    const { readText } = filesOf({ '/g/destinations/siem.yml': SIEM });
    const config = { event: { replay: { path: 'x' } }, output: [{ use: 'siem' }] };
    const issues = (params: JsonObject) => paramIssues({ path: CONFIG, config, readText }, params);
    expect(await issues({ index: 'web' })).toEqual([]);
    expect(await issues({ indxe: 'web' })).toMatchObject([{ hint: "Did you mean 'index'?" }]);
  });
});
