import * as E from 'fp-ts/lib/Either.js';
import { removeUploads } from '../adapters/directories/uploads.js';
import { nodeFiles } from '../adapters/files/files.js';
import { type InstanceLog, instanceLog } from '../adapters/logs/instanceLog.js';
import { systemClock } from '../adapters/systemClock.js';
import { MAX_SETTINGS_BYTES, withSecrets } from '../config/settings/settings.js';
import type { Result } from '../domain/errors.js';
import type { PasswordSource } from '../ports/keyring.js';
import type { Log } from '../ports/log.js';
import type { Current } from './reload.js';
import { keepSecrets, type SecretKeeping, warnOfLockedKeyring } from './secrets.js';
import { keepStatePrivate } from './stateFolder.js';
import { withText } from './texts.js';

export interface Instance extends Current {
  readonly secrets: SecretKeeping;
  /** Masks secrets. */
  readonly log: Log;
  readonly logs: InstanceLog;
}

/** Settings of a file, before the keyring completes them. */
const readFile = async (settingsFile: string): Promise<Result<Current>> => {
  const text = await nodeFiles.readText(settingsFile, MAX_SETTINGS_BYTES);
  if (E.isLeft(text)) return text;
  return withText('settings.read', settingsFile, text.right, settingsFile);
};

const complete = async (read: Current, secrets: SecretKeeping): Promise<Result<Current>> => {
  const settings = await withSecrets(read.settings, secrets.keyring);
  if (E.isLeft(settings)) return E.left(secrets.known.hideError(settings.left));
  secrets.known.add(settings.right.server.auth?.password ?? '');
  return E.right({ ...read, settings: settings.right });
};

/** Reads the settings again while the instance runs. */
export const readSettings = async (
  settingsFile: string,
  secrets: SecretKeeping,
): Promise<Result<Current>> => {
  const read = await readFile(settingsFile);
  return E.isLeft(read) ? read : complete(read.right, secrets);
};

/** Reads the settings, opens log and keyring. Left: the settings cannot be used. */
export const readInstance = async (options: {
  readonly settingsFile: string;
  readonly writeLog: (line: string) => void;
  readonly keyringPassword: PasswordSource;
}): Promise<Result<Instance>> => {
  const read = await readFile(options.settingsFile);
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
  await keepStatePrivate(path.state, secrets.log);
  await removeUploads(path.generators_dir);
  await warnOfLockedKeyring(secrets);
  return E.right({ ...settings.right, secrets, log: secrets.log, logs });
};
