import type { Expression } from '../parse/ast.js';
import { KeptValue } from '../runtime/kept.js';
import { flatLiteral, isPlain } from './literals.js';
import type { Frame } from './unit.js';

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
