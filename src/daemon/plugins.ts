import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../adapters/systemClock.js';
import type { Settings } from '../config/settings/settings.js';
import type { Result } from '../domain/errors.js';
import { install } from '../plugins/loaded.js';

/** Installs the plugins of the settings, or none: an instance before may have had some. The loader is loaded only for them. */
export const installForeign = async ({
  plugins: { entries, folder },
}: Pick<Settings, 'plugins'>): Promise<Result<void>> => {
  if (entries.length === 0) {
    install([]);
    return E.right(undefined);
  }
  const { installPlugins } = await import('../plugins/foreign/load.js');
  return installPlugins(
    entries.map((entry) => ({ entry, folder })),
    systemClock,
  );
};
