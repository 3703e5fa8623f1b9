import type { Random } from '../../domain/random.js';
import { indented, jsonText } from '../modules/jsonText.js';
import { charactersOf } from '../text/codePoints.js';
import { PyMarkup } from '../text/markupValue.js';
import { getItem, onlyAttribute } from '../values/access.js';
import { PyDict } from '../values/dict.js';
import { raise } from '../values/fault.js';
import { iterate, PyIterator } from '../values/iterate.js';
import { textOf } from '../values/markup.js';
import { invoke, type Method, type Methods, methods, rawMethods } from '../values/method.js';
import { repr, str } from '../values/print.js';
import { PyRange } from '../values/range.js';
import { truthy } from '../values/truth.js';
import { Undefined, undefinedBecause } from '../values/undefined.js';
import { type Kwargs, orElse, type Value } from '../values/value.js';
import { attributeGetter } from './attributes.js';
import { pretty } from './prettyPrint.js';
import { lengthOfValue } from './sequences.js';
import { urlize } from './urlize.js';

/** What filters that need the environment get of it. The tables are complete when the first one runs. */
export interface FilterServices {
  readonly random: () => Random;
  readonly filters: () => Methods<Value>;
  readonly tests: () => Methods<Value>;
}

const named = (table: Methods<Value>, kind: string, name: Value): Method<Value> => {
  const text = textOf(name);
  const found = text === null ? undefined : table.get(text);
  return found ?? raise('TemplateRuntimeError', `No ${kind} named ${repr(name)}.`);
};

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

/** The check of `select` and its like; with `attr` its first argument names an attribute. */
const checker = (
  services: FilterServices,
  args: readonly Value[],
  kwargs: Kwargs | null,
  hasAttribute: boolean,
): ((item: Value) => boolean) => {
  const [attribute] = args;
  if (hasAttribute && attribute === undefined) {
    return raise('FilterArgumentError', 'Missing parameter for attribute name');
  }
  const getter = hasAttribute ? attributeGetter(attribute ?? null) : null;
  const [name, ...rest] = hasAttribute ? args.slice(1) : args;
  const of = (item: Value): Value => (getter === null ? item : getter(item));
  if (name === undefined) return (item) => truthy(of(item));
  let test: Method<Value> | null = null;
  return (item) => {
    test ??= named(services.tests(), 'test', name);
    return truthy(invoke(test, of(item), rest, kwargs));
  };
};

const selector =
  (services: FilterServices, hasAttribute: boolean, isKept: boolean) =>
  (value: Value, args: readonly Value[], kwargs: Kwargs | null): Value => {
    function* chosen(): Generator<Value> {
      if (!truthy(value)) return;
      const check = checker(services, args, kwargs, hasAttribute);
      for (const item of iterate(value)) if (check(item) === isKept) yield item;
    }
    return new PyIterator(chosen());
  };

const mapped =
  (services: FilterServices) =>
  (value: Value, args: readonly Value[], kwargs: Kwargs | null): Value => {
    function* results(): Generator<Value> {
      if (!truthy(value)) return;
      const change = mapper(services, args, kwargs);
      for (const item of iterate(value)) yield change(item);
    }
    return new PyIterator(results());
  };

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
  const size = lengthOfValue(value);
  if (size === 0) return nothingToPick();
  const index = random.integer(0, size - 1);
  if (value instanceof PyDict) return orElse(value.get(index), () => raise('KeyError', String(index)));
  const found = getItem(value, index);
  return found instanceof Undefined ? raise('TypeError', `${repr(value)} cannot be indexed`) : found;
};

const nothingToPick = (): Undefined => undefinedBecause('No random item, sequence was empty.');

/** Filters that call others, draw, or look at attributes. */
export const higherFilters = (services: FilterServices): Methods<Value> =>
  new Map([
    ...methods<Value>({
      "default(default_value='', boolean=False)": (value, fallback, isBoolean) =>
        value instanceof Undefined || (truthy(isBoolean) && !truthy(value)) ? fallback : value,
      'attr(name)': (value, name) => onlyAttribute(value, str(name)),
      'random()': (value) => pick(services.random(), value),
      'tojson(indent=None)': (value, indent) =>
        new PyMarkup(indent === null ? jsonText(value) : jsonText(value, indented(indent))),
      'pprint()': (value) => pretty(value),
      'urlize(trim_url_limit=None, nofollow=False, target=None, rel=None, extra_schemes=None)': urlize,
    }),
    ...rawMethods<Value>({
      map: mapped(services),
      select: selector(services, false, true),
      reject: selector(services, false, false),
      selectattr: selector(services, true, true),
      rejectattr: selector(services, true, false),
    }),
  ]);
