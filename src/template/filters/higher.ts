import type { Random } from '../../domain/random.js';
import { raise } from '../errors.js';
import { checkGrown, spend } from '../limits.js';
import { indentedJson, indentedOrderedJson, jsonText, orderedJson } from '../modules/jsonText.js';
import { PyMarkup } from '../text/markupValue.js';
import { charactersOf } from '../text/pieces.js';
import { invoke, type Methods, methods, type NativeMethod, rawMethods } from '../values/methods.js';
import { getItem, onlyAttribute } from '../values/operations/access.js';
import { truthy } from '../values/operations/compare.js';
import { iterate, PyIterator, type Source } from '../values/operations/iterate.js';
import { repr, str } from '../values/operations/print.js';
import { PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { PyRange } from '../values/types/sequences.js';
import { Undefined, undefinedBecause } from '../values/types/undefined.js';
import { isObject, type Kwargs, orElse, type Value } from '../values/value.js';
import { pretty } from './prettyPrint.js';
import { attributeGetter, type Getter, lengthOfValue } from './sequences.js';
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
  let filter: NativeMethod<Value> | null = null;
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

const named = (table: Methods<Value>, kind: string, name: Value): NativeMethod<Value> => {
  const text = textOf(name);
  const found = text === null ? undefined : table.get(text);
  return found ?? raise('TemplateRuntimeError', `No ${kind} named ${repr(name)}.`);
};

type Check = (item: Value) => boolean;

/** The test on a getter's result; resolved at the first element. */
const checkOf = (
  tests: () => Methods<Value>,
  getter: Getter | null,
  name: Value,
  args: readonly Value[],
  kwargs: Kwargs | null,
): Check => {
  const of = (item: Value): Value => (getter === null ? item : getter(item));
  let test: NativeMethod<Value> | null = null;
  const [expected] = args;
  // Comparisons such as `equalto` skip the table.
  let compare: ((value: Value, other: Value) => Value) | null = null;
  const isPlain = args.length === 1 && kwargs === null;
  return (item) => {
    if (test === null) {
      test = named(tests(), 'test', name);
      if (isPlain && test.signature !== null && test.signature.params.length === 1) compare = test.run;
    }
    return truthy(
      compare === null || expected === undefined
        ? invoke(test, of(item), args, kwargs)
        : compare(of(item), expected),
    );
  };
};

const checker = (
  tests: () => Methods<Value>,
  args: readonly Value[],
  kwargs: Kwargs | null,
  hasAttribute: boolean,
): Check => {
  const [attribute] = args;
  if (hasAttribute && attribute === undefined) {
    return raise('FilterArgumentError', 'Missing parameter for attribute name');
  }
  const getter = hasAttribute ? attributeGetter(attribute ?? null) : null;
  const [name, ...rest] = hasAttribute ? args.slice(1) : args;
  if (name !== undefined) return checkOf(tests, getter, name, rest, kwargs);
  return (item) => truthy(getter === null ? item : getter(item));
};

/** `select`, `reject`, `selectattr`, `rejectattr`. */
const selector =
  (tests: () => Methods<Value>, hasAttribute: boolean, isKept: boolean) =>
  (value: Value, args: readonly Value[], kwargs: Kwargs | null): Value =>
    lazily(value, () => {
      const check = checker(tests, args, kwargs, hasAttribute);
      return (item) => (check(item) === isKept ? item : undefined);
    });

/** Maps an element; `undefined` skips it. */
type Step = (item: Value) => Value | undefined;

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };
const NONE: readonly Value[] = [];

/** A lazy filter result. Not a JavaScript generator: `rest` reads a list several times faster. */
class Lazy implements Source {
  private step: Step | null = null;
  /** A list, or the iterator of an object. */
  private items: readonly Value[] = NONE;
  private others: Iterator<Value> | null = null;
  private at = 0;

  constructor(
    private readonly value: Value,
    private readonly prepare: () => Step,
  ) {}

  /** Runs at the first element: argument errors appear now, and never for an empty value. */
  private begin(): Step {
    const { value } = this;
    if (!truthy(value)) return () => undefined;
    const step = this.prepare();
    const items = Array.isArray(value) ? value : isObject(value) ? value.elements() : undefined;
    if (items === undefined) this.others = iterate(value)[Symbol.iterator]();
    else {
      spend(items.length);
      this.items = items;
    }
    return step;
  }

  private following(): Value | undefined {
    this.step ??= this.begin();
    const { step, items, others } = this;
    // The list may grow during the loop.
    while (this.at < items.length) {
      const made = step(items[this.at++] as Value);
      if (made !== undefined) return made;
    }
    if (others === null) return undefined;
    for (let next = others.next(); next.done !== true; next = others.next()) {
      const made = step(next.value);
      if (made !== undefined) return made;
    }
    return undefined;
  }

  next(): IteratorResult<Value> {
    const value = this.following();
    return value === undefined ? END : { done: false, value };
  }

  rest(): Value[] {
    const all: Value[] = [];
    for (let item = this.following(); item !== undefined; item = this.following()) {
      all.push(item);
      if ((all.length & 0xfff) === 0) checkGrown(all.length);
    }
    return all;
  }
}

/** `prepare` creates the step once, at the first element. */
const lazily = (value: Value, prepare: () => Step): PyIterator => new PyIterator(new Lazy(value, prepare));
