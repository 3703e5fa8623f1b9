import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { TINY } from '../support/library.js';
import { hasPrograms, needs } from '../support/programs.js';
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

/** It can begin and end with an incident. */
const MEMBER = GENERATOR.replace(
  'timer: {seconds: 1, count: 1}',
  "cron: {expression: '* * * * * *', count: 1}",
);
const INCIDENT = `summary: Knocks.
duration: 1m
members: {door: {path: door}}
phases: [{name: knocks, at: 10s, for: 5s, members: {door: {events: 3}}}]
`;

const PRODUCE = 'export const produce = () => "x";\n';

/** Each folder has the script that `GENERATOR` names. */
const validate = async (files: Readonly<Record<string, string>>, line: string) => {
  const scripts = Object.keys(files).map((path) => [join(dirname(path), 'produce.js'), PRODUCE]);
  const cwd = await folderWith({ ...Object.fromEntries(scripts), ...files });
  const { code, out, err } = await spate(`validate ${line}`, fakeIo({ cwd }));
  return { code, out: out.replaceAll(cwd, '.'), err };
};

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
    ['a world', 'acme.yml', 'people: 300\norganization: {netbios: ACME}\n'],
    ['a world by its folder', 'worlds/acme.yml', '{seed: 7, people: 200}\n'],
    ['an empty world', 'worlds/default.yml', '# all defaults\n'],
    ['an empty startup list', 'list.yml', '# nothing yet\n'],
  ])('%s is recognised by its content', async (_, name, text) => {
    const files = { [name]: text, 'door/generator.yml': MEMBER };
    expect(await validate(files, name)).toEqual({ code: 0, out: '1 file is valid\n', err: '' });
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

describe('a world', () => {
  test('has its problems told by line and column', async () => {
    const files = { 'worlds/acme.yml': 'people: 0\norganization:\n  domain: Acme.example.com\n' };
    expect(await validate(files, 'worlds')).toMatchObject({
      code: 1,
      out:
        'worlds/acme.yml:1:9: people: must be at least 1.\n' +
        'worlds/acme.yml:3:11: organization.domain: must be a DNS name in lower case, with a dot. Write acme.example.com.\n',
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

describe('what a generator refers to', () => {
  const INPUT = 'input:\n  - timer: {seconds: 1, count: 1}\n';
  const OUTPUT = 'output:\n  - stdout: {}\n';
  const template = (more = '') =>
    `${INPUT}event:\n  template:\n    mode: all\n    templates:\n      - a: {template: a.jinja}\n${more}${OUTPUT}`;
  const event = (written: string) => `${INPUT}event: ${written}\n${OUTPUT}`;
  const SAMPLES = '    samples:\n      users: {type: csv, source: users.csv, header: true}\n';

  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    ['a template that is missing', template(), {}, "generator.yml:7:23: template 'a.jinja' not found"],
    [
      'a mistake in a template, with its line',
      template(),
      { 'a.jinja': '{{ timestmp }}\n' },
      "a.jinja:1:4: 'timestmp' is not defined. Did you mean 'timestamp'?\n    {{ timestmp }}\n       ^\n",
    ],
    [
      'a sample that is missing',
      template(SAMPLES),
      { 'a.jinja': '{{ samples.users.pick().name }}' },
      "event.template.samples.users.source: sample 'users' from users.csv: the file does not exist",
    ],
    [
      'a sample that is broken',
      template('    samples:\n      users: {type: json, source: users.json}\n'),
      { 'a.jinja': '{{ samples.users.pick().name }}', 'users.json': '[1' },
      "event.template.samples.users.source: sample 'users' from users.json: invalid JSON",
    ],
    [
      'a column that a sample does not have',
      template(SAMPLES),
      { 'a.jinja': "{{ samples.users.weighted_pick('wieght').name }}", 'users.csv': 'name,weight\nann,1\n' },
      "a.jinja:1:32: sample 'users' has no column 'wieght'. Did you mean 'weight'?",
    ],
    [
      'a column of a condition',
      template(SAMPLES),
      { 'a.jinja': "{{ samples.users.where(nam='x') | list }}", 'users.csv': 'name,weight\nann,1\n' },
      "sample 'users' has no column 'nam'. Did you mean 'name'?",
    ],
    [
      'a script that is missing',
      event('{script: {path: x.js}}'),
      {},
      'event.script.path: the file does not exist',
    ],
    [
      'a mistake in a script',
      event('{script: {path: x.js}}'),
      { 'x.js': 'export const produce = () => {;\n' },
      'event.script.path: syntax error at x.js:1:33',
    ],
    [
      'a script without produce',
      event('{script: {path: x.ts}}'),
      { 'x.ts': 'export const make = (): number => 1;\n' },
      'event.script.path: x.ts does not export a function named produce',
    ],
    [
      'a file that a script imports',
      event('{script: {path: x.js}}'),
      { 'x.js': "import { a } from './lib.js';\nexport const produce = () => a;\n" },
      "event.script.path: x.js imports './lib.js', which does not exist",
    ],
    [
      'a log that is missing',
      event('{replay: {path: x.log}}'),
      {},
      'event.replay.path: the file does not exist',
    ],
    [
      'an empty log',
      event('{replay: {path: x.log}}'),
      { 'x.log': '' },
      'event.replay.path: the file is empty',
    ],
    [
      'a folder in place of a log',
      event('{replay: {path: logs}}'),
      { 'logs/x.log': 'a\n' },
      'event.replay.path: the file cannot be read: it is a directory',
    ],
    [
      'half of a pair',
      event("{replay: {path: x.log, timestamp_pattern: '(?P<timestamp>.)'}}"),
      { 'x.log': 'a\n' },
      'event.replay.timestamp_format: is required: lines change only with pattern and format together.',
    ],
    [
      'recordings of which there are none',
      event('{replay: {from: recorded}}').replace(
        'timer: {seconds: 1, count: 1}',
        "recorded: {path: '*.log', timestamp_pattern: '(?P<timestamp>.)', timestamp_format: iso8601}",
      ),
      {},
      'input[0].recorded.path: matches no file below .',
    ],
    [
      'a pattern with a mistake',
      event('{script: {path: produce.js}}').replace(
        'timer: {seconds: 1, count: 1}',
        'time_patterns: {patterns: [p.txt]}',
      ),
      { 'p.txt': 'label: x\n' },
      'input[0].time_patterns: ',
    ],
    [
      'a certificate',
      event('{script: {path: produce.js}}').replace(
        'stdout: {}',
        'nats: {servers: ["nats://localhost:4222"], subject: x, ca_cert: ca.pem}',
      ),
      {},
      'output[0].nats.ca_cert: the file does not exist',
    ],
  ])('%s is a problem, and none with --no-files', async (name, config, files, problem) => {
    const all = { 'generator.yml': config, ...files };
    const { code, out } = await validate(all, 'generator.yml');
    expect(out).toContain(problem);
    expect(code).toBe(1);
    if (name === 'half of a pair') return;
    expect(await validate(all, '--no-files generator.yml')).toMatchObject({ code: 0 });
  });

  test('a name with a placeholder is not looked at', async () => {
    expect(await validate({ 'g.yml': event("{replay: {path: '${params.log}'}}") }, 'g.yml')).toMatchObject({
      code: 0,
    });
  });

  (hasPrograms('python3') ? test : test.skip)(`a Python script is parsed ${needs('python3')}`, async () => {
    const config = event('{script: {path: x.py}}');
    const broken = await validate({ 'g.yml': config, 'x.py': 'def produce(given:\n' }, 'g.yml');
    expect(broken.out).toContain('event.script.path: syntax error at x.py:1:');
    const other = await validate({ 'g.yml': config, 'x.py': 'def make(given): pass\n' }, 'g.yml');
    expect(other.out).toContain('event.script.path: x.py has no function named produce');
    expect(await validate({ 'g.yml': config, 'x.py': 'from lib import produce\n' }, 'g.yml')).toMatchObject({
      code: 0,
    });
  });
});

describe('what a startup list refers to', () => {
  const files = {
    'settings/spate.yml': SETTINGS.replace('generators_dir: generators', 'generators_dir: ../generators'),
    'generators/web/generator.yml': GENERATOR.replace('seconds: 1', "seconds: '${params.pause:-1}'"),
    'generators/web/produce.js': 'export const produce = ({ timestamp }) => String(timestamp);\n',
  };

  test('configs that are missing, and parameters that nothing reads', async () => {
    const startup =
      '- {id: a, path: web/generator.yml, params: {puase: 2}}\n- {id: b, path: webb/generator.yml}\n';
    const { code, out } = await validate(
      { ...files, 'settings/startup.yml': startup },
      'settings/startup.yml',
    );
    expect(code).toBe(1);
    expect(out).toBe(
      "settings/startup.yml:1:45: [0].params.puase: unknown parameter 'puase'. Did you mean 'pause'?\n" +
        'settings/startup.yml:2:17: [1].path: the file does not exist. Looked for ./generators/webb/generator.yml.\n',
    );
    expect(
      await validate({ ...files, 'settings/startup.yml': startup }, '--no-files settings'),
    ).toMatchObject({ code: 0 });
  });
});

test('a former name in settings is a warning, and the file stays valid', async () => {
  const files = { 'spate.yml': SETTINGS.replace('path: {', 'path: {scenarios_dir: stories, ') };
  expect(await validate(files, 'spate.yml')).toEqual({
    code: 0,
    out: '1 file is valid\n',
    err:
      'warning: spate.yml: path.scenarios_dir is now path.incidents_dir: the next version no longer knows the ' +
      'former name.\n',
  });
});

describe('what an incident refers to', () => {
  const incident = (phase: string, member = 'path: ../web-tiny') =>
    `duration: 1m\nentities: {attacker: {ip: 10.0.0.1}}\nmembers: {web: {${member}}}\n` +
    `phases: [{name: scan, at: 10s, for: 5s, ${phase}}]\n`;
  const problemsOf = async (text: string) => {
    const { out, code } = await validate({ ...TINY, 'incidents/x.yml': text }, 'incidents');
    return code === 0 ? '' : out;
  };

  test('globals that its member reads are fine', async () => {
    expect(await problemsOf(incident('members: {web: {events: 3, globals: {anomaly: scan}}}'))).toBe('');
    expect(await problemsOf(incident('globals: {anomaly: flood}'))).toBe('');
  });

  test('a member that cannot take part is a problem before the incident runs', async () => {
    expect(await validate({ 'door/generator.yml': GENERATOR, 'x.yml': INCIDENT }, 'x.yml')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/members\.door: its input `timer` has no end/) as unknown,
    });
    const attack = INCIDENT.replace('events: 3', 'attack: ransomware')
      .replace('1m', '2h')
      .replace('for: 5s', 'for: 1h');
    const files = { 'door/generator.yml': MEMBER, 'x.yml': attack };
    expect((await validate(files, 'x.yml')).out).toMatch(/attack: needs a member with an input `world`/);
    const shows = GENERATOR.replace(
      'timer: {seconds: 1, count: 1}',
      'world: {kinds: [logon], anomaly: ransomware}',
    );
    expect((await validate({ ...files, 'door/generator.yml': shows }, 'x.yml')).out).toMatch(
      /attack: is what the member shows anyway: its input has `anomaly: ransomware`/,
    );
  });

  test('a global that no script of a member mentions is a warning, and the file stays valid', async () => {
    const files = {
      'door/generator.yml': MEMBER,
      'door/produce.js':
        "import { knob } from './knob.js';\n" +
        "export const produce = ({ globals }) => `${knob(globals, 'knocks_per_call')}`;\n",
      'door/knob.js': 'export const knob = (globals, key) => globals.get(key, 1);\n',
      'x.yml': INCIDENT.replace('events: 3', 'events: 3, globals: {knocks_per_cal: 2}'),
    };
    const { code, out, err } = await validate(files, 'x.yml');
    expect({ code, out }).toEqual({ code: 0, out: '1 file is valid\n' });
    expect(err).toMatch(
      /^warning: x\.yml:4:\d+: .*no template of door mentions the global 'knocks_per_cal'\. Did you mean 'knocks_per_call'\?\n$/,
    );
    expect(
      await validate({ ...files, 'x.yml': files['x.yml'].replace('cal:', 'call:') }, 'x.yml'),
    ).toMatchObject({ code: 0, err: '' });
  });

  test.each([
    [
      'a global that no template of the member reads',
      incident("members: {web: {events: 3, globals: {attacker_ip: '${attacker.ip}'}}}"),
      "phases[0].members.web.globals.attacker_ip: no template of web reads the global 'attacker_ip'. Known: anomaly.",
    ],
    [
      'one that no member reads',
      incident('globals: {anomly: scan}'),
      "phases[0].globals.anomly: no member reads the global 'anomly'. Did you mean 'anomaly'?",
    ],
    [
      'an anomaly that the member does not have',
      incident('members: {web: {events: 3, globals: {anomaly: scann}}}'),
      "is no value of 'anomaly' that this generator has. Did you mean 'scan'?",
    ],
    [
      'a placeholder in parameters',
      incident('members: {web: {events: 3}}', "path: ../web-tiny, params: {domain: '${attacker.ip}'}"),
      'members.web.params.domain: has a placeholder, and nothing replaces placeholders in parameters.',
    ],
    [
      'a parameter that nothing reads',
      incident('members: {web: {events: 3}}', 'path: ../web-tiny, params: {rat: 1}'),
      "members.web.params.rat: unknown parameter 'rat'. Did you mean 'rate'?",
    ],
    [
      'a member that is not there',
      incident('members: {web: {events: 3}}', 'path: ../web-tinny'),
      'members.web.path: the file does not exist.',
    ],
  ])('%s is a problem', async (_, text, problem) => {
    expect(await problemsOf(text)).toContain(problem);
  });
});
