import type { Arguments, Expression } from '../parse/ast.js';
import { SyntaxFault } from '../parse/cursor.js';
import { formatInTurn } from '../text/printf.js';
import type { Methods, NativeMethod } from '../values/methods.js';
import { PySlice } from '../values/operations/subscript.js';
import type { Value } from '../values/value.js';
import {
  constantKeywords,
  flatLiteral,
  isPlain,
  keptSource,
  literalArguments,
  literalShape,
  scalarLiteral,
  scalarSource,
} from './constants.js';
import {
  attributeSource,
  BINARY,
  COMPARISONS,
  callSource,
  chargedSource,
  constantCallSource,
  INLINE_TESTS,
  location,
  MOST_ARGUMENTS,
  READS_ONLY,
  TEXT_WRITERS,
} from './operations.js';
import type { Frame } from './unit.js';

const scalar = (frame: Frame, value: Value): string => scalarSource(value) ?? frame.unit.constant(value);

export const readExpression = (frame: Frame, node: Expression): string => {
  if (node.kind === 'list' || node.kind === 'dict') {
    const value = flatLiteral(node);
    if (value !== undefined) return frame.unit.constant(value);
  }
  if (node.kind === 'call') return rangeLiteral(frame, node) ?? expression(frame, node);
  return expression(frame, node);
};

/** `range(1, 9)` with literals: one constant, unless the context replaces `range`. */
const rangeLiteral = (frame: Frame, node: Expression & { kind: 'call' }): string | null => {
  const { target } = node;
  if (target.kind !== 'name' || target.name !== 'range' || !isPlain(node)) return null;
  const values = node.args.map(scalarLiteral);
  if (!values.every((value) => value !== undefined)) return null;
  const memo = frame.unit.constant({ args: values, range: null });
  return `literalRange(${expression(frame, target)},${memo},${location(node.at)})`;
};

const nameOf = (frame: Frame, node: Expression & { kind: 'name' }): string => {
  const variable = frame.scope.find(node.name);
  if (variable === null) return frame.fn.contextName(node.name);
  if (frame.definite.has(variable)) return variable.js;
  return `known(${variable.js},${JSON.stringify(node.name)})`;
};

const list = (frame: Frame, nodes: readonly Expression[]): string =>
  nodes.map((node) => expression(frame, node)).join(',');

/** Arguments as an array; a constant if all are immutable literals. */
const argumentList = (frame: Frame, given: Arguments): string => {
  if (given.starArgs === null) {
    if (given.args.length === 0) return 'NO_ARGS';
    const values = given.args.map(scalarLiteral);
    if (values.every((value) => value !== undefined)) return frame.unit.constant(values);
  }
  const plain = `[${list(frame, given.args)}]`;
  return given.starArgs === null ? plain : `starArgs(${plain},${expression(frame, given.starArgs)})`;
};

/** Keyword arguments as a Map, or `null`. `extra`: source of one more pair, the caller of a call block. */
const keywordMap = (frame: Frame, given: Arguments, extra = ''): string => {
  const pairs = given.kwargs.map(({ key, value }) => `${JSON.stringify(key)},${expression(frame, value)}`);
  if (extra !== '') pairs.push(extra);
  const plain = pairs.length === 0 ? 'null' : `new Map()${pairs.map((pair) => `.set(${pair})`).join('')}`;
  return given.starKwargs === null ? plain : `starKwargs(${plain},${expression(frame, given.starKwargs)})`;
};

export const callExpression = (frame: Frame, node: Expression & { kind: 'call' }, extra = ''): string => {
  const { target, at } = node;
  const literals = extra === '' ? literalArguments(node) : null;
  if (target.kind === 'attribute') {
    const owner = expression(frame, target.target);
    if (literals !== null) return constantCallSource(frame, owner, target.name, literals, location(at));
    const keys = node.kwargs.map(({ key }) => key);
    const isSmall = node.args.length + keys.length <= MOST_ARGUMENTS && extra === '';
    if (isSmall && node.starArgs === null && node.starKwargs === null) {
      const values = [...node.args, ...node.kwargs.map(({ value }) => value)];
      const sources = values.map((value) => expression(frame, value));
      return callSource(frame, owner, target.name, sources, keys, location(at));
    }
    return `callMethod(${owner},${JSON.stringify(target.name)},${argumentList(frame, node)},${keywordMap(frame, node, extra)},${location(at)})`;
  }
  const callee = expression(frame, target);
  if (literals !== null) return `callLiteral(${callee},${frame.unit.constant(literals)},${location(at)})`;
  return `call(${callee},${argumentList(frame, node)},${keywordMap(frame, node, extra)},${location(at)})`;
};

/** A call that may end the render: the signal, or `null`. */
export const endingCall = (
  frame: Frame,
  node: Expression & { kind: 'call' },
  { target, name }: Expression & { kind: 'attribute' },
): string =>
  `endedBy(${expression(frame, target)},${JSON.stringify(name)},${argumentList(frame, node)},${keywordMap(frame, node)},${location(node.at)})`;

