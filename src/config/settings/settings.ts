import { dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Account } from '../../domain/access/roles.js';
import type { Issue, LogLevel, Result } from '../../domain/errors.js';
import type { GenerationParams } from '../../domain/generator.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { hasPlaceholder } from '../../domain/placeholder.js';
import type { Secrets } from '../../ports/files.js';
import { type DecodedOf, decode, maskSecrets, unmask } from '../../schema/index.js';
import { updateConfigText } from '../generator/configText.js';
import { substitute } from '../generator/substitute.js';
import { invalid } from '../report.js';
import { keepExtensions } from '../values.js';
import { checkStored, type Expanded, readDocument } from '../yaml/document.js';
import { locateIssues } from '../yaml/source.js';
import { settingsShape } from './shape.js';

/** Maximum size of the settings file, and of the startup file of a new instance. */
export const MAX_SETTINGS_BYTES = 1_048_576;

interface ServerSettings {
  readonly ui_enabled: boolean;
  readonly api_enabled: boolean;
  readonly host: string;
  readonly port: number;
  /** Absolute paths. */
  readonly ssl: {
    readonly enabled: boolean;
    readonly verify_mode: 'none' | 'optional' | 'required' | null;
    readonly ca_cert: string | null;
    readonly cert: string | null;
    readonly cert_key: string | null;
  };
  /** Users and programs. None when only clients on this machine are served. */
  readonly accounts: readonly Account[];
  /** The account of `auth.user`. Null when there is none. */
  readonly user: string | null;
  readonly mcp: 'off' | 'read' | 'changes';
  readonly secrets_readable: boolean;
  /** Null for half of the file descriptors, at most 1,000. */
  readonly max_connections: number | null;
}

interface LogSettings {
  readonly level: LogLevel;
  readonly format: 'plain' | 'json';
  readonly max_bytes: number;
  readonly backups: number;
}

/** All paths are absolute. */
interface PathSettings {
  readonly logs: string;
  readonly startup: string;
  readonly generators_dir: string;
  readonly incidents_dir: string;
  /** Where incident files were by default in the version before; read too. Null when the settings name a directory. */
  readonly former_incidents_dir: string | null;
  /** Folder of destinations, beside that of the generators. */
  readonly destinations: string;
  /** Folder of the files of worlds, beside that of the generators. */
  readonly worlds: string;
  readonly keyring_cryptfile: string;
  readonly generator_config_filename: string;
  readonly state: string;
}

/** The settings of an instance, with every default. */
export interface Settings {
  readonly server: ServerSettings;
  readonly generation: GenerationParams;
  readonly threads: {
    readonly allow_subprocess: boolean;
    /** Null for one per core. */
    readonly max_pool_threads: number | null;
    readonly max_script_threads: number;
    readonly thread_heap_mb: number;
    readonly thread_memory_mb: number;
  };
  readonly log: LogSettings;
  readonly path: PathSettings;
  /** Third-party plugins: paths relative to `folder`, or packages installed for it. */
  readonly plugins: { readonly entries: readonly string[]; readonly folder: string };
  /** Sentences about former names. */
  readonly warnings: readonly string[];
}

type Decoded = DecodedOf<typeof settingsShape>;

/** Where the password of an account is; null for the user of `server.auth` itself. */
const passwordPath = (name: string | null): readonly string[] =>
  name === null ? ['server', 'auth', 'password'] : ['server', 'users', name, 'password'];

const isPassword = (path: readonly (string | number)[]): boolean => {
  const wanted = passwordPath(path[1] === 'users' ? String(path[2]) : null);
  return path.length === wanted.length && path.every((part, index) => part === wanted[index]);
};

/** Placeholders outside of the password are invalid: the settings have no parameters. */
const strayPlaceholders = (value: Json, path: readonly (string | number)[] = []): readonly Issue[] => {
  if (typeof value === 'string') {
    if (!hasPlaceholder(value) || isPassword(path)) return [];
    const hint = 'Write the value: only passwords of server.auth and server.users can be placeholders.';
    return [{ path, type: 'not_allowed', message: 'must not contain a placeholder', hint }];
  }
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item, i) => strayPlaceholders(item, [...path, i]));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([key, item]) => strayPlaceholders(item, [...path, key]))
    : [];
};

const checkSettings = (value: Json): E.Either<readonly Issue[], Decoded> => {
  const decoded = decode(settingsShape, value);
  if (E.isLeft(decoded)) return decoded;
  const stray = strayPlaceholders(value);
  return stray.length > 0 ? E.left(stray) : decoded;
};

const accountsOf = (
  { user, password }: Decoded['server']['auth'],
  users: Decoded['server']['users'],
): readonly Account[] => [
  ...(user === null || password === null ? [] : [{ user, role: 'admin', password, token: null } as const]),
  ...Object.entries(users).map(([name, account]) => ({ user: name, ...account })),
];

