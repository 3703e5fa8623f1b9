import { isJsonObject, type Json } from '../domain/json.js';
import type { MayBlock } from './kit.js';
import { loadedSources } from './loaded.js';
import { mayPatternBacktrack } from './shared/fields.js';
import { PLUGIN_SPECS } from './specs.js';
import { sourcesUsedBy } from './thirdParty/onDemand.js';

type Specs = Readonly<Record<string, MayBlock>>;

const INPUTS: Specs = PLUGIN_SPECS.input;
const EVENTS: Specs = PLUGIN_SPECS.event;

const mayBlock = (entry: Json | undefined, specs: Specs, allowsSubprocess: boolean): boolean =>
  isJsonObject(entry) &&
  Object.entries(entry).some(
    ([name, params]) =>
      Object.hasOwn(specs, name) && specs[name]?.mayBlock?.(params, { allowsSubprocess }) === true,
  );

/** Whether the search for the timestamps of a wrong clock may block. */
const mayClockBlock = (output: Json | undefined): boolean =>
  isJsonObject(output) &&
  Object.values(output).some((params) => {
    const imperfections = isJsonObject(params) ? params['imperfections'] : undefined;
    const clock = isJsonObject(imperfections) ? imperfections['clock'] : undefined;
    return isJsonObject(clock) && mayPatternBacktrack(clock);
  });

/**
 * Whether a generator with this config needs a thread of its own: an input, its event plugin, the clock of an output, or a
 * third-party plugin, may block without end.
 */
export const runsApart = (config: Json, allowsSubprocess: boolean): boolean => {
  if (sourcesUsedBy(config, loadedSources()).length > 0) return true;
  if (!isJsonObject(config)) return false;
  const { input, event, output } = config;
  const inputs = Array.isArray(input) ? input : [input];
  const outputs = Array.isArray(output) ? output : [output];
  return (
    mayBlock(event, EVENTS, allowsSubprocess) ||
    inputs.some((entry) => mayBlock(entry, INPUTS, allowsSubprocess)) ||
    outputs.some(mayClockBlock)
  );
};
