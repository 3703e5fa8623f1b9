import { chown, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { ioError } from '../../../adapters/files/ioError.js';
import { MAX_SETTINGS_BYTES, type Settings } from '../../../config/settings/settings.js';
import { loadStartup, type StartupList } from '../../../config/startup/startup.js';
import type { Result } from '../../../domain/errors.js';
import { hasPlaceholder } from '../../../domain/secrets/placeholder.js';
import { outputsOf } from '../../files/outputs.js';
import { readSettings } from '../../files/settings.js';

interface InstanceFiles {
  readonly settings: Settings;
  readonly list: StartupList;
}

const NO_ENTRIES: StartupList = { entries: [], rejected: [], warnings: [] };

/** Returns the error that a start would fail with, if any. A node of a cluster reads no startup file. */
export const readInstanceFiles = async (
  settingsFile: string,
  isNode: boolean,
): Promise<Result<InstanceFiles>> => {
  const settings = await readSettings(settingsFile);
  if (E.isLeft(settings)) return settings;
  if (isNode) return E.right({ settings: settings.right, list: NO_ENTRIES });
  const { path, generation } = settings.right;
  const startup = await nodeFiles.readText(path.startup, MAX_SETTINGS_BYTES);
  if (E.isLeft(startup)) return startup;
  const list = loadStartup(startup.right, path.startup, generation, path.generators_dir);
  return E.map((read: StartupList) => ({ settings: settings.right, list: read }))(list);
};

/** Folders of file outputs, if the config names them. */
const outputFolders = async (config: string): Promise<readonly string[]> => {
  const outputs = await outputsOf(config);
  if (E.isLeft(outputs)) return [];
  return outputs.right.flatMap(({ kind, params }) => {
    const path = params['path'];
    if (kind !== 'file' || typeof path !== 'string') return [];
    if (hasPlaceholder(dirname(path))) return [];
    // Folders with placeholders of the output are made below this one.
    return [dirname(resolve(dirname(config), `${path.replace(/\$?\{.*/s, '')}x`))];
  });
};

/** Includes the folders of files that a rename replaces: settings, startup list, keyring. */
export const writableFolders = async (
  settingsFile: string,
  { settings: { path }, list }: InstanceFiles,
): Promise<readonly string[]> => {
  const outputs = await Promise.all(list.entries.map((entry) => outputFolders(entry.path)));
  const replaced = [settingsFile, path.startup, path.keyring_cryptfile].map((file) => dirname(file));
  return [path.logs, path.state, path.generators_dir, path.scenarios_dir, ...replaced, ...outputs.flat()];
};

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the created folders. systemd refuses a unit with missing ReadWritePaths=. */
export const makeFolders = async (
  folders: readonly string[],
  owner: Owner | null,
): Promise<Result<readonly string[]>> => {
  const made: string[] = [];
  for (const folder of folders) {
    try {
      const first = await mkdir(folder, { recursive: true, mode: 0o750 });
      if (first === undefined) continue;
      made.push(folder);
      for (let at = folder; owner !== null && at.length >= first.length; at = dirname(at)) {
        await chown(at, owner.uid, owner.gid);
      }
    } catch (thrown) {
      return E.left(ioError('unwritable', 'create the folder', folder, thrown));
    }
  }
  return E.right(made);
};

export const ownerOf = async (file: string): Promise<Result<number>> => {
  try {
    return E.right((await stat(file)).uid);
  } catch (thrown) {
    return E.left(ioError('unreadable', 'read', file, thrown));
  }
};
