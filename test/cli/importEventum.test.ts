import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { chmod, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { IMPORTED_LINE, isReadBothWays, withSecondsFirst } from '../../src/cli/files/eventumCron.js';
import { loadSettings } from '../../src/config/settings/settings.js';
import { makePasswordCheck } from '../../src/http/access/password.js';
import { runProgram } from '../support/instance.js';
import { fakeIo, folderWith, spate } from './support.js';

const SETTINGS = `server:
  ui.enabled: false
  api: {enabled: true}
  port: 9475
  auth: {user: ann, password: correct horse}
  mcp: {enabled: true, allow_write: false, path: /mcp, allowed_hosts: [here]}
generation.timezone: Europe/Berlin
generation:
  batch.size: 500
  queue: {max_event_batches: 4, max_event_bytes: 1000000}
log: {level: warning, format: json, third_party_level: error}
path:
  logs: /var/log/eventum
  startup: /etc/eventum/startup.yml
  generators_dir: /etc/eventum/generators
  keyring_cryptfile: /etc/eventum/cryptfile.cfg
`;

const STARTUP = `# Everything that runs
- id: web
  path: /etc/eventum/generators/web/generator.yml
  live_mode: false # as fast as possible
  params: {host: web-1}
  queue.max_event_bytes: 5
- id: steady
  path: steady/generator.yml
  autostart: false
  scenarios: [store]
`;

const WEB = `# The web server
input:
  - cron:
      expression: "5 8 * * * 15" # a quarter of a minute past
      count: 2
      start: 2026-01-05
      end: +3d
event:
  template:
    mode: all
    templates:
      - page:
          template: templates/page.jinja
    params: {host: "\${params.host}"}
    samples:
      users: {type: csv, source: samples/users.csv, header: true}
output:
  - file: {path: out/events.log}
`;

const STEADY = `input: [cron: {expression: "* * * * * *", count: 1}]
event: {script: {path: produce.py}}
output: [stdout: {}]
`;

const INSTALLATION = {
  'eventum/eventum.yml': SETTINGS,
  'eventum/startup.yml': STARTUP,
  'eventum/generators/web/generator.yml': WEB,
  'eventum/generators/web/templates/page.jinja':
    '{{ timestamp.isoformat() }} {{ params.host }} {{ (samples.users | random).name }}\n',
  'eventum/generators/web/samples/users.csv': 'name\nann\n',
  'eventum/generators/web/out/events.log': 'of yesterday\n',
  'eventum/generators/steady/generator.yml': STEADY,
  'eventum/generators/steady/produce.py': 'def produce(params):\n    return "x"\n',
};

type Change = Readonly<Record<string, string>>;

const importOf = async (changes: Change = {}, line = 'import eventum eventum --out new') => {
  const cwd = await folderWith({ ...INSTALLATION, ...changes });
  const done = await spate(line, fakeIo({ cwd }));
  return { ...done, cwd, lines: done.out.split('\n') };
};

const read = (cwd: string, path: string): string => readFileSync(join(cwd, 'new', path), 'utf8');

const withInput = (input: string): Change => ({
  'eventum/generators/web/generator.yml': WEB.replace(/input:[\s\S]*?(?=event:)/, `input:\n${input}\n`),
});

describe('spate import eventum', () => {
  test('makes a valid instance, with lists of what is different and what comes next', async () => {
    const { code, out, err, cwd } = await importOf();
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('warning: new/generators/web') });
    expect(out).toMatch(
      /\nCreated new\. \d+ differences above; .*\n4 files are valid\nNext: spate run -c new\/spate.yml\n$/,
    );
    expect(readdirSync(join(cwd, 'new')).sort()).toEqual([
      '.gitignore',
      'generators',
      'spate.yml',
      'startup.yml',
    ]);
    expect(read(cwd, 'generators/web/samples/users.csv')).toBe('name\nann\n');
    expect(await spate('validate new', fakeIo({ cwd }))).toMatchObject({ code: 0 });
  });

  test('the events of an imported generator have the times that they had', async () => {
    const { cwd } = await importOf();
    const folder = join(cwd, 'new', 'generators', 'web');
    const { exited } = runProgram(
      ['generate', '--path', folder, '--live-mode', 'false', '--params', '{"host": "web-1"}', '-q'],
      { cwd },
    );
    expect(await exited).toEqual({ code: 0, signal: null });
    const events = (await readFile(join(folder, 'out', 'events.log'), 'utf8')).trimEnd().split('\n');
    expect(events.slice(0, 3)).toEqual([
      '2026-01-05T08:05:15+00:00 web-1 ann',
      '2026-01-05T08:05:15+00:00 web-1 ann',
      '2026-01-06T08:05:15+00:00 web-1 ann',
    ]);
    expect(events).toHaveLength(6);
  });

  test('takes the settings over, and says what has no counterpart and where', async () => {
    const { cwd, lines } = await importOf();
    const settings = loadSettings(read(cwd, 'spate.yml'), join(cwd, 'new', 'spate.yml'));
    if (E.isLeft(settings)) throw new Error(settings.left.message);
    expect(settings.right).toMatchObject({
      server: { ui_enabled: false, api_enabled: true, port: 9475, mcp: 'read', user: 'ann' },
      generation: {
        timezone: 'Europe/Berlin',
        batch: { size: 500, delay: null },
        queue: { max_event_batches: 4 },
      },
      log: { level: 'warning', format: 'json' },
      path: { startup: join(cwd, 'new', 'startup.yml'), state: join(cwd, 'new', 'state') },
    });
    const of = (name: string): string => lines.filter((line) => line.includes(`: ${name}: `)).join('\n');
    expect(of('server.ui.enabled')).toBe(
      'eventum/eventum.yml:2:15: server.ui.enabled: became server.ui_enabled.',
    );
    expect(of('server.mcp.enabled')).toContain(
      'eventum.yml:6:18: server.mcp.enabled: became server.mcp: read.',
    );
    expect(of('server.mcp.path')).toContain('the path is always /api/mcp');
    expect(of('server.mcp.allowed_hosts')).toContain('is left out');
    expect(of('generation.queue.max_event_bytes')).toContain('eventum.yml:10:');
    expect(of('log.third_party_level')).toContain('is left out');
    expect(of('path.keyring_cryptfile')).toContain('secrets are not imported');
    expect(of('path.generators_dir')).toContain('eventum/generators is taken');
  });

  test('stores the hash of the password, and takes no well-known one', async () => {
    const { cwd } = await importOf();
    expect(read(cwd, 'spate.yml')).not.toContain('horse');
    const settings = loadSettings(read(cwd, 'spate.yml'), join(cwd, 'new', 'spate.yml'));
    if (E.isLeft(settings)) throw new Error(settings.left.message);
    const check = makePasswordCheck(settings.right.server.accounts[0]?.password ?? '');
    if (E.isLeft(check)) throw new Error(check.left.message);
    expect(await check.right('correct horse')).toBe('right');
    const known = await importOf({
      'eventum/eventum.yml': SETTINGS.replace('password: correct horse', 'password: eventum'),
    });
    expect(read(known.cwd, 'spate.yml')).not.toContain('auth');
    expect(known.out).toContain('eventum.yml:5:31: server.auth.password: is missing or the well-known one');
  });

  test('takes a settings file with every default in dotted form', async () => {
    const { code, cwd, lines } = await importOf({
      'eventum/eventum.yml': `server.ui_enabled: true
server.api_enabled: true
server.host: 0.0.0.0
server.port: 9474
server.ssl.enabled: false
server.ssl.verify_mode: null
server.ssl.ca_cert: null
server.ssl.cert: null
server.ssl.cert_key: null
server.auth.user: eventum
server.auth.password: eventum
server.mcp.enabled: false
server.mcp.allow_write: false
server.mcp.path: /mcp
server.mcp.allowed_hosts: []
generation.timezone: UTC
generation.batch.size: 10000
generation.batch.delay: 1.0
generation.queue.max_timestamp_batches: 10
generation.queue.max_event_batches: 10
generation.keep_order: false
generation.max_concurrency: 100
generation.write_timeout: 10
log.level: info
log.format: plain
log.max_bytes: 10485760
log.backups: 5
path.logs: /var/log/eventum
path.startup: /etc/eventum/startup.yml
path.generators_dir: /etc/eventum/generators
path.keyring_cryptfile: /etc/eventum/cryptfile.cfg
path.generator_config_filename: generator.yml
`,
    });
    expect(code).toBe(0);
    expect(E.isRight(loadSettings(read(cwd, 'spate.yml'), '/spate.yml'))).toBe(true);
    expect(lines.filter((line) => /: server\./.test(line))).toEqual([
      expect.stringContaining('eventum.yml:11:23: server.auth.password: is missing or the well-known one'),
    ]);
  });

  test('makes paths of the startup list relative, drops what has no counterpart, and keeps comments', async () => {
    const { cwd, out } = await importOf();
    expect(read(cwd, 'startup.yml')).toBe(
      STARTUP.replace('/etc/eventum/generators/', '').replace('  queue.max_event_bytes: 5\n', ''),
    );
    expect(out).toContain('eventum/startup.yml:6:26: [0].queue.max_event_bytes: ');
  });

  test('leaves out entries that lead elsewhere, and the second of an id', async () => {
    const more =
      '- {id: out, path: ../../x/generator.yml}\n- {id: etc, path: /etc/x.yml}\n- {id: web, path: steady/generator.yml}\n';
    const { code, cwd, out } = await importOf({ 'eventum/startup.yml': `${STARTUP}${more}` });
    expect(code).toBe(0);
    expect(read(cwd, 'startup.yml')).not.toMatch(/out|etc|id: web, path/);
    expect(out).toContain('startup.yml:11:19: [2].path: leads out of the generators');
    expect(out).toContain('startup.yml:12:19: [3].path: leads out of the generators');
    expect(out).toContain('startup.yml:13:8: [4].id: is that of an entry above');
  });

  test('says which generators no longer share globals', async () => {
    const { out } = await importOf({
      'eventum/generators/web/templates/page.jinja': "{# globals. #}\n{{ globals.get('a', 1) }}\n",
      'eventum/generators/steady/other.jinja': "{% do globals.set('a', 1) %}",
    });
    expect(out).toContain(
      'startup.yml:2:7: [0].id: globals (eventum/generators/web/templates/page.jinja:2) belong to a scenario here',
    );
    expect(out).toContain(
      'globals (eventum/generators/steady/other.jinja:1) are those of the scenario store here',
    );
  });

  test('finds a settings file of another name, also by its own path', async () => {
    const { 'eventum/eventum.yml': _, ...rest } = INSTALLATION;
    const cwd = await folderWith({ ...rest, 'eventum/main.yaml': SETTINGS });
    expect(await spate('import eventum eventum --out a', fakeIo({ cwd }))).toMatchObject({ code: 0 });
    expect(await spate('import eventum eventum/main.yaml --out b', fakeIo({ cwd }))).toMatchObject({
      code: 0,
    });
    expect(await spate('import eventum eventum', fakeIo({ cwd }))).toMatchObject({ code: 0 });
    expect(existsSync(join(cwd, 'eventum-spate', 'spate.yml'))).toBe(true);
  });
});

