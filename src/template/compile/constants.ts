import type { Arguments, Expression } from '../parse/ast.js';
import { KeptValue } from '../runtime/sites.js';
import { negate } from '../values/operations/arithmetic.js';
import { type DictShape, PyDict, shapeOf } from '../values/types/dict.js';
import { PyTuple } from '../values/types/sequences.js';
import type { Value } from '../values/value.js';
import type { Frame } from './unit.js';

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

/** Their result depends on the operand and the arguments only. */
const PURE = new Set(['selectattr', 'rejectattr', 'select', 'reject', 'unique', 'list', 'sort']);
/** Those of `PURE` that give a list. What the others give can be read only once. */
const LISTS = new Set(['list', 'sort']);
/** They return an item or a number, never the list. */
const READERS = new Set(['random', 'first', 'last', 'length', 'count']);

type Filter = Expression & { kind: 'filter' };

const isPure = (node: Filter): boolean =>
  PURE.has(node.name) && isPlain(node) && node.args.every((arg) => flatLiteral(arg) !== undefined);

/** The chain with the result of `base` as its operand. */
interface Chain {
  readonly base: Expression;
  readonly filters: Filter;
}

const chainOf = (node: Filter): Chain | null => {
  const { target } = node;
  if (!isPure(node) || target === null) return null;
  if (target.kind === 'filter') {
    const inner = chainOf(target);
    return inner === null ? null : { base: inner.base, filters: { ...node, target: inner.filters } };
  }
  const isOfName = target.kind === 'attribute' && target.target.kind === 'name';
  return isOfName ? { base: target, filters: { ...node, target: null } } : null;
};

/**
 * Compiles `samples.users | selectattr('admin') | list` in front of a filter that only reads it, so that it is made
 * once while its operand is the same constant object. Returns null when it is not such an expression.
 */
export const keptSource = (
  frame: Frame,
  reader: Filter,
  expression: (frame: Frame, node: Expression) => string,
  filterExpression: (frame: Frame, node: Filter, operand: string) => string,
): string | null => {
  const { target } = reader;
  if (!READERS.has(reader.name) || target?.kind !== 'filter' || !LISTS.has(target.name)) return null;
  const chain = chainOf(target);
  if (chain === null) return null;
  const kept = frame.unit.constant(new KeptValue());
  const owner = frame.fn.temp();
  const made = filterExpression(frame, chain.filters, owner);
  return `((${owner}=${expression(frame, chain.base)})===${kept}.owner?${kept}.value:keep(${kept},${owner},${made}))`;
};
