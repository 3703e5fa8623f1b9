import { isLower, isUpper } from '../text/characters.js';
import { type Methods, methods, type NativeMethod } from '../values/methods.js';
import { contains, isNumericText } from '../values/operations/access.js';
import { modulo } from '../values/operations/arithmetic.js';
import {
  equals,
  greater,
  greaterOrEqual,
  hashKey,
  isSame,
  less,
  lessOrEqual,
} from '../values/operations/compare.js';
import { tryIterate } from '../values/operations/iterate.js';
import { str } from '../values/operations/print.js';
import { PyDict } from '../values/types/dict.js';
import { MarkupText, textOf } from '../values/types/markup.js';
import { PyRange, PyTuple } from '../values/types/sequences.js';
import { Undefined } from '../values/types/undefined.js';
import { floatValue, isInt, TemplateObject, type Value } from '../values/value.js';

const isSequence = (value: Value): boolean =>
  Array.isArray(value) ||
  textOf(value) !== null ||
  value instanceof PyTuple ||
  value instanceof PyDict ||
  value instanceof PyRange ||
  value instanceof Undefined ||
  (value instanceof TemplateObject && value.size() !== undefined && !/^(?:dict_|set$)/.test(value.typeName));

const isCallable = (value: Value): boolean =>
  typeof value === 'function' || (value instanceof TemplateObject && value.isCallable());

const isNamed = (table: Methods<Value>, name: Value): boolean => {
  const key = hashKey(name);
  return typeof key === 'string' && table.has(key);
};

const ALIASES: Readonly<Record<string, string>> = {
  '==': 'eq',
  equalto: 'eq',
  '!=': 'ne',
  '>': 'gt',
  greaterthan: 'gt',
  '>=': 'ge',
  '<': 'lt',
  lessthan: 'lt',
  '<=': 'le',
};

export const makeTests = (filters: Methods<Value>): Methods<Value> => {
  const tests: Map<string, NativeMethod<Value>> = new Map<string, NativeMethod<Value>>(
    methods<Value>({
      'odd()': (value) => equals(modulo(value, 2), 1),
      'even()': (value) => equals(modulo(value, 2), 0),
      'divisibleby(num)': (value, num) => equals(modulo(value, num), 0),
      'defined()': (value) => !(value instanceof Undefined),
      'undefined()': (value) => value instanceof Undefined,
      'filter()': (value) => isNamed(filters, value),
      'test()': (value) => isNamed(tests, value),
      'none()': (value) => value === null,
      'boolean()': (value) => typeof value === 'boolean',
      'false()': (value) => value === false,
      'true()': (value) => value === true,
      'integer()': (value) => isInt(value),
      'float()': (value) => floatValue(value) !== undefined,
      'lower()': (value) => isLower(str(value)),
      'upper()': (value) => isUpper(str(value)),
      'string()': (value) => textOf(value) !== null,
      'mapping()': (value) => value instanceof PyDict,
      'number()': isNumericText,
      'sequence()': isSequence,
      'iterable()': (value) => tryIterate(value) !== null,
      'callable()': isCallable,
      'sameas(other)': isSame,
      'escaped()': (value) => value instanceof MarkupText,
      'in(seq)': (value, sequence) => contains(sequence, value),
      'eq(other)': equals,
      'ne(other)': (value, other) => !equals(value, other),
      'gt(other)': greater,
      'ge(other)': greaterOrEqual,
      'lt(other)': less,
      'le(other)': lessOrEqual,
    }),
  );
  for (const [alias, name] of Object.entries(ALIASES)) {
    const test = tests.get(name);
    if (test !== undefined) tests.set(alias, test);
  }
  return tests;
};
