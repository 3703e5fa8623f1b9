import type { Method, Methods } from '../values/calls/method.js';
import type { Value } from '../values/value.js';
import { type FilterServices, higherFilters } from './higher.js';
import { NUMBER_FILTERS } from './numbers.js';
import { SEQUENCE_FILTERS } from './sequences.js';
import { TEXT_FILTERS } from './texts.js';

const ALIASES: Readonly<Record<string, string>> = { count: 'length', d: 'default', e: 'escape' };

export const makeFilters = (services: FilterServices): Methods<Value> => {
  const filters = new Map<string, Method<Value>>([
    ...TEXT_FILTERS,
    ...SEQUENCE_FILTERS,
    ...NUMBER_FILTERS,
    ...higherFilters(services),
  ]);
  for (const [alias, name] of Object.entries(ALIASES)) {
    const filter = filters.get(name);
    if (filter !== undefined) filters.set(alias, filter);
  }
  return filters;
};
