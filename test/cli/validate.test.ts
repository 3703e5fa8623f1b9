import { describe, expect, test } from '@jest/globals';
import { TINY } from '../support/library.js';
import { fakeIo, folderWith, GENERATOR, spate } from './support.js';

const SETTINGS = `server: {}
generation: {}
log: {}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring}
`;

const TESTS = `seed: 1
now: 2026-03-02T09:00:00Z
events: 10
checks: [{size: {min: 1}}]
`;

const INCIDENT = `summary: Knocks.
duration: 1m
members: {door: {path: ../door}}
phases: [{name: knocks, at: 10s, for: 5s, members: {door: {events: 3}}}]
`;

const validate = async (files: Readonly<Record<string, string>>, line: string) =>
  spate(`validate ${line}`, fakeIo({ cwd: await folderWith(files) }));

describe('valid files', () => {
  test.each([
    ['a generator', 'generator.yml', GENERATOR],
    ['a generator of another name', 'shop.yaml', GENERATOR],
    ['a generator with placeholders', 'g.yml', GENERATOR.replace('seconds: 1', 'seconds: "${params.s}"')],
    ['settings', 'spate.yml', SETTINGS],
    ['settings with dotted keys', 's.yml', SETTINGS.replace('server: {}', 'server.port: 9000')],
    ['a startup list', 'list.yml', '- {id: a, path: a/generator.yml}\n'],
    ['a cluster file', 'c.yml', 'nats: {servers: ["nats://10.0.0.1:4222"]}\n'],
    ['tests', 'normal.yml', TESTS],
    ['an incident', 'theft.yml', INCIDENT],
    ['an empty startup list', 'list.yml', '# nothing yet\n'],
  ])('%s is recognised by its content', async (_, name, text) => {
    expect(await validate({ [name]: text }, name)).toEqual({ code: 0, out: '1 file is valid\n', err: '' });
  });

  test('a folder stands for its YAML files, those below too; what Spate does not have is counted', async () => {
    const files = {
      'generators/a/generator.yml': GENERATOR,
      'generators/b/generator.yaml': GENERATOR,
      'generators/b/samples/users.yml': '- {name: Ada}\n',
      'generators/b/.hidden/generator.yml': 'broken: [',
      'generators/node_modules/x/generator.yml': 'broken: [',
      'settings/spate.yml': SETTINGS,
    };
    expect(await validate(files, 'generators settings generators/a')).toEqual({
      code: 0,
      out: '3 files are valid (1 other YAML file skipped)\n',
      err: '',
    });
  });
});

