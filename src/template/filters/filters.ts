import { weigh } from '../limits.js';
import type { Method, Methods } from '../values/method.js';
import type { Value } from '../values/value.js';
import { type FilterServices, higherFilters } from './higher.js';
import { NUMBER_FILTERS } from './numbers.js';
import { SEQUENCE_FILTERS } from './sequences.js';
import { TEXT_FILTERS } from './texts.js';

/** Second names. */
const ALIASES: Readonly<Record<string, string>> = { count: 'length', d: 'default', e: 'escape' };

/** Filters of texts, with the length of the text taken from the budget. */
const weighed = (filters: Methods<Value>): Methods<Value> =>
  new Map(
    [...filters].map(([name, filter]): [string, Method<Value>] => {
      if (filter.signature === null) return [name, filter];
      const { signature, run } = filter;
      // The frequent ones have no arguments besides the text: theirs are not gathered and spread.
      const isPlain = signature.params.length === 0;
      return [
        name,
        {
          signature,
          run: isPlain
            ? (value) => {
                if (typeof value === 'string') weigh(value);
                return run(value);
              }
            : (value, ...args) => {
                if (typeof value === 'string') weigh(value);
                return run(value, ...args);
              },
        },
      ];
    }),
  );

const WEIGHED_TEXT_FILTERS = weighed(TEXT_FILTERS);

/** Every built-in filter by name. */
export const makeFilters = (services: FilterServices): Methods<Value> => {
  const filters = new Map<string, Method<Value>>([
    ...WEIGHED_TEXT_FILTERS,
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
