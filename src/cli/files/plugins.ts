import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import type { Result } from '../../domain/errors.js';
import type { Io } from '../terminal/io.js';
import { readSettingsFile } from './settings.js';

interface PluginValues {
  readonly plugin?: readonly string[] | undefined;
  /** Settings file. */
  readonly config?: string | undefined;
}

/** A file may be named without `./` on a command line. */
export const entryOf = (text: string, cwd: string): string =>
  !/^\.{0,2}\//.test(text) && existsSync(resolve(cwd, text)) ? `./${text}` : text;

/** Installs the plugins of `--plugin` and of the settings. */
export const installNamed = async (
  { plugin = [], config }: PluginValues,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<Result<void>> => {
  const settings = config === undefined ? null : await readSettingsFile(resolve(cwd, config));
  if (settings !== null && E.isLeft(settings)) return settings;
  const { entries, folder } = settings === null ? { entries: [], folder: cwd } : settings.right.plugins;
  const wanted = [
    ...entries.map((entry) => ({ entry, folder })),
    ...plugin.map((text) => ({ entry: entryOf(text, cwd), folder: cwd })),
  ];
  if (wanted.length === 0) return E.right(undefined);
  const { installPlugins } = await import('../../plugins/thirdParty/load.js');
  return installPlugins(wanted, systemClock);
};