/** Maps arguments to parameters at compile time; `null` if that needs values. */
const boundStatically = (frame: Frame, method: NativeMethod<Value>, given: Arguments): string | null => {
  const { signature } = method;
  if (signature === null || given.starArgs !== null || given.starKwargs !== null) return null;
  if (given.args.length > signature.positional) return null;
  if (given.kwargs.some(({ key }) => signature.params.indexOf(key) < given.args.length)) return null;
  const parts: string[] = [];
  for (const [index, param] of signature.params.entries()) {
    const named = given.kwargs.find(({ key }) => key === param)?.value;
    const value = given.args[index] ?? named;
    const fallback = signature.defaults[index];
    if (value !== undefined) parts.push(chargedExpression(frame, value));
    else if (fallback !== undefined) parts.push(scalar(frame, fallback));
    else return null;
  }
  return parts.map((part) => `,${part}`).join('');
};

/** An argument that is charged if long; a literal stays as it is. */
const chargedExpression = (frame: Frame, node: Expression): string => {
  const source = expression(frame, node);
  return scalarLiteral(node) === undefined ? `charged(${source})` : source;
};

const operation = (
  frame: Frame,
  node: (Expression & { kind: 'filter' | 'test' }) | { at: number; name: string; kind: 'filter' | 'test' },
  table: Methods<Value>,
  given: Arguments,
  operand: string,
): string => {
  const method = table.get(node.name);
  if (method === undefined) {
    if (frame.isConditional)
      return `noSuch('${node.kind}',${JSON.stringify(node.name)},${location(node.at)})`;
    throw new SyntaxFault(`No ${node.kind} named '${node.name}'.`, node.at, 'TemplateAssertionError');
  }
  const bound = boundStatically(frame, method, given);
  if (bound !== null && method.signature !== null) {
    return `${frame.unit.constant(method.run)}(${chargedSource(operand, node.at)}${bound},${location(node.at)})`;
  }
  const shared = constantKeywords(given);
  const keywords = shared === null ? keywordMap(frame, given) : frame.unit.constant(shared);
  return `invoke(${[frame.unit.constant(method), operand, argumentList(frame, given), keywords, location(node.at)].join(',')})`;
};

const filterOperand = (frame: Frame, node: Expression & { kind: 'filter' }, operand: string): string => {
  if (node.target === null) return operand;
  if (node.target.kind === 'filter' && operand !== '') return filterExpression(frame, node.target, operand);
  const kept = keptSource(frame, node, expression, filterExpression);
  if (kept !== null) return kept;
  return READS_ONLY.has(node.name) ? readExpression(frame, node.target) : expression(frame, node.target);
};

/** `operand`: source of the value in a filter block. */
export const filterExpression = (frame: Frame, node: Expression & { kind: 'filter' }, operand = ''): string =>
  literalFormat(frame, node) ??
  operation(frame, node, frame.unit.filters, node, filterOperand(frame, node, operand));

/** `'%d-%s' | format(a, b)`: the format is read once. */
const literalFormat = (frame: Frame, node: Expression & { kind: 'filter' }): string | null => {
  if (node.name !== 'format' || node.target?.kind !== 'constant' || !isPlain(node)) return null;
  const { value } = node.target;
  const format = typeof value === 'string' ? formatInTurn(value) : null;
  return format === null
    ? null
    : `formatted(${frame.unit.constant(format)},${argumentList(frame, node)},${location(node.at)})`;
};

const testExpression = (frame: Frame, node: Expression & { kind: 'test' }): string => {
  const operand = readExpression(frame, node.target);
  const inline = Object.hasOwn(INLINE_TESTS, node.name) ? INLINE_TESTS[node.name] : undefined;
  if (inline !== undefined && node.args.length === 0 && isPlain(node)) return `${inline}(${operand})`;
  return operation(frame, node, frame.unit.tests, node, operand);
};

