import { newConfigText } from '../../../config/generator/configText.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { plural } from '../../../domain/text/shown.js';
import { type Difference, differenceAt, type EventumSetting, type Installation } from './installation.js';

/** Settings by the name that they have here; most have the same. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...[
    'server.ui_enabled',
    'server.api_enabled',
    'server.host',
    'server.port',
    ...['enabled', 'verify_mode', 'ca_cert', 'cert', 'cert_key'].map((name) => `server.ssl.${name}`),
    ...[
      'timezone',
      'batch.size',
      'batch.delay',
      'queue.max_timestamp_batches',
      'queue.max_event_batches',
    ].map((name) => `generation.${name}`),
    ...['keep_order', 'max_concurrency', 'write_timeout'].map((name) => `generation.${name}`),
    ...['level', 'format', 'max_bytes', 'backups'].map((name) => `log.${name}`),
    'path.generator_config_filename',
  ].map((name) => [name, name] as const),
  ['server.ui.enabled', 'server.ui_enabled'],
  ['server.api.enabled', 'server.api_enabled'],
]);

/** The folders and files of a new instance. */
const PATHS = {
  startup: 'startup.yml',
  generators_dir: 'generators',
  logs: 'logs',
  state: 'state',
  keyring_cryptfile: 'keyring.crypt',
} as const;

const inNewFolder = (name: keyof typeof PATHS) => (): string =>
  `became ${PATHS[name]}, beside the new settings file`;

const staysThere = (value: Json): string | null =>
  typeof value === 'string'
    ? 'keeps its path. Copy the file and change the path before the old folder goes away'
    : null;

/** Sentences about settings that mean something else here, or nothing. */
const REMARKS: ReadonlyMap<string, (value: Json) => string | null> = new Map(
  Object.entries<(value: Json) => string | null>({
    'server.ssl.ca_cert': staysThere,
    'server.ssl.cert': staysThere,
    'server.ssl.cert_key': staysThere,
    'server.mcp.path': (value) =>
      value === '/api/mcp'
        ? null
        : 'has no counterpart: the path is always /api/mcp. Change it in the clients',
    'server.mcp.allowed_hosts': (value) =>
      Array.isArray(value) && value.length === 0 ? null : 'has no counterpart and is left out',
    'generation.batch.delay': () => 'acts in live mode only; otherwise only the size closes a batch',
    'generation.write_timeout': () => 'limits one attempt; generation.retry says how often a write is tried',
    'generation.queue.max_event_bytes': () =>
      'has no counterpart and is left out; queue.max_event_batches bounds what is in flight',
    'log.third_party_level': () => 'has no counterpart and is left out; log.level is that of every line',
    'path.logs': inNewFolder('logs'),
    'path.startup': inNewFolder('startup'),
    'path.generators_dir': inNewFolder('generators_dir'),
    'path.keyring_cryptfile': () =>
      'cannot be read here: secrets are not imported. Enter each with `spate keyring set NAME -c spate.yml`',
  }),
);

/** The user and the password of an installation that names none. */
const KNOWN_PASSWORD = 'eventum';

/** Settings that become one of ours together. */
const TOGETHER: ReadonlySet<string> = new Set([
  'server.auth.user',
  'server.auth.password',
  'server.mcp.enabled',
  'server.mcp.allow_write',
]);

const isTrue = (value: Json | undefined): boolean => value === true || value === 'true';

/** Settings without counterpart that are listed; a file of other origin could have many. */
const MAX_UNKNOWN = 50;

interface NewSettings {
  readonly text: string;
  readonly differences: readonly Difference[];
}

/** Sets a value below nested objects. */
const put = (into: Record<string, unknown>, name: string, value: Json): void => {
  const parts = name.split('.');
  const last = parts.pop() ?? '';
  let at = into;
  for (const part of parts) {
    const inner: Record<string, unknown> = isJsonObject(at[part]) ? at[part] : {};
    at[part] = inner;
    at = inner;
  }
  at[last] = value;
};

/** The text of spate.yml, with the hash of the password in place of it. */
export const settingsFromEventum = async (
  { settings, given }: Pick<Installation, 'settings' | 'given'>,
  hash: (password: string) => Promise<string>,
): Promise<NewSettings> => {
  const body = { server: {}, generation: {}, log: {}, path: { ...PATHS } };
  const differences: Difference[] = [];
  const say = (name: string, message: string): void =>
    void differences.push(differenceAt(settings, name.split('.'), message));
  const settingOf = (wanted: string): Json | undefined =>
    given.findLast(({ name }: EventumSetting) => name === wanted)?.value;
  const hasMcp = isTrue(settingOf('server.mcp.enabled'));
  const seen = new Set<string>();
  const unknown: string[] = [];
  for (const { name, value } of given) {
    if (seen.has(name)) say(name, 'is given twice; the last one is taken');
    seen.add(name);
    if (name.startsWith('server.mcp.') && !hasMcp) continue;
    const ours = NAMES.get(name);
    const remark = REMARKS.get(name)?.(value) ?? null;
    if (remark !== null) say(name, remark);
    if (ours !== undefined) put(body, ours, value);
    else if (!REMARKS.has(name) && !TOGETHER.has(name) && !isEmptySection(name, value)) unknown.push(name);
    if (ours !== undefined && ours !== name) say(name, `became ${ours}`);
  }
  for (const name of unknown.slice(0, MAX_UNKNOWN)) say(name, 'has no counterpart and is left out');
  const more = unknown.length - MAX_UNKNOWN;
  if (more > 0) say('', `has ${plural(more, 'more setting')} without counterpart`);
  if (hasMcp) {
    const mode = isTrue(settingOf('server.mcp.allow_write')) ? 'changes' : 'read';
    put(body, 'server.mcp', mode);
    say('server.mcp.enabled', `became server.mcp: ${mode}`);
  }
  const verify = settingOf('server.ssl.verify_mode') ?? null;
  if (verify === null && typeof settingOf('server.ssl.ca_cert') === 'string') {
    put(body, 'server.ssl.verify_mode', 'none');
    say('server.ssl.ca_cert', 'is used with server.ssl.verify_mode only, which became none');
  }
  const password = settingOf('server.auth.password') ?? KNOWN_PASSWORD;
  if (password === KNOWN_PASSWORD) {
    const message =
      'is missing or the well-known one: only clients on this machine are served. Set another with `spate hash-password`';
    say('server.auth.password', message);
  } else {
    put(body, 'server.auth.user', String(settingOf('server.auth.user') ?? KNOWN_PASSWORD));
    put(body, 'server.auth.password', await hash(String(password)));
    say('server.auth.password', 'became its hash');
  }
  const head = `# Settings of an instance of Spate, imported from ${settings.file}.\n# What is not here has its default; docs/settings.md lists every option.\n`;
  return { text: `${head}${newConfigText(body)}`, differences };
};

const isEmptySection = (name: string, value: Json): boolean =>
  value === null ? !name.includes('.') : isJsonObject(value);