describe('cron expressions of an import', () => {
  const cron = (expression: string) => withInput(`  - cron: {expression: "${expression}", count: 1} # x`);

  test.each([
    ['30 8 * * * 15', '15 30 8 * * *'],
    ['*/5 * * * * *', '* */5 * * * *'],
    ['0 9 * * MON 30 *', '30 0 9 * * MON'],
  ])('%s becomes %s, and the rest of the file stays', async (there, here) => {
    const { cwd, out } = await importOf(cron(there));
    expect(out).toContain(`: has the seconds first here: "${there}" became "${here}".`);
    const old = readFileSync(join(cwd, 'eventum/generators/web/generator.yml'), 'utf8');
    expect(read(cwd, 'generators/web/generator.yml')).toBe(`${IMPORTED_LINE}\n${old.replace(there, here)}`);
  });

  test.each([
    ['* * * * * *', null],
    ['*/5 * * * *', null],
    ['0 0 9 * * MON', 'stays "0 0 9 * * MON"'],
    ['0 9 * * * 30 2027', 'has a year'],
    ['${params.when}', 'if the parameter gives it six fields'],
  ])('%s stays as it is', async (expression, message) => {
    const { cwd, lines } = await importOf(cron(expression));
    const said = lines.filter((line) => line.includes('generator.yml:3:') && line.includes('expression: '));
    expect(said.slice(0, 1)).toEqual(message === null ? [] : [expect.stringContaining(message)]);
    expect(read(cwd, 'generators/web/generator.yml')).toContain(`expression: "${expression}"`);
  });

  test('one that is shared by an alias is moved once for each use', async () => {
    const { cwd, code } = await importOf(
      withInput('  - cron: {expression: &e "30 8 * * * 15", count: 1}\n  - cron: {expression: *e, count: 1}'),
    );
    expect(code).toBe(0);
    expect(read(cwd, 'generators/web/generator.yml').match(/15 30 8 \* \* \*/g)).toHaveLength(2);
  });

  test('are warned of by validate until the line about Eventum is gone, or beside eventum.yml', async () => {
    const { cwd, err } = await importOf();
    const warning =
      'warning: new/generators/web/generator.yml:5:19: input[0].cron.expression: "15 5 8 * * *" begins with seconds here';
    expect(err).toContain(warning);
    const file = join(cwd, 'new/generators/web/generator.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(`${IMPORTED_LINE}\n`, ''));
    expect(await spate('validate new', fakeIo({ cwd }))).toMatchObject({ code: 0, err: '' });
    writeFileSync(join(cwd, 'new', 'eventum.yml'), SETTINGS);
    expect((await spate('validate new/generators', fakeIo({ cwd }))).err).toContain('`spate import eventum`');
  });

  test('are read both ways only where that makes a difference', () => {
    expect(
      ['5 5 5 5 5 5', '* * * * * *', '*/5 * * * *', '0 0 9 * * MON', '@daily'].map(isReadBothWays),
    ).toEqual([false, false, false, false, false]);
    expect(isReadBothWays('*/5 * * * * *')).toBe(true);
    expect(withSecondsFirst('1 2 3 4 5')).toBeNull();
  });
});

describe('generators of an import', () => {
  test('lists other differences of inputs, outputs and templates', async () => {
    const { out } = await importOf({
      'eventum/generators/web/generator.yml': WEB.replace(
        'start: 2026-01-05',
        'start: "2026-01-05 10:00"',
      ).replace(
        '  - file: {path: out/events.log}',
        '  - clickhouse: {host: db, table: t, password: "${secrets.db}"}\n  - http: {url: "https://x.example/", headers: {a: "${other}"}}',
      ),
      'eventum/generators/web/templates/page.jinja': "a\n{{ subprocess.run('id').stdout }}\n",
    });
    const web = 'eventum/generators/web/generator.yml';
    for (const line of [
      `${web}:6:14: input[0].cron.start: has no offset`,
      `${web}:18:5: output[0].clickhouse: has another default of input_format here: "JSONEachRow"`,
      `${web}:18:49: the secret db is not imported`,
      `${web}:19:5: output[1].http: checks the certificate`,
      `${web}:19:53: only \${params.name}`,
      'eventum/generators/web/templates/page.jinja:2:1: subprocess is off',
    ])
      expect(out).toContain(line);
  });

  test('names paths into the old folder', async () => {
    const { out } = await importOf({
      'eventum/generators/web/generator.yml': WEB.replace(
        'samples/users.csv',
        '/etc/eventum/generators/web/samples/users.csv',
      ),
    });
    expect(out).toContain(
      'web/generator.yml:16:34: event.template.samples.users.source: leads into the old folder.',
    );
  });

  test('copies bytes and rights of files, and no links, pipes or written events', async () => {
    const cwd = await folderWith(INSTALLATION);
    const web = join(cwd, 'eventum/generators/web');
    writeFileSync(join(web, 'big.bin'), Buffer.from([0xff, 0, 0xfe]));
    await truncate(join(web, 'big.bin'), 20_000_000);
    await chmod(join(web, 'big.bin'), 0o750);
    symlinkSync('/etc', join(web, 'etc'));
    symlinkSync('samples/users.csv', join(web, 'users.csv'));
    const { code, out } = await spate('import eventum eventum --out new', fakeIo({ cwd }));
    expect(code).toBe(0);
    expect(readdirSync(join(cwd, 'new/generators/web')).sort()).toEqual([
      'big.bin',
      'generator.yml',
      'out',
      'samples',
      'templates',
    ]);
    const { size, mode } = statSync(join(cwd, 'new/generators/web/big.bin'));
    expect([size, mode & 0o777]).toEqual([20_000_000, 0o750]);
    expect(readdirSync(join(cwd, 'new/generators/web/out'))).toEqual([]);
    expect(out).toContain('eventum/generators/web/etc: is a link and is not copied.');
    expect(out).toContain(
      'eventum/generators/web/out/events.log: is written by an output and is not copied.',
    );
  });

  test('copies an invalid config, and says what is wrong in the copy', async () => {
    const { code, out, err, cwd } = await importOf({ 'eventum/generators/web/generator.yml': 'input: [\n' });
    expect(code).toBe(1);
    expect(out).toContain('new/generators/web/generator.yml:1:');
    expect(out).toContain('Mend what is listed, then: spate run -c new/spate.yml');
    expect(err).toContain('spate: 1 problem in 1 file');
    expect(read(cwd, 'generators/web/generator.yml')).toBe('input: [\n');
  });
});

describe('spate import eventum refuses', () => {
  test.each<[string, Change, string, string]>([
    ['a folder that is not there', {}, 'import eventum other', 'other'],
    ['a folder without settings', {}, 'import eventum eventum/generators/web', 'has no eventum.yml'],
    ['settings that are no YAML', { 'eventum/eventum.yml': 'a: [' }, '', 'eventum/eventum.yml:1:'],
    ['settings that are something else', { 'eventum/eventum.yml': '- 1\n' }, '', 'has none of the sections'],
    ['a startup list that is no YAML', { 'eventum/startup.yml': '- {' }, '', 'eventum/startup.yml:1:'],
    ['huge settings', { 'eventum/eventum.yml': `#${'x'.repeat(1_048_576)}\n${SETTINGS}` }, '', 'more than'],
    [
      'generators outside of the folder',
      { 'eventum/eventum.yml': SETTINGS.replace('/etc/eventum/generators', '/etc') },
      '',
      'has no generators',
    ],
    ['a folder that holds something', { 'new/mine': '' }, '', 'new is not empty: it holds mine'],
    [
      'to write into the installation',
      {},
      'import eventum eventum --out eventum/new',
      'is inside of eventum',
    ],
  ])('%s, and makes nothing', async (_, changes, line, message) => {
    const { code, err, cwd } = await importOf(changes, line === '' ? undefined : line);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(message) });
    expect(existsSync(join(cwd, 'new', 'spate.yml'))).toBe(false);
    expect(readdirSync(join(cwd, 'eventum')).sort()).toEqual(['eventum.yml', 'generators', 'startup.yml']);
  });

  test('generators and settings that are links out of the folder', async () => {
    const cwd = await folderWith({
      'real/x/generator.yml': WEB,
      'a/eventum.yml': SETTINGS,
      'real/s.yml': SETTINGS,
    });
    symlinkSync(join(cwd, 'real'), join(cwd, 'a', 'generators'));
    const { code, err } = await spate('import eventum a', fakeIo({ cwd }));
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('a has no generators') });
    symlinkSync(join(cwd, 'real', 's.yml'), join(cwd, 'a', 'link.yml'));
    expect((await spate('import eventum a/link.yml', fakeIo({ cwd }))).err).toContain(
      'is a link out of its folder',
    );
  });
});
