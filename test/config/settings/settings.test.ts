import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  loadSettings,
  settingsReadBack,
  updateSettingsText,
  withSecrets,
} from '../../../src/config/settings/settings.js';
import { settingsShape } from '../../../src/config/settings/shape.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../../src/domain/generator.js';
import type { Json } from '../../../src/domain/json.js';
import { decode, SECRET_MASK } from '../../../src/schema/index.js';
import { left, right, secretsOf } from '../support.js';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
const FILE = '/etc/spate/spate.yml';
const PATHS = 'path: {logs: logs, startup: startup.yml, generators_dir: ../g, keyring_cryptfile: /k/ring}\n';
const MINIMAL = `server: {}\ngeneration: {}\nlog: {}\n${PATHS}`;

const load = (text: string) => loadSettings(text, FILE);
// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents of any form
const bodyOf = (text: string): any => JSON.parse(JSON.stringify(right(settingsReadBack(text, FILE))));

const AUTH = `# mine
server: # http
  auth: {user: me, password: hunter2} # who
  port: 80
generation.batch.size: 5
log: {}
${PATHS}`;

describe('loading', () => {
  test.each([
    '{enabled: true, cert: a, cert_key: b}',
    '{enabled: true, cert: a, cert_key: b, verify_mode: none, ca_cert: c}',
    '{enabled: true, cert: a, cert_key: b, verify_mode: optional, ca_cert: c}',
    '{enabled: true, cert: a, cert_key: b, verify_mode: required, ca_cert: c}',
    '{cert: a, cert_key: b}',
    '{enabled: false, verify_mode: null, ca_cert: null, cert: null, cert_key: null}',
  ])('takes ssl: %s', (ssl) => {
    expect(right(load(MINIMAL.replace('server: {}', `server: {ssl: ${ssl}}`))).server.ssl).toMatchObject({
      cert: ssl.includes('cert: a') ? '/etc/spate/a' : null,
    });
  });

  test('fills in every default and makes paths absolute', () => {
    expect(right(load(MINIMAL))).toEqual({
      server: {
        ui_enabled: true,
        api_enabled: true,
        host: '0.0.0.0',
        port: 9474,
        ssl: { enabled: false, verify_mode: null, ca_cert: null, cert: null, cert_key: null },
        accounts: [],
        user: null,
        mcp: 'off',
        secrets_readable: false,
        max_connections: null,
      },
      generation: {
        timezone: 'UTC',
        batch: { size: 10_000, delay: 1 },
        queue: { max_timestamp_batches: 10, max_event_batches: 10 },
        keep_order: false,
        max_concurrency: 100,
        write_timeout: 10,
        retry: { attempts: 5, base_delay: 0.2, max_delay: 5 },
        template_limits: DEFAULT_TEMPLATE_LIMITS,
        checkpoint: false,
        isolation: 'thread',
      },
      threads: {
        allow_subprocess: false,
        max_pool_threads: null,
        max_script_threads: 8,
        thread_heap_mb: 1024,
        thread_memory_mb: 2048,
      },
      log: { level: 'info', format: 'plain', max_bytes: 10_485_760, backups: 5 },
      path: {
        logs: '/etc/spate/logs',
        incidents_dir: '/etc/incidents',
        former_incidents_dir: '/etc/scenarios',
        startup: '/etc/spate/startup.yml',
        generators_dir: '/etc/g',
        destinations: '/etc/destinations',
        worlds: '/etc/worlds',
        keyring_cryptfile: '/k/ring',
        generator_config_filename: 'generator.yml',
        state: '/etc/spate/state',
      },
      plugins: { entries: [], folder: '/etc/spate' },
      warnings: [],
    });
  });

  test('takes scenarios_dir, the former name of incidents_dir, with a warning, and not both', () => {
    const named = (field: string) => load(MINIMAL.replace('path: {', `path: {${field}: stories, `));
    const former = right(named('scenarios_dir'));
    expect(former.path).toEqual(right(named('incidents_dir')).path);
    expect(former.path).toMatchObject({
      incidents_dir: '/etc/spate/stories',
      former_incidents_dir: null,
    });
    expect(former.warnings).toEqual([
      expect.stringMatching(/^path\.scenarios_dir is now path\.incidents_dir/),
    ]);
    expect(right(named('incidents_dir')).warnings).toEqual([]);
    const both = left(load(MINIMAL.replace('path: {', 'path: {incidents_dir: a, scenarios_dir: b, ')));
    expect(both.issues).toMatchObject([{ path: ['path', 'scenarios_dir'], type: 'not_allowed' }]);
  });

  test('keeps the third-party plugins as written, relative to its folder', () => {
    const text = MINIMAL.replace('generation: {}', 'generation: {plugins: [./a.mjs, spate-plugin-b]}');
    expect(right(load(text)).plugins).toEqual({
      entries: ['./a.mjs', 'spate-plugin-b'],
      folder: '/etc/spate',
    });
  });

  test('takes dotted, nested and mixed keys, and null for not given', () => {
    const text = `server.port: 80\nserver: {host: null, auth.user: u, auth: {password: p}}\ngeneration: {}\nlog.level: debug\n${PATHS}`;
    const settings = right(load(text));
    expect(settings.server).toMatchObject({ port: 80, host: '0.0.0.0', user: 'u' });
    expect(settings.server.accounts).toEqual([{ user: 'u', role: 'admin', password: 'p', token: null }]);
    expect(settings.log.level).toBe('debug');
  });

  test.each([
    ['{size: 5}', { size: 5, delay: null }],
    ['{delay: 0.5}', { size: null, delay: 0.5 }],
    ['{}', { size: 10_000, delay: 1 }],
    ['null', { size: 10_000, delay: 1 }],
  ])('batch %s: the values default only as a pair', (given, batch) => {
    expect(
      right(load(MINIMAL.replace('generation: {}', `generation: {batch: ${given}}`))).generation.batch,
    ).toEqual(batch);
  });

  const broken: [string, string, string][] = [
    ['server: {}', 'server: {port: 0}', ':1:16  server.port  must be at least 1.'],
    ['server: {}', 'server: {port: 65536}', 'server.port  must be at most 65535.'],
    ['server: {}', 'server: {host: ""}', 'server.host  must not be empty.'],
    [
      'server: {}',
      'server: {auth: {user: u}}',
      'server.auth.password  is required: user and password go together.',
    ],
    ['server: {}', 'server: {auth: {password: p}}', 'server.auth.user  is required'],
    [
      'server: {}',
      'server: {auth: {user: u, password: ""}}',
      'server.auth.password  must be non-empty text.',
    ],
    [
      'server: {}',
      'server: {mcp: {enabled: false}}',
      'server.mcp  must be one of off, read, changes, not an object.',
    ],
    ['server: {}', 'server: {mcp: write}', 'server.mcp  must be one of off, read, changes'],
    ['server: {}', 'server: {ssl: {enabled: true}}', 'server.ssl.cert  is required when enabled is true.'],
    [
      'server: {}',
      'server: {ssl: {cert: a}}',
      'server.ssl.cert_key  is required: cert and cert_key go together.',
    ],
    [
      'server: {}',
      'server: {ssl: {verify_mode: required}}',
      'server.ssl.ca_cert  is required when verify_mode is required.',
    ],
    [
      'server: {}',
      'server: {ssl: {verify_mode: optional, ca_cert: ca}}',
      'server.ssl.verify_mode  must not be optional while enabled is false: no certificate would be checked. Set enabled: true, or verify_mode: none.',
    ],
    [
      'server: {}',
      'server: {ssl: {enabled: true, cert: a, cert_key: b, ca_cert: ca}}',
      'server.ssl.ca_cert  has no effect without verify_mode: no client certificate would be checked.',
    ],
    [
      'server: {}',
      'server: {ssl: {verify_mode: maybe}}',
      'server.ssl.verify_mode  must be one of none, optional, required.',
    ],
    ['server: {}', 'server: {hots: x}', "unknown key 'hots'. Did you mean 'host'?"],
    ['server: {}\n', '', 'server  is required.'],
    ['server: {}', 'server:', 'server  is required.'],
    [
      'generation: {}',
      'generation: {timezone: berlin}',
      'generation.timezone  must be an IANA time zone in its exact spelling',
    ],
    ['generation: {}', 'generation: {timezone: europe/berlin}', 'generation.timezone'],
    [
      'generation: {}',
      'generation: {batch: {size: null, delay: null}}',
      'generation.batch  needs size, delay or both',
    ],
    ['generation: {}', 'generation: {batch: {size: 0}}', 'generation.batch.size  must be at least 1.'],
    ['generation: {}', 'generation: {batch: {delay: 0.05}}', 'generation.batch.delay  must be at least 0.1.'],
    ['generation: {}', 'generation: {queue: {max_event_batches: 0}}', 'generation.queue.max_event_batches'],
    ['generation: {}', 'generation: {max_concurrency: 0}', 'generation.max_concurrency'],
    ['generation: {}', 'generation: {write_timeout: 0}', 'generation.write_timeout'],
    ['generation: {}', 'generation: {max_script_threads: 0}', 'generation.max_script_threads'],
    ['generation: {}', 'generation: {thread_heap_mb: 31}', 'generation.thread_heap_mb'],
    ['generation: {}', 'generation: {seed: 1}', "unknown key 'seed'"],
    ['log: {}', 'log: {level: trace}', 'log.level  must be one of'],
    ['log: {}', 'log: {max_bytes: 1023}', 'log.max_bytes'],
    ['log: {}', 'log: {backups: 0}', 'log.backups'],
    ['logs: logs, ', '', 'path.logs  is required.'],
    ['logs: logs', 'logs: ""', 'path.logs'],
    [
      'logs: logs',
      'generator_config_filename: a/b.yml, logs: x',
      'path.generator_config_filename  must be one path segment',
    ],
    ['logs: logs', 'generator_config_filename: ../b.yml, logs: x', 'path.generator_config_filename'],
    ['logs: logs', 'generator_config_filename: b.json, logs: x', 'must end in .yml or .yaml.'],
    ['log: {}', 'log: {}\nmore: 1', "more  unknown key 'more'"],
    ['server: {}', 'server: {host: "${params.x}"}', 'server.host  must not contain a placeholder.'],
  ];
  test.each(broken)('%s as %s is refused', (from, to, message) => {
    expect(MINIMAL).toContain(from);
    expect(left(load(MINIMAL.replace(from, to))).message).toContain(message);
  });

  test('a password that does not fit is never in the report', () => {
    const error = left(load(MINIMAL.replace('server: {}', 'server: {auth: {user: u, password: [hunter2]}}')));
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});

describe('server.users', () => {
  const HASH = `sha256$${'a'.repeat(64)}`;
  const server = (text: string) => load(MINIMAL.replace('server: {}', `server: ${text}`));

  test('have a role, and a password or the hash of a token', () => {
    const text = `{auth: {user: me, password: p}, users: {ben: {role: operate, password: q}, ci: {role: read, token: ${HASH}}}}`;
    expect(right(server(text)).server.accounts).toEqual([
      { user: 'me', role: 'admin', password: 'p', token: null },
      { user: 'ben', role: 'operate', password: 'q', token: null },
      { user: 'ci', role: 'read', password: null, token: HASH },
    ]);
    expect(right(server('{users: {ann: {role: admin, password: p}}}')).server.accounts).toHaveLength(1);
  });

  test('may have passwords from the keyring; a missing secret is named with its user', async () => {
    const settings = right(server('{users: {ben: {role: read, password: "${secrets.ben}"}}}'));
    const filled = right(await withSecrets(settings, secretsOf({ ben: 'pw' })));
    expect(filled.server.accounts[0]?.password).toBe('pw');
    expect(left(await withSecrets(settings, secretsOf({}))).message).toMatch(
      /^server\.users\.ben\.password {2}secret 'ben'/,
    );
  });

  test('keep their passwords behind masks, each its own', () => {
    const text = MINIMAL.replace(
      'server: {}',
      'server: {users: {ann: {role: read, password: a}, ben: {role: read, password: b}}}',
    );
    const body = bodyOf(text);
    expect(body.server.users).toEqual({
      ann: { role: 'read', password: SECRET_MASK, token: null },
      ben: { role: 'read', password: SECRET_MASK, token: null },
    });
    const { ann, ben } = body.server.users;
    body.server.users = { ben: { ...ben, role: 'operate' }, ann };
    expect(right(load(right(updateSettingsText(text, body)))).server.accounts).toEqual(
      expect.arrayContaining([
        { user: 'ann', role: 'read', password: 'a', token: null },
        { user: 'ben', role: 'operate', password: 'b', token: null },
      ]),
    );
  });

  test.each([
    ['an unknown role', '{users: {ben: {role: root, password: p}}}', 'server.users.ben.role'],
    ['no role', '{users: {ben: {password: p}}}', 'server.users.ben.role'],
    ['neither password nor token', '{users: {ben: {role: read}}}', 'give a password or a token'],
    ['both', `{users: {ben: {role: read, password: p, token: ${HASH}}}}`, 'give a password or a token'],
    [
      'a token instead of its hash',
      '{users: {ci: {role: read, token: spate_abc}}}',
      'must be hash of a token',
    ],
    [
      'the name of server.auth.user again',
      '{auth: {user: me, password: p}, users: {me: {role: read, password: p}}}',
      "has 'me' again",
    ],
    ['a name with a colon', '{users: {"a:b": {role: read, password: p}}}', 'has a name that'],
    ['an empty name', '{users: {"": {role: read, password: p}}}', 'has a name that'],
  ])('with %s are refused', (_, text, message) => {
    expect(left(server(text)).message).toContain(message);
  });
});

describe('the password from the keyring', () => {
  const settings = right(
    load(MINIMAL.replace('server: {}', 'server: {auth: {user: u, password: "${secrets.api}"}}')),
  );

  test('stays a placeholder until the secrets can be read', async () => {
    expect(settings.server.accounts[0]?.password).toBe('${secrets.api}');
    expect(right(await withSecrets(settings, secretsOf({ api: 'p: #' }))).server.accounts[0]?.password).toBe(
      'p: #',
    );
  });

  test('is named when it is missing', async () => {
    const error = left(await withSecrets(settings, secretsOf({})));
    expect(error.message).toMatch(/^server\.auth\.password {2}secret 'api' is not in the keyring/);
  });

  test('must not be empty', async () => {
    expect(left(await withSecrets(settings, secretsOf({ api: '' }))).code).toBe('invalid');
  });

  test('without credentials there is nothing to read', async () => {
    const open = right(load(MINIMAL));
    expect(right(await withSecrets(open, secretsOf({})))).toBe(open);
  });
});

describe('read back and update', () => {
  test('shows every default, paths as written and a mask for the password', () => {
    const body = bodyOf(AUTH);
    expect(body.server.auth).toEqual({ user: 'me', password: SECRET_MASK });
    expect(body.path).toMatchObject({ logs: 'logs', state: 'state' });
    expect(body.generation.batch).toEqual({ size: 5, delay: null });
    expect(E.isRight(decode(settingsShape, body))).toBe(true);
  });

  test('written back unchanged changes no byte', () => {
    for (const text of [MINIMAL, AUTH]) expect(right(updateSettingsText(text, bodyOf(text)))).toBe(text);
  });

  test('a mask keeps the password while other values change', () => {
    const body = bodyOf(AUTH);
    body.server.port = 81;
    const text = right(updateSettingsText(AUTH, body));
    expect(text).toBe(AUTH.replace('port: 80', 'port: 81'));
    expect(right(load(text)).server.accounts).toEqual([
      { user: 'me', role: 'admin', password: 'hunter2', token: null },
    ]);
  });

  test('another password is written', () => {
    const body = bodyOf(AUTH);
    body.server.auth.password = 'new #1';
    expect(right(load(right(updateSettingsText(AUTH, body)))).server.accounts[0]?.password).toBe('new #1');
  });

  test('credentials that are taken away are gone', () => {
    const body = bodyOf(AUTH);
    body.server.auth = { user: null, password: null };
    expect(right(load(right(updateSettingsText(AUTH, body)))).server.accounts).toEqual([]);
  });

  test('a default that depends on what is written beside it is written', () => {
    const body = bodyOf(MINIMAL);
    body.generation.batch.size = 7;
    const text = right(updateSettingsText(MINIMAL, body));
    expect(right(load(text)).generation.batch).toEqual({ size: 7, delay: 1 });
  });

  test('a mask where no secret is stored is refused', () => {
    const body = bodyOf(MINIMAL);
    body.server.auth = { user: 'u', password: SECRET_MASK };
    expect(left(updateSettingsText(MINIMAL, body)).issues).toMatchObject([
      { path: ['server', 'auth', 'password'], type: 'not_allowed' },
    ]);
    expect(left(updateSettingsText('broken: [', body)).code).toBe('invalid');
  });

  test.each<[string, Json]>([
    ['a missing section', { server: {}, generation: {}, log: {} }],
    ['a placeholder', { server: { port: '${params.p}' }, generation: {}, log: {}, path: {} }],
    ['no object', []],
  ])('%s is refused', (_, body) => {
    expect(left(updateSettingsText(MINIMAL, body)).code).toBe('invalid');
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholder form of configs
