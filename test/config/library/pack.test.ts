import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { copiedText, parametersOf, readLibraryText, readPack } from '../../../src/config/library/pack.js';
import type { Result } from '../../../src/domain/errors.js';
import { right } from '../../support/either.js';
import { TINY } from '../../support/library.js';

const LIBRARY = TINY['web-tiny/library.yml'] as string;
const GENERATOR = TINY['web-tiny/generator.yml'] as string;

const read = (library: string, generator = GENERATOR) =>
  readPack('web-tiny', {
    library: { file: 'library.yml', text: library },
    generator: { file: 'generator.yml', text: generator },
  });

/** Problems as `line:column path: message hint`. */
const problems = (result: Result<unknown>): readonly string[] =>
  E.isLeft(result)
    ? (result.left.issues ?? []).map(
        ({ line, column, path, message, hint }) =>
          `${line}:${column} ${path.join('.')}: ${message}${hint === undefined ? '' : ` ${hint}`}`,
      )
    : [];

describe('library.yml', () => {
  test('with its generator.yml is an item: parameters with defaults and help, anomalies, detections', () => {
    expect(right(read(LIBRARY))).toEqual({
      name: 'web-tiny',
      summary: 'Requests to a small web site as JSON.',
      category: 'web',
      event_bytes: 120,
      templates: 2,
      parameters: [
        { name: 'rate', default: 2, help: 'Requests a second.' },
        { name: 'anomaly', default: 'none', help: 'Attack to show from the start.' },
        { name: 'domain', default: 'example.com', help: 'Domain of the site.' },
        { name: 'labels', default: true, help: 'false removes the label' },
      ],
      anomalies: [
        { name: 'scan', help: 'One address asks for files that are not there.' },
        { name: 'flood', help: 'One address sends most requests.' },
      ],
      detections: ['Many 404 from one source (MITRE ATT&CK T1595)'],
    });
  });

  test('of a generator without templates and parameters', () => {
    const result = readPack('dns-queries', {
      library: { file: 'l', text: TINY['dns-queries/library.yml'] as string },
      generator: { file: 'g', text: TINY['dns-queries/generator.yml'] as string },
    });
    expect(right(result)).toMatchObject({ templates: 0, parameters: [], detections: [] });
  });

  test('problems have a line, a column and the nearest known key', () => {
    const text = `sumary: x
category: Web
event_bytes: 0
detections: [1]
anomalies: {a: "two\\nlines"}
`;
    expect(problems(readLibraryText({ text, file: 'library.yml' }))).toEqual([
      "1:1 sumary: unknown key 'sumary' Did you mean 'summary'?",
      '2:11 category: must be one word of lower-case letters and digits',
      '3:14 event_bytes: must be at least 1',
      '4:14 detections.0: must be text, not a number Put it in quotes.',
      '5:16 anomalies.a: must be one line Write it without a line break.',
    ]);
  });

  test.each([
    ['101 characters', `summary: ${'x'.repeat(101)}`, 1],
    ['100 characters', `summary: ${'x'.repeat(100)}`, 0],
    ['no text', 'summary: ""', 1],
  ])('a summary of %s', (_, summary, count) => {
    const text = LIBRARY.replace(/^summary: .*/, summary);
    expect(problems(readLibraryText({ text, file: 'f' }))).toHaveLength(count);
  });

  test('and generator.yml must have the same parameters', () => {
    const library = LIBRARY.replace('  rate:', '  rates:');
    const generator = `${GENERATOR}  - file: {path: 'out/\${params.domain:-other}', write_mode: '\${params.mode}'}\n`;
    expect(problems(read(library, generator))).toEqual([
      '4:1 parameters.rate: has no help generator.yml uses it; describe it in one line.',
      '4:1 parameters.mode: has no help generator.yml uses it; describe it in one line.',
      '4:1 parameters.mode: has no default Write ${params.mode:-value} wherever generator.yml uses it.',
      '7:3 parameters.domain: has several defaults Write the same one everywhere in generator.yml.',
      '5:3 parameters.rates: is not used by generator.yml Add ${params.rates:-value} there.',
    ]);
  });

  test.each([
    ['library.yml', 'summary: [', GENERATOR],
    ['generator.yml', LIBRARY, 'input: ['],
  ])('a %s that is no YAML', (file, library, generator) => {
    const result = read(library, generator);
    expect(E.isLeft(result) && result.left.file).toBe(file);
  });
});

test('parameters: secrets and escapes are none, a whole placeholder has the type of its default', () => {
  const { defaults, missing } = parametersOf({
    a: ['${params.n:-1}', 'x ${params.s:-1}', '$${params.not:-1}', '${secrets.key:-x}'],
    b: { c: '${params.empty:-}', d: '${params.gone}', e: '${params.t:-a: b}' },
  });
  expect([...defaults]).toEqual([
    ['n', 1],
    ['s', '1'],
    ['empty', ''],
    ['t', 'a: b'],
  ]);
  expect([...missing]).toEqual(['gone']);
});

describe('a copy', () => {
  const renaming = {
    from: 'web-tiny',
    name: 'my-web',
    shown: 'here/my-web',
    config_filename: 'config.yml',
    moved: (target: string) => (target.startsWith('../gone') ? null : `/package/${target.slice(3)}`),
  };

  test('has its own name in the README; links lead to the same files', () => {
    const { path, text } = copiedText('README.md', TINY['web-tiny/README.md'] as string, renaming);
    expect(path).toBe('README.md');
    expect(text).toBe(`# my-web

Requests to a small web site. See [the library](/package/../docs/library.md), [page](page.jinja) and [my-web](/package/web-tiny/README.md#run).

\`\`\`console
$ spate generate --path here/my-web --limit 5
$ curl -X PATCH localhost:9474/api/scenarios/my-web/globals -d '{"anomaly": "scan"}'
\`\`\`

Not web-tiny-two, nor my-web-tiny.
`);
  });

  test('has the config file of its instance, with a schema line that leads somewhere', () => {
    const found = copiedText('generator.yml', GENERATOR, renaming);
    expect(found.path).toBe('config.yml');
    expect(found.text).toBe(GENERATOR.replace('../generator', '/package/generator'));
    const gone = copiedText('generator.yml', GENERATOR, { ...renaming, moved: () => null });
    expect(gone.text).toBe(GENERATOR.slice(GENERATOR.indexOf('\n') + 1));
    const own = GENERATOR.replace('../generator', './generator');
    expect(copiedText('generator.yml', own, renaming).text).toBe(own);
  });

  test('has all other files unchanged', () => {
    expect(copiedText('samples/README.md', '# web-tiny', renaming).text).toBe('# web-tiny');
    expect(copiedText('page.jinja', 'web-tiny', renaming)).toEqual({ path: 'page.jinja', text: 'web-tiny' });
  });
});
