import * as E from 'fp-ts/lib/Either.js';
import { removeUploads } from '../adapters/directories/uploads.js';
import { nodeFiles } from '../adapters/files/files.js';
import { type InstanceLog, instanceLog } from '../adapters/logs/instanceLog.js';
import { systemClock } from '../adapters/systemClock.js';
import { MAX_SETTINGS_BYTES, type Settings, withSecrets } from '../config/settings/settings.js';
import type { Result } from '../domain/errors.js';
import type { GenerationParams } from '../domain/generator.js';
import { isJsonObject, type Json } from '../domain/json.js';
import { install } from '../plugins/loaded.js';
import type { PasswordSource } from '../ports/keyring.js';
import type { Log } from '../ports/log.js';
import type { CurrentSettings } from './reload.js';
import { keepSecrets, type SecretKeeping, warnOfLockedKeyring } from './secrets.js';
import { openState } from './stateFolder.js';
import { withText } from './texts.js';

export interface Instance extends CurrentSettings {
  readonly secrets: SecretKeeping;
  /** Masks secrets. */
  readonly log: Log;
  readonly logs: InstanceLog;
  /** Whether no other process can use the state folder. */
  readonly isLocked: boolean;
  /** Closes the log files and gives the state folder back. */
  readonly close: () => Promise<void>;
}

/** Where the settings are, and what the command line puts in place of theirs. */
export interface SettingsSource {
  readonly settingsFile: string;
  /** Address of the HTTP server, in whole or in part. */
  readonly listen: { readonly host?: string; readonly port?: number };
}

/** Settings of a file, before the keyring completes them. */
export const readStoredSettings = async ({
  settingsFile,
  listen,
}: SettingsSource): Promise<Result<CurrentSettings>> => {
  const text = await nodeFiles.readText(settingsFile, MAX_SETTINGS_BYTES);
  if (E.isLeft(text)) return text;
  const read = await withText('settings.read', settingsFile, text.right, settingsFile);
  return E.map(({ settings, inForce }: CurrentSettings) => ({
    settings: { ...settings, server: { ...settings.server, ...listen } },
    inForce: withAddress(inForce, listen),
  }))(read);
};

const withAddress = (inForce: Json, listen: SettingsSource['listen']): Json => {
  if (!isJsonObject(inForce)) return inForce;
  const { server } = inForce;
  return isJsonObject(server) ? { ...inForce, server: { ...server, ...listen } } : inForce;
};

const complete = async (read: CurrentSettings, secrets: SecretKeeping): Promise<Result<CurrentSettings>> => {
  const settings = await withSecrets(read.settings, secrets.keyring);
  if (E.isLeft(settings)) return E.left(secrets.known.hideError(settings.left));
  for (const { password } of settings.right.server.accounts) secrets.known.add(password ?? '');
  return E.right({ ...read, settings: settings.right });
};

/** Reads the settings again while the instance runs. */
export const readSettings = async (
  source: SettingsSource,
  secrets: SecretKeeping,
): Promise<Result<CurrentSettings>> => {
  const read = await readStoredSettings(source);
  return E.isLeft(read) ? read : complete(read.right, secrets);
};

/**
 * Reads the settings, opens log and keyring, locks the state folder. Returns an error when the folder has an owner or the
 * settings cannot be used.
 */
export const readInstance = async (
  options: SettingsSource & {
    readonly writeLog: (line: string) => void;
    readonly keyringPassword: PasswordSource;
    readonly version: string;
  },
): Promise<Result<Instance>> => {
  const read = await readStoredSettings(options);
  if (E.isLeft(read)) return read;
  const { log, path } = read.right.settings;
  const logs = instanceLog({ ...log, folder: path.logs, console: options.writeLog, clock: systemClock });
  const file = path.keyring_cryptfile;
  const secrets = keepSecrets({ file, password: options.keyringPassword }, logs.log);
  const settings = await complete(read.right, secrets);
  if (E.isLeft(settings)) {
    await logs.close();
    return settings;
  }
  const lock = await openState(path.state, null, secrets.log, options.version);
  if (E.isLeft(lock)) {
    await logs.close();
    return lock;
  }
  await removeUploads(path.generators_dir);
  await warnOfLockedKeyring(secrets);
  const close = async (): Promise<void> => {
    await lock.right.release();
    await logs.close();
  };
  const { isHeld: isLocked } = lock.right;
  return E.right({ ...settings.right, secrets, log: secrets.log, logs, isLocked, close });
};

const known = new WeakMap<GenerationParams, GenerationParams>();

/** In a cluster, another node goes on where one stopped, unless an entry says otherwise. One object per settings. */
export const withCheckpoints = (generation: GenerationParams): GenerationParams => {
  const made = known.get(generation) ?? { ...generation, checkpoint: true };
  known.set(generation, made);
  return made;
};

/** Installs the plugins of the settings, or none: an instance before may have had some. The loader is loaded only for them. */
export const installThirdParty = async ({
  plugins: { entries, folder },
}: Pick<Settings, 'plugins'>): Promise<Result<void>> => {
  if (entries.length === 0) {
    install([]);
    return E.right(undefined);
  }
  const { installPlugins } = await import('../plugins/thirdParty/load.js');
  return installPlugins(
    entries.map((entry) => ({ entry, folder })),
    systemClock,
  );
};
