import { ROLES } from '../../domain/access/roles.js';
import { checkDirectoryName, MAX_SEGMENT_BYTES } from '../../domain/identifiers.js';
import {
  boolean,
  defaulted,
  givenTogether,
  integer,
  listOf,
  mapOf,
  oneOf,
  optional,
  path,
  record,
  required,
  text,
} from '../../schema/index.js';
import { generationFields } from './generationFields.js';

const nonEmpty = text({ minLength: 1 });

const asksClients = (mode: string | null): boolean => mode === 'optional' || mode === 'required';

const ssl = record(
  {
    enabled: defaulted(boolean(), false, {
      help: 'Serve HTTPS (TLS 1.2 or later) instead of HTTP; a start or SIGHUP reads the files.',
    }),
    verify_mode: optional(oneOf(['none', 'optional', 'required']), {
      help: 'Client certificates: none requested, checked if presented, or required; credentials are needed in addition.',
    }),
    ca_cert: optional(path(), {
      help: 'PEM file of the authorities that sign client certificates; needed unless verify_mode is none.',
    }),
    cert: optional(path(), {
      help: 'PEM file of the server certificate, followed by its intermediate certificates.',
    }),
    cert_key: optional(path(), {
      help: 'PEM file of the private key of the server certificate, without a passphrase.',
    }),
  },
  {
    rules: [
      givenTogether('cert', 'cert_key', { message: 'is required: cert and cert_key go together' }),
      {
        fields: ['enabled', 'cert'],
        check: ({ enabled, cert }) =>
          enabled && cert === null
            ? { at: 'cert', type: 'missing', message: 'is required when enabled is true' }
            : null,
      },
      {
        fields: ['verify_mode', 'ca_cert'],
        check: ({ verify_mode, ca_cert }) =>
          asksClients(verify_mode) && ca_cert === null
            ? {
                at: 'ca_cert',
                type: 'missing',
                message: `is required when verify_mode is ${verify_mode}`,
              }
            : null,
      },
      {
        fields: ['enabled', 'verify_mode'],
        check: ({ enabled, verify_mode }) =>
          asksClients(verify_mode) && !enabled
            ? {
                at: 'verify_mode',
                type: 'not_allowed',
                message: `must not be ${verify_mode} while enabled is false: no certificate would be checked`,
                hint: 'Set enabled: true, or verify_mode: none.',
              }
            : null,
      },
      {
        fields: ['verify_mode', 'ca_cert'],
        check: ({ verify_mode, ca_cert }) =>
          verify_mode === null && ca_cert !== null
            ? {
                at: 'ca_cert',
                type: 'not_allowed',
                message: 'has no effect without verify_mode: no client certificate would be checked',
                hint: 'Set verify_mode: required or optional to check them, or none to ignore them.',
              }
            : null,
      },
    ],
  },
);

/** As `spate hash-password --token` prints it. */
const TOKEN_HASH = /^sha256\$[0-9a-f]{64}$/;

/** A colon would end the name in an Authorization header (RFC 7617). */
export const isUserName = (name: string): boolean => /^[^\p{Cc}:]{1,128}$/u.test(name);

const MAX_USERS = 100;

const account = record(
  {
    role: required(oneOf(ROLES), {
      help: 'read looks; operate also starts, stops, changes globals, runs incidents and sends dead letters again; admin may do everything.',
    }),
    password: optional(nonEmpty, {
      help: 'Password, its hash, or a placeholder, as `server.auth.password`.',
      secret: true,
    }),
    token: optional(text({ label: 'hash of a token', pattern: TOKEN_HASH }), {
      help: 'Hash of a token, as `spate hash-password --token` prints it; the client sends `Authorization: Bearer TOKEN`.',
    }),
  },
  {
    rules: [
      {
        fields: ['password', 'token'],
        check: ({ password, token }) =>
          (password === null) === (token === null)
            ? {
                at: 'password',
                type: password === null ? 'missing' : 'not_allowed',
                message: 'is one of two ways to sign in: give a password or a token',
              }
            : null,
      },
    ],
  },
);

const auth = record(
  {
    user: optional(nonEmpty, { help: 'Name of the user.' }),
    password: optional(nonEmpty, {
      help: 'Password, its hash as `spate hash-password` prints it, or a placeholder such as ${secrets.api_password}.',
      secret: true,
    }),
  },
  {
    rules: [
      givenTogether('user', 'password', {
        message: 'is required: user and password go together',
        hint: 'Set both, or neither to serve only clients on this machine.',
      }),
    ],
  },
);