describe('a library generator', () => {
  const change = (path: string, from: string, to: string) => ({
    ...TINY,
    [path]: (TINY[path] as string).replace(from, to),
  });

  test('is valid with its library.yml', async () => {
    expect(await validate(TINY, 'web-tiny dns-queries')).toEqual({
      code: 0,
      out: '5 files are valid\n',
      err: '',
    });
  });

  test.each([
    [
      'an unknown key',
      'summary:',
      'sumary:',
      "web-tiny/library.yml:1:1: sumary: unknown key 'sumary'. Did you mean 'summary'?",
    ],
    ['a long event', '120', '-1', 'web-tiny/library.yml:3:14: event_bytes: must be at least 1.'],
    [
      'help for no parameter',
      '  rate:',
      '  rates:',
      'web-tiny/library.yml:5:3: parameters.rates: is not used by generator.yml.',
    ],
  ])('%s', async (_, from, to, line) => {
    const { code, out } = await validate(change('web-tiny/library.yml', from, to), 'web-tiny');
    expect(code).toBe(1);
    expect(out).toContain(line);
  });

  test('is compared with its config by library.yml alone, by any name of the folder', async () => {
    const files = change('web-tiny/generator.yml', '${params.rate:-2}', '2');
    expect(await validate(files, 'web-tiny/library.yml')).toMatchObject({
      code: 1,
      out: 'web-tiny/library.yml:5:3: parameters.rate: is not used by generator.yml. Add ${params.rate:-value} there.\n',
    });
  });

  test('a broken config is reported once', async () => {
    const files = { ...TINY, 'web-tiny/generator.yml': 'input: [' };
    const { out } = await validate(files, 'web-tiny');
    expect(out).toMatch(/^web-tiny\/generator\.yml:\d+:\d+: .+\n {4}input: \[\n {11}\^\n$/);
  });

  test('library.yml without a config is checked, under another name too', async () => {
    const text = TINY['web-tiny/library.yml'] as string;
    expect(await validate({ 'library.yml': text, 'other.yml': text }, '.')).toMatchObject({ code: 0 });
    expect(await validate({ 'library.yml': 'a: 1\n' }, '.')).toMatchObject({ code: 1 });
  });
});

describe('problems', () => {
  test('each has file, line, column, path and hint, in the order of the file; exit 1', async () => {
    const bad = `input:
  - timer:
      secnds: 1
      count: x
event: {scrpt: {}}
output: []
`;
    expect(await validate({ 'bad.yml': bad, 'good/generator.yml': GENERATOR }, 'bad.yml good')).toEqual({
      code: 1,
      out: `bad.yml:3:7: input[0].timer.secnds: unknown key 'secnds'. Did you mean 'seconds'?
bad.yml:4:14: input[0].timer.count: must be an integer, not text.
bad.yml:5:9: event.scrpt: unknown kind 'scrpt'. Did you mean 'script'?
bad.yml:6:1: output: must have at least 1 item.
`,
      err: 'spate: 4 problems in 1 file.\n',
    });
  });

  test('of tests are located', async () => {
    const { code, out } = await validate({ 't.yml': TESTS.replace('size', 'sise') }, '.');
    expect(out).toBe(`t.yml:4:11: checks[0].sise: unknown kind 'sise'. Did you mean 'size'?
`);
    expect(code).toBe(1);
  });

  test('more than a message of the API would list are all there', async () => {
    const keys = Array.from({ length: 60 }, (_, i) => `key_${i}: 1\n`).join('');
    const { out, err } = await validate({ 'generator.yml': GENERATOR + keys }, 'generator.yml');
    expect(out.trimEnd().split('\n')).toHaveLength(60);
    expect(err).toBe('spate: 60 problems in 1 file.\n');
  });

  test.each([
    [
      'YAML that cannot be parsed',
      'generator.yml',
      'input: [',
      /^generator\.yml:1:8: has a `\[` that is not closed.+\n {4}input: \[\n {11}\^\n$/,
    ],
    [
      'a generator.yml without any known key',
      'generator.yml',
      'a: 1\n',
      /^generator\.yml:1:1: a: unknown key 'a'/m,
    ],
    [
      'settings',
      's.yml',
      SETTINGS.replace('{}', '{prt: 1}'),
      /^s\.yml:1:10: server\.prt: unknown key 'prt'\. Did you mean 'port'\?\n$/,
    ],
    [
      'a cluster file',
      'c.yml',
      'nats: {servers: [a:4222]}\nlease: 0\n',
      /^c\.yml:2:8: lease: must be at least 1\.\n$/,
    ],
    [
      'each entry of a startup list',
      'l.yml',
      '- {id: a, path: x}\n- {id: a, path: y}\n- {id: b}\n',
      /^l\.yml:2:8: \[1\]\.id: .*already.*\nl\.yml:3:3: \[2\]\.path: is required\.\n$/,
    ],
    [
      'a file of another sort',
      'x.yml',
      'colour: red\n',
      /^x\.yml: is not a file of Spate. A generator has the keys input, event and output/,
    ],
    ['a file that is no text', 'b.yml', '\u0000\ufffd', /^b\.yml/],
  ])('%s', async (_, name, text, message) => {
    const { code, out } = await validate({ [name]: text }, name);
    expect(code).toBe(1);
    expect(out).toMatch(message);
  });

  test('a broken file in a folder is reported under any name', async () => {
    const { code, out } = await validate({ 'settings/spate.yml': 'server: {' }, 'settings');
    expect(code).toBe(1);
    expect(out).toMatch(/^settings\/spate\.yml:\d+:\d+: /);
  });

  test('a path where nothing is', async () => {
    expect(await validate({}, 'nope')).toEqual({
      code: 1,
      out: 'cannot read nope: it does not exist\n',
      err: 'spate: 1 problem in 1 file.\n',
    });
  });

  test('a folder without anything to check is no success', async () => {
    expect(await validate({ 'empty/notes.txt': 'x' }, 'empty')).toEqual({
      code: 1,
      out: '',
      err: 'spate: no file to check in empty.\n',
    });
  });
});

describe('a mistake that many make is answered with what to write', () => {
  const change = (from: string, to: string): string => GENERATOR.replace(from, to);
  const HEAD = 'input:\n  - timer: {seconds: 1, count: 1}\n';

  test.each([
    [
      'a formatter as text',
      change('out.log}', 'out.log, formatter: json}'),
      'Write `formatter: {format: json}`.',
    ],
    ['an output as text', change('file: {path: out.log}', 'stdout'), 'Write `- stdout: {}`.'],
    [
      'an event plugin as text',
      change('\n  script: {path: produce.js}', ' template'),
      'Write `event: {template: {}}`.',
    ],
    [
      'a pointer without quotes',
      change('out.log}', 'out.log, formatter: {format: csv, columns: [{/a}]}}'),
      "Put it in quotes: '{/a}'.",
    ],
    ['inputs as an object', change('  - timer', '  timer'), 'Begin each item with `- `: `- timer:`.'],
    [
      'a number with a unit',
      change('seconds: 1', 'seconds: 5s'),
      'Write the number without a unit: it is in seconds.',
    ],
    [
      'two event plugins',
      `${HEAD}event:\n  script: {path: x.js}\n  replay: {path: x.log}\noutput: [stdout: {}]\n`,
      'must have exactly one key, not 2. Keep one kind, and indent its parameters below it.',
    ],
    [
      'ndjson without fields',
      change('out.log}', 'out.log, formatter: {format: ndjson}}'),
      'for events that are JSON already write `format: json` or `format: plain`.',
    ],
  ])('%s', async (_, text, hint) => {
    const { code, out } = await validate(
      { 'generator.yml': text, 'x.js': 'export const produce = () => 1;' },
      '.',
    );
    expect(code).toBe(1);
    expect(out).toContain(hint);
  });

  test('each of three typos is one problem', async () => {
    const text = GENERATOR.replace('input:', 'inputs:')
      .replace('event:', 'events:')
      .replace('output:', 'outputs:');
    const { out } = await validate({ 'generator.yml': text }, 'generator.yml');
    expect(out.trimEnd().split('\n')).toHaveLength(3);
    expect(out).toContain("unknown key 'inputs'. Did you mean 'input'?");
  });
});
