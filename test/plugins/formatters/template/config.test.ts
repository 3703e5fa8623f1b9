import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { checkGeneratorText, loadGenerator } from '../../../../src/config/generator/config.js';
import type { Result } from '../../../../src/domain/errors.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../../../src/domain/generator.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { generatorShape } from '../../../../src/plugins/generatorShape.js';
import { registry } from '../../../../src/plugins/registry.js';
import { previewFormat } from '../../../../src/worker/preview/format.js';
import { filesOf, paramsOf, secretsOf } from '../../../config/support.js';
import { memoryLog } from '../../../support/logs.js';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
const FILE = '/g/web/generator.yml';

/** A config with the lines as formatter of its output. */
const config = (...lines: readonly string[]): string =>
  [
    'input:',
    '  - static: {count: 1}',
    'event:',
    '  script: {path: x.mjs}',
    'output:',
    '  - stdout:',
    '      formatter:',
    ...lines.map((line) => `        ${line}`),
    '',
  ].join('\n');

const load = (text: string, params: JsonObject = {}) =>
  loadGenerator(
    { files: filesOf({ [FILE]: text }), secrets: secretsOf({ key: 'hush{{' }), shape: generatorShape },
    paramsOf(params),
    [],
  );

/** The formatter of a loaded config. */
const formatterOf = async (lines: readonly string[], params: JsonObject = {}): Promise<unknown> => {
  const loaded = await load(config(...lines), params);
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left));
  const { output } = loaded.right.config as unknown as {
    readonly output: readonly [{ readonly stdout: { readonly formatter: unknown } }];
  };
  return output[0].stdout.formatter;
};

const issuesOf = (result: Result<unknown>): readonly string[] =>
  E.isLeft(result)
    ? (result.left.issues ?? []).map(
        ({ path, message, line }) => `${line} ${path.slice(4).join('.')} ${message}`,
      )
    : [];

/** Problems of a formatter when saved and when loaded: both must match. */
const problems = async (...lines: readonly string[]): Promise<readonly string[]> => {
  const saved = issuesOf(checkGeneratorText(config(...lines), FILE, generatorShape));
  expect(issuesOf(await load(config(...lines)))).toEqual(saved);
  return saved;
};

describe('a template in a config', () => {
  test.each([
    [
      "template: '{{ event }} {% if true %}x{% endif %}{# y #}'",
      '{{ event }} {% if true %}x{% endif %}{# y #}',
    ],
    ['template: "a\\t{{ event }}"', 'a\t{{ event }}'],
    ['template: <{{ event }}>', '<{{ event }}>'],
    [
      'template: \'${{ event }} ${event} $${{ event }} {{ "${x}" }}\'',
      '${{ event }} ${event} $${{ event }} {{ "${x}" }}',
    ],
    ["template: '{{ event }}${params.tail}|$${params.tail}'", '{{ event }}<{{ x }}>|${params.tail}'],
    ['template: \'{{ "${secrets.key}" }}\'', '{{ "hush{{" }}'],
    ["template: '${params.whole}'", '{{ event }}!'],
  ])('%s', async (line, template) => {
    const params = { tail: '<{{ x }}>', whole: '{{ event }}!' };
    expect(await formatterOf(['format: template', line], params)).toEqual({
      format: 'template',
      template,
      template_path: null,
    });
  });

  test('in a block keeps its lines and gets one line end, which the engine drops', async () => {
    const block = [
      'format: template-batch',
      'template: |',
      '  {% for event in events %}',
      '  {{ event }}',
      '  {%- endfor %}',
    ];
    expect(await formatterOf(block)).toEqual({
      format: 'template-batch',
      template: '{% for event in events %}\n{{ event }}\n{%- endfor %}\n',
      template_path: null,
    });
  });

  test('without quotes around a leading brace is refused', async () => {
    expect(await problems('format: template', 'template: {{ event }}')).not.toEqual([]);
  });

  test('a param that is no text is refused when it is the whole template', async () => {
    expect(issuesOf(await load(config('format: template', "template: '${params.n}'"), { n: 3 }))).toEqual([
      '9 template must be text, not a number',
    ]);
  });
});

describe.each(['template', 'template-batch'])('the fields of %s', (format) => {
  test('are template or template_path: exactly one', async () => {
    expect(await problems(`format: ${format}`)).toEqual(['7 template is required without `template_path`']);
    expect(await problems(`format: ${format}`, 'template: null', 'template_path: null')).toEqual([
      '9 template is required without `template_path`',
    ]);
    expect(await problems(`format: ${format}`, 'template: x', 'template_path: x.jinja')).toEqual([
      '10 template_path must not be set together with `template`',
    ]);
    expect(await problems(`format: ${format}`, 'template_path: parts/x.txt')).toEqual([]);
  });

  test('a template is a text that is not empty', async () => {
    expect(await problems(`format: ${format}`, "template: ''")).toContain('9 template must not be empty');
    expect(await problems(`format: ${format}`, 'template: 7')).toContain(
      '9 template must be text, not a number',
    );
  });

  test.each([
    ['/etc/passwd', 'must be relative to the folder of the generator'],
    ['../x.jinja', "must not leave the folder of the generator with '..'"],
    ['a/../x.jinja', "must not leave the folder of the generator with '..'"],
    ['"a\\0"', 'must not contain a NUL character'],
    ["''", 'must not be empty'],
  ])('template_path %s %s', async (path, message) => {
    expect(await problems(`format: ${format}`, `template_path: ${path}`)).toContain(
      `9 template_path ${message}`,
    );
  });

  test('placeholders are no reason to refuse what is stored', () => {
    const stored = config(`format: ${format}`, "template: '${params.t}'", "template_path: '${params.p}'");
    expect(issuesOf(checkGeneratorText(stored, FILE, generatorShape))).toEqual([]);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholder form of configs

describe('a preview', () => {
  const preview = async (formatter: JsonObject, events: readonly string[]) => {
    const task = {
      kind: 'format' as const,
      directory: '/nowhere',
      timezone: 'UTC',
      template_limits: DEFAULT_TEMPLATE_LIMITS,
      formatter,
      events: [...events],
    };
    const answer = await previewFormat(task, registry, memoryLog().log, null);
    if (E.isLeft(answer)) return answer.left;
    const parts: string[] = [];
    for await (const part of answer.right) parts.push(part);
    return JSON.parse(parts.join('')) as unknown;
  };

  test('renders, counts the events of items, and tells what failed by its event', async () => {
    expect(
      await preview({ format: 'template-batch', template: '{{ events | join("+") }}' }, ['a', 'b']),
    ).toEqual({
      events: ['a+b'],
      formatted_count: 2,
      errors: [],
    });
    expect(await preview({ format: 'template', template: '{{ 1 // (event | int) }}' }, ['1', '0'])).toEqual({
      events: ['1'],
      formatted_count: 1,
      errors: [{ message: expect.stringMatching(/^template:1:\d+: /), original_event: '0' }],
    });
  });

  test('places wrong syntax and a missing file at their field', async () => {
    expect(await preview({ format: 'template', template: '{{ event' }, ['a'])).toMatchObject({
      code: 'plugin_failed',
      issues: [{ path: ['formatter_config', 'template'], type: 'bad_format' }],
    });
    expect(await preview({ format: 'template-batch', template_path: 'x.jinja' }, ['a'])).toMatchObject({
      issues: [{ path: ['formatter_config', 'template_path'] }],
    });
  });
});