const compareExpression = (frame: Frame, node: Expression & { kind: 'compare' }): string => {
  const parts: string[] = [];
  let left = readExpression(frame, node.first);
  for (const [index, { operator, operand, at }] of node.rest.entries()) {
    let right = readExpression(frame, operand);
    let next = right;
    if (index < node.rest.length - 1) {
      next = frame.fn.temp();
      right = `(${next}=${right})`;
    }
    if (operator === 'in') parts.push(`isIn(${left},${right},${location(at)})`);
    else if (operator === 'not in') parts.push(`!isIn(${left},${right},${location(at)})`);
    else parts.push(`${COMPARISONS[operator] ?? ''}(${left},${right},${location(at)})`);
    left = next;
  }
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join('&&')})`;
};

const conditional = (frame: Frame, node: Expression & { kind: 'conditional' }): string => {
  const soft: Frame = { ...frame, isConditional: true };
  const otherwise =
    node.whenFalse === null ? `noElse(${location(node.at)})` : expression(soft, node.whenFalse);
  return `(${condition(soft, node.condition)}?${expression(soft, node.whenTrue)}:${otherwise})`;
};

/** Text of the selected branch; a missing branch prints nothing. */
const conditionalText = (frame: Frame, node: Expression & { kind: 'conditional' }): string => {
  const soft: Frame = { ...frame, isConditional: true };
  const otherwise = node.whenFalse === null ? '""' : textExpression(soft, node.whenFalse);
  return `(${condition(soft, node.condition)}?${textExpression(soft, node.whenTrue)}:${otherwise})`;
};

const truth = (frame: Frame, node: Expression): string => `truthy(${readExpression(frame, node)})`;

export const condition = (frame: Frame, node: Expression): string => {
  switch (node.kind) {
    case 'compare':
      return compareExpression(frame, node);
    case 'and':
      return `(${condition(frame, node.left)}&&${condition(frame, node.right)})`;
    case 'or':
      return `(${condition(frame, node.left)}||${condition(frame, node.right)})`;
    case 'unary':
      return node.operator === 'not' ? `!${condition(frame, node.operand)}` : truth(frame, node);
    case 'test':
      return Object.hasOwn(INLINE_TESTS, node.name) ? testExpression(frame, node) : truth(frame, node);
    default:
      return truth(frame, node);
  }
};

const slice = (frame: Frame, node: Expression & { kind: 'slice' }): string => {
  const bounds = [node.start, node.stop, node.step];
  const values = bounds.map((each) => (each === null ? null : scalarLiteral(each)));
  const [start, stop, step] = values;
  if (start !== undefined && stop !== undefined && step !== undefined) {
    return frame.unit.constant(new PySlice(start, stop, step));
  }
  return `new PySlice(${bounds.map((each) => (each === null ? 'null' : expression(frame, each))).join(',')})`;
};

const boolean = (frame: Frame, node: Expression & { kind: 'and' | 'or' }): string => {
  const temp = frame.fn.temp();
  const left = `truthy(${temp}=${expression(frame, node.left)})`;
  const right = expression(frame, node.right);
  return node.kind === 'and' ? `(${left}?${right}:${temp})` : `(${left}?${temp}:${right})`;
};

/** Literal keys: a record of values; others: built key by key. */
const dictExpression = (frame: Frame, node: Expression & { kind: 'dict' }): string => {
  const shape = literalShape(node.pairs);
  if (shape === null) return `makeDict([${list(frame, node.pairs.flat())}],${location(node.at)})`;
  const values = node.pairs.map(([, value]) => value);
  return `new PyDict(${frame.unit.constant(shape)},[${list(frame, values)}])`;
};

export const expression = (frame: Frame, node: Expression): string => {
  const literal = scalarLiteral(node);
  if (literal !== undefined) return scalar(frame, literal);
  switch (node.kind) {
    case 'constant':
      return scalar(frame, node.value);
    case 'name':
      return nameOf(frame, node);
    case 'tuple':
      return `new PyTuple([${list(frame, node.items)}])`;
    case 'list':
      return `[${list(frame, node.items)}]`;
    case 'dict':
      return dictExpression(frame, node);
    case 'attribute':
      return attributeSource(frame, expression(frame, node.target), node.name, location(node.at));
    case 'item':
      if (node.key.kind === 'slice') {
        return `getSlice(${expression(frame, node.target)},${slice(frame, node.key)},${location(node.at)})`;
      }
      return `getItem(${readExpression(frame, node.target)},${expression(frame, node.key)},${location(node.at)})`;
    case 'slice':
      return slice(frame, node);
    case 'call':
      return callExpression(frame, node);
    case 'filter':
      return filterExpression(frame, node);
    case 'test':
      return testExpression(frame, node);
    case 'binary':
      return `${BINARY[node.operator] ?? ''}(${expression(frame, node.left)},${expression(frame, node.right)},${location(node.at)})`;
    case 'unary':
      if (node.operator === 'not') return condition(frame, node);
      return `${node.operator === '-' ? 'negate' : 'plus'}(${expression(frame, node.operand)},${location(node.at)})`;
    case 'and':
    case 'or':
      return boolean(frame, node);
    case 'concat':
      return concat(frame, node);
    case 'compare':
      return compareExpression(frame, node);
    case 'conditional':
      return conditional(frame, node);
  }
};

const concat = (frame: Frame, node: Expression & { kind: 'concat' }): string => {
  const [first = '""', ...rest] = node.parts.map((part) => textExpression(frame, part));
  return rest.reduce((left, right) => `cat(${left},${right},${location(node.at)})`, first);
};

export const textExpression = (frame: Frame, node: Expression): string => {
  const literal = scalarLiteral(node);
  if (typeof literal === 'string') return JSON.stringify(literal);
  if (node.kind === 'concat') return concat(frame, node);
  if (node.kind === 'conditional') return conditionalText(frame, node);
  if (node.kind === 'filter' && node.args.length === 0 && isPlain(node) && node.target) {
    const writer = TEXT_WRITERS.get(node.name);
    if (writer !== undefined) return `${writer}(${readExpression(frame, node.target)},${location(node.at)})`;
  }
  const temp = frame.fn.temp();
  return `(typeof(${temp}=${readExpression(frame, node)})==="string"?${temp}:str(${temp},${location(node.at)}))`;
};
