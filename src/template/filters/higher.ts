import type { Random } from '../../domain/random/random.js';
import { indentedJson, indentedOrderedJson, jsonText, orderedJson } from '../modules/jsonText.js';
import { charactersOf } from '../text/codePoints.js';
import { PyMarkup } from '../text/markupValue.js';
import { invoke, type Method, type Methods, methods, rawMethods } from '../values/calls/method.js';
import { raise } from '../values/fault.js';
import { getItem, onlyAttribute } from '../values/operations/access.js';
import { repr, str } from '../values/operations/print.js';
import { truthy } from '../values/operations/truth.js';
import { PyDict } from '../values/types/dict.js';
import { PyRange } from '../values/types/range.js';
import { Undefined, undefinedBecause } from '../values/types/undefined.js';
import { isObject, type Kwargs, orElse, type Value } from '../values/value.js';
import { attributeGetter } from './attributes.js';
import { lazily } from './lazy.js';
import { pretty } from './prettyPrint.js';
import { named, selector } from './selection.js';
import { lengthOfValue } from './sequences.js';
import { urlize } from './urlize.js';

/** Services of the environment. The tables are complete when the first filter runs. */
export interface FilterServices {
  readonly random: () => Random;
  readonly filters: () => Methods<Value>;
  readonly tests: () => Methods<Value>;
}

const mapper = (
  services: FilterServices,
  args: readonly Value[],
  kwargs: Kwargs | null,
): ((item: Value) => Value) => {
  const attribute = kwargs?.get('attribute');
  if (args.length === 0 && attribute !== undefined) {
    for (const key of kwargs?.keys() ?? []) {
      if (key !== 'attribute' && key !== 'default') {
        return raise('FilterArgumentError', `Unexpected keyword argument ${repr(key)}`);
      }
    }
    return attributeGetter(attribute, null, kwargs?.get('default') ?? null);
  }
  const [name, ...rest] = args;
  if (name === undefined) return raise('FilterArgumentError', 'map requires a filter argument');
  let filter: Method<Value> | null = null;
  return (item) => {
    filter ??= named(services.filters(), 'filter', name);
    return invoke(filter, item, rest, kwargs);
  };
};

const mapped =
  (services: FilterServices) =>
  (value: Value, args: readonly Value[], kwargs: Kwargs | null): Value =>
    lazily(value, () => mapper(services, args, kwargs));

const pick = (random: Random, value: Value): Value => {
  if (Array.isArray(value)) {
    return value.length === 0 ? nothingToPick() : (value[random.integer(0, value.length - 1)] ?? null);
  }
  if (value instanceof PyRange) {
    return value.length === 0 ? nothingToPick() : value.at(random.integer(0, value.length - 1));
  }
  if (typeof value === 'string') {
    const characters = charactersOf(value);
    return characters.length === 0
      ? nothingToPick()
      : (characters[random.integer(0, characters.length - 1)] ?? null);
  }
  const elements = isObject(value) ? value.elements() : undefined;
  if (elements !== undefined) {
    return elements.length === 0
      ? nothingToPick()
      : (elements[random.integer(0, elements.length - 1)] ?? null);
  }
  const size = lengthOfValue(value);
  if (size === 0) return nothingToPick();
  const index = random.integer(0, size - 1);
  if (value instanceof PyDict) return orElse(value.get(index), () => raise('KeyError', String(index)));
  const found = getItem(value, index);
  return found instanceof Undefined ? raise('TypeError', `${repr(value)} cannot be indexed`) : found;
};

const nothingToPick = (): Undefined => undefinedBecause('No random item, sequence was empty.');

/** Filters that call others, draw random numbers, or read attributes. */
export const higherFilters = (services: FilterServices): Methods<Value> =>
  new Map([
    ...methods<Value>({
      "default(default_value='', boolean=False)": (value, fallback, isBoolean) =>
        value instanceof Undefined || (truthy(isBoolean) && !truthy(value)) ? fallback : value,
      'attr(name)': (value, name) => onlyAttribute(value, str(name)),
      'random()': (value) => pick(services.random(), value),
      'tojson(indent=None)': (value, indent) =>
        new PyMarkup(indent === null ? jsonText(value) : indentedJson(value, indent)),
      'json(indent=None)': (value, indent) =>
        indent === null ? orderedJson(value) : indentedOrderedJson(value, indent),
      'pprint()': (value) => pretty(value),
      'urlize(trim_url_limit=None, nofollow=False, target=None, rel=None, extra_schemes=None)': urlize,
    }),
    ...rawMethods<Value>({
      map: mapped(services),
      select: selector(services.tests, false, true),
      reject: selector(services.tests, false, false),
      selectattr: selector(services.tests, true, true),
      rejectattr: selector(services.tests, true, false),
    }),
  ]);