const settingsOf = (decoded: Decoded, folder: string): Settings => {
  const { generation, log, path } = decoded;
  const { auth, users, ...server } = decoded.server;
  const {
    plugins,
    allow_subprocess,
    max_pool_threads,
    max_script_threads,
    thread_heap_mb,
    thread_memory_mb,
    ...defaults
  } = generation;
  const at = (given: string): string => resolve(folder, given);
  const beside = (name: string): string => join(dirname(at(path.generators_dir)), name);
  const { scenarios_dir, ...paths } = path;
  const incidents_dir = path.incidents_dir ?? scenarios_dir;
  const orNull = (given: string | null): string | null => (given === null ? null : at(given));
  const { ssl } = server;
  return {
    server: {
      ...server,
      ssl: { ...ssl, ca_cert: orNull(ssl.ca_cert), cert: orNull(ssl.cert), cert_key: orNull(ssl.cert_key) },
      accounts: accountsOf(auth, users),
      user: auth.user,
    },
    generation: defaults,
    threads: { allow_subprocess, max_pool_threads, max_script_threads, thread_heap_mb, thread_memory_mb },
    log,
    plugins: { entries: plugins, folder },
    warnings:
      scenarios_dir === null
        ? []
        : ['path.scenarios_dir is now path.incidents_dir: the next version no longer knows the former name'],
    path: {
      ...paths,
      logs: at(path.logs),
      startup: at(path.startup),
      generators_dir: at(path.generators_dir),
      incidents_dir: incidents_dir === null ? beside('incidents') : at(incidents_dir),
      former_incidents_dir: incidents_dir === null ? beside('scenarios') : null,
      destinations: beside('destinations'),
      worlds: beside('worlds'),
      keyring_cryptfile: at(path.keyring_cryptfile),
      state: at(path.state),
    },
  };
};

/** Reads settings from an absolute `file`; `withSecrets` replaces the placeholder in the password later. */
export const loadSettings = (text: string, file: string): Result<Settings> =>
  E.flatMap(({ source, value }: Expanded) =>
    E.bimap(
      (issues: readonly Issue[]) => invalid(file, locateIssues(source, issues)),
      (decoded: Decoded) => settingsOf(decoded, dirname(file)),
    )(checkSettings(value)),
  )(readDocument(text, file, settingsShape));

/** Replaces the placeholders in passwords. Returns an error when a secret is missing. */
export const withSecrets = async (settings: Settings, secrets: Secrets): Promise<Result<Settings>> => {
  const { server } = settings;
  if (server.accounts.length === 0) return E.right(settings);
  const accounts: Account[] = [];
  for (const account of server.accounts) {
    const path = passwordPath(account.user === server.user ? null : account.user);
    const replaced = await withSecret(account, path, secrets);
    if (E.isLeft(replaced)) return E.left(invalid('', replaced.left));
    accounts.push(replaced.right);
  }
  return E.right({ ...settings, server: { ...server, accounts } });
};

const withSecret = async (
  account: Account,
  path: readonly string[],
  secrets: Secrets,
): Promise<E.Either<readonly Issue[], Account>> => {
  if (account.password === null) return E.right(account);
  const replaced = await substitute(account.password, {}, secrets);
  if (E.isLeft(replaced)) return E.left(replaced.left.map((issue) => ({ ...issue, path })));
  const password = replaced.right.value;
  return typeof password === 'string' && password !== ''
    ? E.right({ ...account, password })
    : E.left([{ path, type: 'wrong_type', message: 'must be non-empty text' }]);
};

/** Settings for the API: every default, paths as written, secrets masked. */
export const settingsReadBack = (text: string, file: string): Result<Json> =>
  E.flatMap((document: Expanded) =>
    E.map((value: Json) => maskSecrets(settingsShape, value))(checkStored(document, settingsShape)),
  )(readDocument(text, file, settingsShape));

/**
 * Edits the settings file. A mask keeps the stored secret, missing extension keys stay. Returns an error when the
 * result is invalid.
 */
export const updateSettingsText = (oldText: string, body: Json): Result<string> => {
  const old = readDocument(oldText, '', settingsShape);
  const stored = E.isRight(old) ? old.right.value : undefined;
  const unmasked = unmask(settingsShape, stored, body);
  if (E.isLeft(unmasked)) return E.left(invalid('', unmasked.left));
  const next = keepExtensions(settingsShape, stored, unmasked.right);
  const checked = checkSettings(next);
  if (E.isLeft(checked)) return E.left(invalid('', checked.left));
  return updateConfigText(oldText, next, settingsShape);
};
