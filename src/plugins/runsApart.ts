import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../domain/json.js';
import { compilePattern } from './events/replay/pattern.js';

const hasEndlessPattern = (source: Json | undefined): boolean => {
  if (typeof source !== 'string') return false;
  const pattern = compilePattern(source);
  return E.isRight(pattern) && !pattern.right.isLinear;
};

/** Event plugins that may keep their thread busy without end, by name. */
const MAY_HANG: Readonly<Record<string, (params: Json | undefined) => boolean>> = {
  script: () => true,
  replay: (params) => isJsonObject(params) && hasEndlessPattern(params['timestamp_pattern']),
};

/**
 * Whether a generator with this config needs a thread of its own: its event plugin runs code of the user, searches with
 * a pattern that may backtrack without end, or (`doTemplatesBlock`) renders templates that run programs.
 */
export const runsApart = (config: Json, doTemplatesBlock: boolean): boolean => {
  const event = isJsonObject(config) ? config['event'] : undefined;
  if (!isJsonObject(event)) return false;
  return Object.entries(event).some(
    ([name, params]) => MAY_HANG[name]?.(params) === true || (doTemplatesBlock && name === 'template'),
  );
};
