import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import type { PluginSource } from '../../domain/foreign.js';
import type { Json } from '../../domain/json.js';
import { serialQueue } from '../../domain/waiting.js';
import type { Clock } from '../../ports/clock.js';
import { loadedPlugins, loadedSources } from '../loaded.js';
import { sourcesUsedBy } from './source.js';

/** Loads third-party plugins into this thread when a config first uses them. */
export interface OnDemand {
  /** Returns null when nothing is left to load. */
  readonly forConfig: (config: Json) => Promise<Result<void>> | null;
  readonly all: () => Promise<Result<void>> | null;
}

/** Code of the loader is loaded only where a config uses third-party plugins. */
export const loadOnDemand = (sources: readonly PluginSource[], clock: Pick<Clock, 'after'>): OnDemand => {
  const inTurn = serialQueue();
  const load = async (wanted: readonly PluginSource[]): Promise<Result<void>> => {
    const { installSources } = await import('./load.js');
    return inTurn(async () => {
      const missing = wanted.filter((source) => !loadedSources().includes(source));
      return missing.length === 0 ? E.right(undefined) : installSources(missing, loadedPlugins(), clock);
    });
  };
  const need = (wanted: readonly PluginSource[]): Promise<Result<void>> | null =>
    wanted.every((source) => loadedSources().includes(source)) ? null : load(wanted);
  return { forConfig: (config) => need(sourcesUsedBy(config, sources)), all: () => need(sources) };
};
