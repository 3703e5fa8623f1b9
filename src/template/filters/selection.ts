import { invoke, type Method, type Methods } from '../values/calls/method.js';
import { raise } from '../values/fault.js';
import { repr } from '../values/operations/print.js';
import { truthy } from '../values/operations/truth.js';
import { textOf } from '../values/types/markup.js';
import type { Kwargs, Value } from '../values/value.js';
import { attributeGetter, type Getter } from './attributes.js';
import { lazily } from './lazy.js';

export const named = (table: Methods<Value>, kind: string, name: Value): Method<Value> => {
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
  let test: Method<Value> | null = null;
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
export const selector =
  (tests: () => Methods<Value>, hasAttribute: boolean, isKept: boolean) =>
  (value: Value, args: readonly Value[], kwargs: Kwargs | null): Value =>
    lazily(value, () => {
      const check = checker(tests, args, kwargs, hasAttribute);
      return (item) => (check(item) === isKept ? item : undefined);
    });
