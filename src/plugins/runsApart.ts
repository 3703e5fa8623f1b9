import { isJsonObject, type Json } from '../domain/json.js';
import { sourcesUsedBy } from './foreign/source.js';
import type { EventSpec } from './kit.js';
import { loadedSources } from './loaded.js';
import { PLUGIN_SPECS } from './specs.js';

const EVENTS: Readonly<Record<string, Pick<EventSpec, 'mayBlock'>>> = PLUGIN_SPECS.event;

/**
 * Whether a generator with this config needs a thread of its own: its event plugin, or a plugin of others, may block
 * without end.
 */
export const runsApart = (config: Json, allowsSubprocess: boolean): boolean => {
  if (sourcesUsedBy(config, loadedSources()).length > 0) return true;
  const event = isJsonObject(config) ? config['event'] : undefined;
  if (!isJsonObject(event)) return false;
  return Object.entries(event).some(
    ([name, params]) =>
      Object.hasOwn(EVENTS, name) && EVENTS[name]?.mayBlock?.(params, { allowsSubprocess }) === true,
  );
};