const server = record(
  {
    ui_enabled: defaulted(boolean(), true, { help: 'Serve the web UI.' }),
    api_enabled: defaulted(boolean(), true, { help: 'Serve the REST API.' }),
    host: defaulted(nonEmpty, '0.0.0.0', {
      help: 'IP address or host name to listen on; 0.0.0.0 is every IPv4 address of the machine.',
    }),
    port: defaulted(integer({ min: 1, max: 65_535 }), 9474, { help: 'TCP port to listen on.' }),
    ssl: defaulted(
      ssl,
      { enabled: false, verify_mode: null, ca_cert: null, cert: null, cert_key: null },
      { help: 'HTTPS and client certificates.' },
    ),
    auth: defaulted(
      auth,
      { user: null, password: null },
      { help: 'Credentials for the API and the UI; without them, only clients on this machine are served.' },
    ),
    users: defaulted(
      mapOf(account, { max: MAX_USERS }),
      {},
      {
        help: 'More users and programs by name, each with a role. The one of `server.auth` is admin.',
        extension: true,
      },
    ),
    mcp: defaulted(oneOf(['off', 'read', 'changes']), 'off', {
      help: 'Tools for language models at /api/mcp: none, those that only read and preview, or also those that change something.',
      extension: true,
    }),
    secrets_readable: defaulted(boolean(), false, {
      help: 'Let the API return the values of secrets; false returns only their names.',
      extension: true,
    }),
    max_connections: optional(integer({ min: 16, max: 100_000 }), {
      help: 'Maximum number of open connections, never more than half of the file descriptors; null for that half, at most 1,000.',
      extension: true,
    }),
  },
  {
    rules: [
      {
        fields: ['auth', 'users'],
        check: ({ auth: { user }, users }) => {
          const bad = Object.keys(users).find((name) => !isUserName(name) || name === user);
          if (bad === undefined) return null;
          return bad === user
            ? {
                at: 'users',
                type: 'not_allowed',
                message: `has '${bad}' again, who is the user of server.auth`,
              }
            : {
                at: 'users',
                type: 'bad_format',
                message: 'has a name that is empty, too long, or holds a colon or control character',
              };
        },
      },
    ],
  },
);

const threads = integer({ min: 1, max: 256 });

const generation = record({
  ...generationFields,
  plugins: defaulted(listOf(nonEmpty), [], {
    help: 'Third-party plugins: files, relative to this file, or installed packages. They run with the rights of Spate.',
    example: ['./my-output.mjs', 'spate-plugin-x'],
    extension: true,
  }),
  allow_subprocess: defaulted(boolean(), false, {
    help: 'Let templates run programs on this machine.',
    extension: true,
  }),
  max_pool_threads: optional(threads, {
    help: 'Maximum number of threads that generators without a script or scenario share; null for one per core.',
    extension: true,
  }),
  max_script_threads: defaulted(threads, 8, {
    help: 'Maximum number of dedicated threads, and of processes (`isolation`), for scenarios and scripts; beyond it they share.',
    extension: true,
  }),
  thread_heap_mb: defaulted(integer({ min: 32, max: 65_536 }), 1_024, {
    help: 'Maximum JavaScript heap of a thread; a thread that exceeds it is terminated, the others run on.',
    unit: 'MB',
    extension: true,
  }),
  thread_memory_mb: defaulted(integer({ min: 64, max: 1_048_576 }), 2_048, {
    help: 'Maximum memory outside of the JavaScript heap (buffers, WebAssembly) of the thread of a scenario or script; a thread that exceeds it is terminated, the others run on.',
    unit: 'MB',
    extension: true,
  }),
});

const log = record({
  level: defaulted(oneOf(['debug', 'info', 'warning', 'error', 'critical']), 'info', {
    help: 'Minimum level of the lines that are logged.',
  }),
  format: defaulted(oneOf(['plain', 'json']), 'plain', {
    help: 'Format of log lines: plain for people, json for log collectors.',
  }),
  max_bytes: defaulted(integer({ min: 1024 }), 10_485_760, {
    help: 'Maximum size of a log file before it is rotated.',
    unit: 'bytes',
  }),
  backups: defaulted(integer({ min: 1 }), 5, { help: 'Number of rotated files to keep.' }),
});

const configFilename = text({
  label: 'file name ending in .yml or .yaml',
  maxLength: MAX_SEGMENT_BYTES,
  check: (name) =>
    checkDirectoryName(name) ??
    (/\.ya?ml$/.test(name) ? null : { type: 'bad_format', message: 'must end in .yml or .yaml' }),
});

const paths = record(
  {
    logs: required(path(), { help: 'Directory of the log files.' }),
    startup: required(path(), { help: 'Startup file: the list of generators to run.' }),
    generators_dir: required(path(), { help: 'Directory that holds one directory per generator.' }),
    incidents_dir: optional(path(), {
      help: 'Directory of incident files. Default: `incidents` beside generators_dir.',
      extension: true,
    }),
    scenarios_dir: optional(path(), {
      help: 'Former name of incidents_dir; the next version no longer knows it.',
      extension: true,
    }),
    keyring_cryptfile: required(path(), {
      help: 'Encrypted keyring file; `spate keyring` creates and edits it.',
    }),
    generator_config_filename: defaulted(configFilename, 'generator.yml', {
      help: 'Name of the config file in a generator directory.',
    }),
    state: defaulted(path(), 'state', {
      help: 'Directory of scenario state, dead letters and checkpoints.',
      extension: true,
    }),
  },
  {
    rules: [
      {
        fields: ['incidents_dir', 'scenarios_dir'],
        check: ({ incidents_dir, scenarios_dir }) =>
          incidents_dir !== null && scenarios_dir !== null
            ? {
                at: 'scenarios_dir',
                type: 'not_allowed',
                message: 'is the former name of incidents_dir, which is given too',
                hint: 'Remove scenarios_dir.',
              }
            : null,
      },
    ],
  },
);

/** Relative paths resolve against the folder of the settings file. */
export const settingsShape = record({
  server: required(server, { help: 'HTTP server of the API and the UI.' }),
  generation: required(generation, { help: 'Defaults of all generators and limits of their threads.' }),
  log: required(log, { help: 'Logging.' }),
  path: required(paths, {
    help: 'Files and directories; relative paths resolve against the directory of the settings file.',
  }),
});
