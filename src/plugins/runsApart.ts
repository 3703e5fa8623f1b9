import { isJsonObject, type Json } from '../domain/json.js';
import { sourcesUsedBy } from './foreign/source.js';
import type { MayBlock } from './kit.js';
import { loadedSources } from './loaded.js';
import { PLUGIN_SPECS } from './specs.js';

type Specs = Readonly<Record<string, MayBlock>>;

const INPUTS: Specs = PLUGIN_SPECS.input;
const EVENTS: Specs = PLUGIN_SPECS.event;

const mayBlock = (entry: Json | undefined, specs: Specs, allowsSubprocess: boolean): boolean =>
  isJsonObject(entry) &&
  Object.entries(entry).some(
    ([name, params]) =>
      Object.hasOwn(specs, name) && specs[name]?.mayBlock?.(params, { allowsSubprocess }) === true,
  );

/**
 * Whether a generator with this config needs a thread of its own: an input, its event plugin, or a plugin of others, may
 * block without end.
 */
export const runsApart = (config: Json, allowsSubprocess: boolean): boolean => {
  if (sourcesUsedBy(config, loadedSources()).length > 0) return true;
  if (!isJsonObject(config)) return false;
  const { input, event } = config;
  const inputs = Array.isArray(input) ? input : [input];
  return (
    mayBlock(event, EVENTS, allowsSubprocess) ||
    inputs.some((entry) => mayBlock(entry, INPUTS, allowsSubprocess))
  );
};
