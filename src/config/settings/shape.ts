import { checkDirectoryName, MAX_SEGMENT_BYTES } from '../../domain/identifiers.js';
import {
  boolean,
  defaulted,
  givenTogether,
  integer,
  oneOf,
  optional,
  path,
  record,
  required,
  text,
} from '../../schema/index.js';
import { generationFields } from './generationFields.js';

const nonEmpty = text({ minLength: 1 });

/** Whether client certificates are asked for. */
const asksClients = (mode: string | null): boolean => mode === 'optional' || mode === 'required';

const ssl = record(
  {
    enabled: defaulted(boolean(), false, {
      help: 'Serve HTTPS (TLS 1.2 or later) instead of HTTP. The files are read at each start and on SIGHUP.',
    }),
    verify_mode: optional(oneOf(['none', 'optional', 'required']), {
      help: 'Client certificates: not asked for, checked where one is shown, or needed. Credentials are needed beside them.',
    }),
    ca_cert: optional(path(), {
      help: 'PEM file of the authorities that sign client certificates; needed for optional and required.',
    }),
    cert: optional(path(), {
      help: 'PEM file of the certificate of the server, followed by those that lead to its authority.',
    }),
    cert_key: optional(path(), {
      help: 'PEM file of the private key of the certificate, without a passphrase.',
    }),
  },
  {
    rules: [
      givenTogether('cert', 'cert_key', { message: 'is required, as cert and cert_key go together' }),
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
                message: `must not be ${verify_mode} while enabled is false, as nothing would be checked`,
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
                message: 'has no effect without verify_mode, so client certificates would not be checked',
                hint: 'Set verify_mode: required or optional to check them, or none to leave them alone.',
              }
            : null,
      },
    ],
  },
);

const auth = record(
  {
    user: optional(nonEmpty, { help: 'Name of the only user.' }),
    password: optional(nonEmpty, {
      help: 'Password, its scrypt hash, or a placeholder such as ${secrets.api_password}.',
      secret: true,
    }),
  },
  {
    rules: [
      givenTogether('user', 'password', {
        message: 'is required, as user and password go together',
        hint: 'Give both, or none to serve only this machine.',
      }),
    ],
  },
);

const server = record({
  ui_enabled: defaulted(boolean(), true, { help: 'Serve the web UI.' }),
  api_enabled: defaulted(boolean(), true, { help: 'Serve the REST API.' }),
  host: defaulted(nonEmpty, '0.0.0.0', { help: 'Address to listen on.' }),
  port: defaulted(integer({ min: 1, max: 65_535 }), 9474, { help: 'Port to listen on.' }),
  ssl: defaulted(
    ssl,
    { enabled: false, verify_mode: null, ca_cert: null, cert: null, cert_key: null },
    { help: 'HTTPS.' },
  ),
  auth: defaulted(auth, { user: null, password: null }, { help: 'Who may use the API and the UI.' }),
  secrets_readable: defaulted(boolean(), false, {
    help: 'Let the API show the values of secrets; without it only their names.',
    extension: true,
  }),
});

const threads = integer({ min: 1, max: 256 });

const generation = record({
  ...generationFields,
  allow_subprocess: defaulted(boolean(), false, {
    help: 'Let templates run programs of this machine.',
    extension: true,
  }),
  max_pool_threads: optional(threads, {
    help: 'Threads shared by generators without user code and scenario; none: one per core.',
    extension: true,
  }),
  max_script_threads: defaulted(threads, 8, {
    help: 'Threads of their own for scenarios and for generators that run scripts; more of them share. As many again may have a process (`isolation`).',
    extension: true,
  }),
  thread_heap_mb: defaulted(integer({ min: 32, max: 65_536 }), 1_024, {
    help: 'Memory that the JavaScript heap of one thread may have; more ends that thread only.',
    unit: 'MB',
    extension: true,
  }),
  thread_memory_mb: defaulted(integer({ min: 64, max: 1_048_576 }), 2_048, {
    help: 'Memory outside of the JavaScript heap (buffers, WebAssembly) that the thread of a scenario or a script may have; more ends that thread only.',
    unit: 'MB',
    extension: true,
  }),
});

const log = record({
  level: defaulted(oneOf(['debug', 'info', 'warning', 'error', 'critical']), 'info', {
    help: 'Least important lines that are written.',
  }),
  format: defaulted(oneOf(['plain', 'json']), 'plain', { help: 'How a line is written.' }),
  max_bytes: defaulted(integer({ min: 1024 }), 10_485_760, {
    help: 'Size at which a log file is rotated.',
    unit: 'bytes',
  }),
  backups: defaulted(integer({ min: 1 }), 5, { help: 'Rotated files that are kept.' }),
});

const configFilename = text({
  label: 'file name ending in .yml or .yaml',
  maxLength: MAX_SEGMENT_BYTES,
  check: (name) =>
    checkDirectoryName(name) ??
    (/\.ya?ml$/.test(name) ? null : { type: 'bad_format', message: 'must end in .yml or .yaml' }),
});

const paths = record({
  logs: required(path(), { help: 'Folder of the log files.' }),
  startup: required(path(), { help: 'File that lists the generators to run.' }),
  generators_dir: required(path(), { help: 'Folder of the generator directories.' }),
  keyring_cryptfile: required(path(), {
    help: 'Encrypted file of secrets, kept by `spate keyring`; need not exist.',
  }),
  generator_config_filename: defaulted(configFilename, 'generator.yml', {
    help: 'Name of the config file in each generator directory.',
  }),
  state: defaulted(path(), 'state', {
    help: 'Folder of scenario state, dead letters and checkpoints.',
    extension: true,
  }),
});

/** The settings file: four sections, all needed. Relative paths are relative to the folder of the file. */
export const settingsShape = record({
  server: required(server, { help: 'HTTP server.' }),
  generation: required(generation, { help: 'Defaults of all generators, and limits of their threads.' }),
  log: required(log, { help: 'Log lines and files.' }),
  path: required(paths, { help: 'Files and folders.' }),
});
