import { describe, expect, test } from '@jest/globals';
import {
  checkGeneratorText,
  loadGenerator,
  pluginNames,
  readBackConfig,
} from '../../../src/config/generator/config.js';
import { filesOf, left, paramsOf, right, secretsOf, shape } from '../support.js';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
const FILE = '/g/web/generator.yml';

const load = (text: string, params = {}, secrets: Readonly<Record<string, string>> = {}) =>
  loadGenerator({ files: filesOf({ [FILE]: text }), secrets: secretsOf(secrets), shape }, paramsOf(params), [
    'traffic',
  ]);

const GOOD = `# a comment with \${params.unknown} and \${secrets.unknown}
input:
  - cron.expression: "* * * * *" # \${params.not_looked_at}
    # another
    # one
  - schedule: {expression: x, count: "\${params.n:-2}"}
event:
  script: {params: {a.b: 1}}
output:
  - file.password: \${secrets.p}
`;

describe('loading', () => {
  test('answers the definition with every default, placeholders replaced and dotted keys nested', async () => {
    const text = GOOD.replace('# ${params.not_looked_at}', '').replace(
      '  - cron.expression: "* * * * *" ',
      '  - cron.expression: "* * * * *"\n    cron.count: ${ params.n }',
    );
    const definition = right(await load(text, { n: 3, unused: 1 }, { p: "it's # a: 'secret'" }));
    expect(definition).toEqual({
      params: paramsOf({ n: 3, unused: 1 }),
      scenarios: ['traffic'],
      plugins: { inputs: ['cron', 'schedule'], event: 'script', outputs: ['file'] },
      secrets: ["it's # a: 'secret'"],
      config: {
        input: [
          { cron: { expression: '* * * * *', count: 3, tags: [], start: null } },
          { schedule: { expression: 'x', count: 3, tags: [], start: null } },
        ],
        event: { script: { params: { 'a.b': 1 } } },
        output: [
          {
            file: {
              formatter: { format: 'plain' },
              mode: 'append',
              headers: {},
              password: "it's # a: 'secret'",
              isOn: false,
            },
          },
        ],
      },
    });
    expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
  });

  test('names the templates that events are counted by: from two on', () => {
    const named = (...aliases: readonly string[]) =>
      pluginNames({
        input: [{ cron: {} }],
        event: { template: { templates: aliases.map((alias) => ({ [alias]: {} })) } },
        output: [{ file: {} }],
      });
    expect(named('ok', 'failed')).toMatchObject({ event: 'template', templates: ['ok', 'failed'] });
    expect(named('ok')).not.toHaveProperty('templates');
  });

  test('a missing file is not found', async () => {
    const context = { files: filesOf({}), secrets: secretsOf({}), shape };
    expect(left(await loadGenerator(context, paramsOf(), [])).code).toBe('not_found');
  });

  test('one problem is one sentence with its place', async () => {
    const text =
      'input:\n  - cron:\n      expression: x\n      count: many\nevent: {replay: {path: a}}\noutput: []\n';
    expect(left(await load(text))).toEqual({
      code: 'invalid',
      file: FILE,
      message: `${FILE}:4:14  input[0].cron.count  must be an integer, not text.`,
      issues: [
        {
          path: ['input', 0, 'cron', 'count'],
          type: 'wrong_type',
          message: 'must be an integer, not text',
          line: 4,
          column: 14,
        },
      ],
    });
  });

  test('several problems are a list with a place each', async () => {
    const text = 'input:\n  - cron: {expression: x}\nevent: {repaly: {path: a}}\noutput: []\nextra: 1\n';
    expect(left(await load(text)).message.split('\n')).toEqual([
      `${FILE} has 3 problems:`,
      `  ${FILE}:2:5  input[0].cron.count  is required.`,
      `  ${FILE}:3:9  event.repaly  unknown kind 'repaly'. Did you mean 'replay'?`,
      `  ${FILE}:5:1  extra  unknown key 'extra'. Known: input, event, output.`,
    ]);
  });

  test('missing parameters and secrets are all named with their places', async () => {
    const text =
      'input: [{static: {count: "${params.n}"}}]\nevent: {replay: {path: "${secrets.s}/${params.m}"}}\noutput: []\n';
    const { issues } = left(await load(text));
    expect(issues?.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
      "1:26 parameter 'n' is missing",
      "2:24 secret 's' is not in the keyring",
      "2:24 parameter 'm' is missing",
    ]);
  });

  test('the same key in both spellings is a conflict at its place', async () => {
    const text = 'input: []\nevent: {}\noutput:\n  - file: {mode: append}\n    file.mode: append\n';
    expect(left(await load(text)).message).toContain('output[0].file.mode');
  });

  test.each([
    ['as a kind', 'event: {replay: {path: x}}\noutput: [{file: {formatter: {format: "${secrets.s}"}}}]'],
    ['as a key of a list item', 'event: {replay: {path: x}}\noutput: ["${secrets.s}"]'],
    ['as an enum', 'event: {replay: {path: x}}\noutput: [{file: {mode: "${secrets.s}"}}]'],
    ['as a boolean', 'event: {replay: {path: x, repeat: "${secrets.s}"}}\noutput: []'],
    ['inside a longer text', 'event: {replay: {path: x}}\noutput: [{file: {mode: "a ${secrets.s}"}}]'],
  ])('a secret in the wrong place, %s, is never in the report', async (_, rest) => {
    const error = left(await load(`input: [{static: {count: 1}}]\n${rest}\n`, {}, { s: 'hunter2' }));
    expect(error.code).toBe('invalid');
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  test.each(["x', b: 'y", 'x"}]\noutput: []', '# x', 'x\n  isOn: true', '*alias', '{a: 1}', '!!int 3'])(
    'a secret that looks like YAML stays one text: %j',
    async (secret) => {
      const text =
        'input: [{static: {count: 1}}]\nevent: {replay: {path: a}}\noutput:\n  - file:\n      password: ${secrets.p}\n';
      const { config } = right(await load(text, {}, { p: secret }));
      expect(config).toMatchObject({ output: [{ file: { password: secret, isOn: false } }] });
    },
  );

  test('a parameter cannot add keys to what is around it', async () => {
    const text = 'input: [{static: {count: 1}}]\nevent: {replay: "${params.replay}"}\noutput: []\n';
    const replay = { path: 'a', unknown: 1 };
    expect(left(await load(text, { replay })).message).toContain('event.replay.unknown');
  });
});

describe('checking and reading back a stored text', () => {
  const text =
    'input: [{cron: {expression: "${params.e}", count: "${params.n}"}}]\nevent: {replay: {path: a}}\noutput: []\n';

  test('placeholders are untouched, defaults are filled in', () => {
    expect(right(readBackConfig(text, FILE, shape))).toEqual({
      input: [{ cron: { expression: '${params.e}', count: '${params.n}', tags: [], start: null } }],
      event: { replay: { path: 'a', repeat: false } },
      output: [],
    });
  });

  test.each([
    ['an empty file', '', 'must be an object, not null'],
    ['a placeholder for everything', '${params.all}', 'must be an object, not text'],
    ['a list', '- a', 'must be an object, not a list'],
    ['an unknown key', `${text}more: 1\n`, ":4:1  more  unknown key 'more'"],
    [
      'a range beside placeholders',
      text.replace('"${params.n}"', '0'),
      ':1:51  input[0].cron.count  must be at least 1',
    ],
  ])('%s is refused', (_, given, message) => {
    expect(left(checkGeneratorText(given, FILE, shape)).message).toContain(message);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
