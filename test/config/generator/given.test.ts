import { describe, expect, test } from '@jest/globals';
import { paramIssues, scriptReads } from '../../../src/config/generator/given.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { filesOf } from '../support.js';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
const TEMPLATE = {
  event: { template: { params: { anomaly: '${params.anomaly:-none}', host: '${params.host}' } } },
};

const LIBRARY = `anomalies: {brute_force: Many., scan: One.}
choices: {host: [web-1, web-2]}
`;

const issues = async (
  params: JsonObject,
  config: JsonObject = TEMPLATE,
  files: Readonly<Record<string, string>> = {},
) =>
  (await paramIssues({ path: '/g/generator.yml', config, readText: filesOf(files).readText }, params)).map(
    ({ path, message, hint }) => [path.join('.'), message, ...(hint === undefined ? [] : [hint])].join('; '),
  );

describe('a parameter that nothing reads', () => {
  test('is an error with the name that was meant', async () => {
    expect(await issues({ anomly: 'scan', host: 'a' })).toEqual([
      "params.anomly; unknown parameter 'anomly'; Did you mean 'anomaly'?",
    ]);
  });

  test('is answered with the known names, or that there are none', async () => {
    expect(await issues({ zzz: 1 })).toEqual(["params.zzz; unknown parameter 'zzz'; Known: anomaly, host."]);
    expect(await issues({ zzz: 1 }, { event: { replay: { path: 'x.log' } } })).toEqual([
      "params.zzz; unknown parameter 'zzz'; This config reads no parameter.",
    ]);
  });

  test('is not reported for an event plugin that gets all of them', async () => {
    expect(await issues({ zzz: 1 }, { event: { other: {} } })).toEqual([]);
  });

  test('of a script is known from its text', async () => {
    const config = { event: { script: { path: 'p.js' } } };
    const files = {
      '/g/p.js': 'export const produce = ({ params }) => `${params.rate} ${params["host"]}`;\n',
    };
    expect(await issues({ rate: 1, host: 'a', hosts: 1 }, config, files)).toEqual([
      "params.hosts; unknown parameter 'hosts'; Did you mean 'host'?",
    ]);
    expect(await issues({ rat: 1 }, config)).toEqual([]);
  });
});

describe('reads of scripts', () => {
  test.each<[string, string, readonly string[] | null]>([
    [
      'members by name',
      'export function produce({ timestamp, params }) { return params.a + params["b"]; }',
      ['a', 'b'],
    ],
    [
      'optional members',
      'export const produce = async ({ params }) => params?.a ?? params?.["b"];',
      ['a', 'b'],
    ],
    ['none', 'export const produce = ({ timestamp }) => String(timestamp);', []],
    ['a comment', '// params are read below\nexport const produce = ({ params }) => params.a;', ['a']],
    ['parameters that are handed on', 'export const produce = ({ params }) => make(params);', null],
    ['a name known at run time', 'export const produce = ({ params }) => params[key];', null],
    ['a call that is handed on', 'export const produce = (call) => make(call);', null],
    ['another name', 'export const produce = ({ params: p }) => p.a;', null],
    ['the rest', 'export const produce = ({ timestamp, ...rest }) => rest.params.a;', null],
    ['a function from elsewhere', 'export { produce } from "./lib.js";', null],
  ])('%s (JavaScript)', (_, source, names) => {
    const read = scriptReads(source, 'p.js');
    expect(read === null ? null : [...read]).toEqual(names);
  });

  test.each<[string, string, readonly string[] | null]>([
    [
      'members by name',
      "def produce(params):\n    return params['params']['a'] + params['params'].get('b', '')\n",
      ['a', 'b'],
    ],
    ['none', "def produce(given):\n    return str(given['timestamp'])\n", []],
    ['parameters that are kept', "def produce(given):\n    p = given['params']\n    return p['a']\n", null],
    ['an argument that is handed on', 'def produce(given):\n    return make(given)\n', null],
    ['no function', 'from lib import produce\n', null],
  ])('%s (Python)', (_, source, names) => {
    const read = scriptReads(source, 'p.py');
    expect(read === null ? null : [...read]).toEqual(names);
  });
});

describe('a value that library.yml does not have', () => {
  const files = { '/g/library.yml': LIBRARY };

  test('is an error with the value that was meant', async () => {
    expect(await issues({ anomaly: 'brute-force', host: 'web-3' }, TEMPLATE, files)).toEqual([
      "params.anomaly; is no value of 'anomaly' that this generator has; Did you mean 'brute_force'?",
      "params.host; is no value of 'host' that this generator has; Did you mean 'web-1'?",
    ]);
  });

  test.each([['scan'], ['none']])('is not %s', async (anomaly) => {
    expect(await issues({ anomaly }, TEMPLATE, files)).toEqual([]);
  });

  test('cannot be told without that file', async () => {
    expect(await issues({ anomaly: 'brute-force' })).toEqual([]);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
