import type { Arguments, Expression } from '../parse/ast.js';
import { negate } from '../values/operations/arithmetic.js';
import { type DictShape, PyDict, shapeOf } from '../values/types/dict.js';
import { PyTuple } from '../values/types/tuple.js';
import type { Value } from '../values/value.js';

/** The value of an immutable literal; `undefined` otherwise. */
export const scalarLiteral = (node: Expression): Value | undefined => {
  if (node.kind === 'constant') return node.value;
  if (node.kind === 'unary' && node.operator === '-' && node.operand.kind === 'constant') {
    const value = node.operand.value;
    return typeof value === 'string' || value === null || typeof value === 'boolean'
      ? undefined
      : negate(value);
  }
  if (node.kind !== 'tuple') return undefined;
  const items = node.items.map(scalarLiteral);
  return items.every((item) => item !== undefined) ? new PyTuple(items) : undefined;
};

/** The value of a literal with immutable elements: a constant unless the list or dict is kept or changed. */
export const flatLiteral = (node: Expression): Value | undefined => {
  if (node.kind === 'list') {
    const items = node.items.map(scalarLiteral);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (node.kind !== 'dict') return scalarLiteral(node);
  const dict = new PyDict();
  for (const [key, value] of node.pairs) {
    const [k, v] = [scalarLiteral(key), scalarLiteral(value)];
    if (k === undefined || v === undefined) return undefined;
    dict.set(k, v);
  }
  return dict;
};

/** The shared shape of a literal's dicts; `null` without literal keys. */
export const literalShape = (pairs: readonly (readonly [Expression, Expression])[]): DictShape | null => {
  const keys = pairs.map(([key]) => scalarLiteral(key));
  return keys.length > 0 && keys.every((key) => key !== undefined) ? shapeOf(keys) : null;
};

/** Source of an immutable value; `null` if it must be a named constant. */
export const scalarSource = (value: Value): string | null => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? `(${value})` : null;
    case 'boolean':
      return String(value);
    default:
      return value === null ? 'null' : null;
  }
};

/** True without keyword and starred arguments. */
export const isPlain = (given: Arguments): boolean =>
  given.kwargs.length === 0 && given.starArgs === null && given.starKwargs === null;

/** All arguments if they are constants and one is a list or dict; else `null`. */
export const literalArguments = (given: Arguments): readonly Value[] | null => {
  if (!isPlain(given) || !given.args.some(({ kind }) => kind === 'list' || kind === 'dict')) return null;
  const values = given.args.map(flatLiteral);
  return values.every((value) => value !== undefined) ? values : null;
};

/** Keyword arguments that are all immutable literals, for filters and tests, which only read them; else `null`. */
export const constantKeywords = ({ kwargs, starKwargs }: Arguments): ReadonlyMap<string, Value> | null => {
  const values = kwargs.map(({ value }) => scalarLiteral(value));
  if (kwargs.length === 0 || starKwargs !== null || values.includes(undefined)) return null;
  return new Map(kwargs.map(({ key }, place) => [key, values[place] ?? null]));
};
