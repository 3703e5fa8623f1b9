import { argumentsOf } from './arguments.js';
import type { Arguments, BinaryOperator, CompareOperator, Expression } from './ast.js';
import type { Cursor } from './cursor.js';
import { COMPARE, CONSTANTS, type Expressions } from './grammar.js';
import { fail } from './syntaxFault.js';
import { described } from './token.js';

const NO_ARGUMENTS: Arguments = { args: [], kwargs: [], starArgs: null, starKwargs: null };

export const expressionRules = (cursor: Cursor): Expressions => {
  const { current, next, look, is, isName, skip, skipName, expect } = cursor;
  const at = (): number => current().at;

  const expression = (): Expression => cursor.deeper(conditional);

  const conditional = (): Expression => {
    let node = or();
    while (isName('if')) {
      const place = next().at;
      const condition = or();
      const whenFalse = skipName('else') ? expression() : null;
      node = { kind: 'conditional', condition, whenTrue: node, whenFalse, at: place };
    }
    return node;
  };

  const or = (): Expression => {
    let left = and();
    while (isName('or')) left = { kind: 'or', at: next().at, left, right: and() };
    return left;
  };

  const and = (): Expression => {
    let left = not();
    while (isName('and')) left = { kind: 'and', at: next().at, left, right: not() };
    return left;
  };

  const not = (): Expression => {
    if (!isName('not')) return compare();
    const place = next().at;
    return { kind: 'unary', operator: 'not', operand: cursor.deeper(not), at: place };
  };

  const compare = (): Expression => {
    const first = sum();
    const rest: { operator: CompareOperator; operand: Expression; at: number }[] = [];
    for (;;) {
      const place = at();
      if (COMPARE.includes(current().type)) {
        rest.push({ operator: next().type as CompareOperator, operand: sum(), at: place });
      } else if (skipName('in')) rest.push({ operator: 'in', operand: sum(), at: place });
      else if (isName('not') && look().type === 'name' && look().value === 'in') {
        next();
        next();
        rest.push({ operator: 'not in', operand: sum(), at: place });
      } else break;
    }
    const [one] = rest;
    return one === undefined ? first : { kind: 'compare', first, rest, at: one.at };
  };

  const binary =
    (operators: readonly string[], operand: () => Expression): (() => Expression) =>
    () => {
      let left = operand();
      while (operators.includes(current().type)) {
        const token = next();
        left = {
          kind: 'binary',
          operator: token.type as BinaryOperator,
          left,
          right: operand(),
          at: token.at,
        };
      }
      return left;
    };

  const unary = (isWithFilter = true): Expression => {
    const token = current();
    let node: Expression;
    if (token.type === '-' || token.type === '+') {
      next();
      node = {
        kind: 'unary',
        operator: token.type,
        operand: cursor.deeper(() => unary(false)),
        at: token.at,
      };
    } else node = primary();
    node = postfix(node);
    return isWithFilter ? filterExpression(node) : node;
  };

  const power = binary(['**'], unary);
  const product = binary(['*', '/', '//', '%'], power);

  const concat = (): Expression => {
    const place = at();
    const first = product();
    if (!is('~')) return first;
    const parts = [first];
    while (skip('~')) parts.push(product());
    return { kind: 'concat', parts, at: place };
  };

  const sum = binary(['+', '-'], concat);

  const primary = (): Expression => {
    const token = current();
    switch (token.type) {
      case 'name': {
        next();
        const name = String(token.value);
        const constant = CONSTANTS[name];
        return constant === undefined || !Object.hasOwn(CONSTANTS, name)
          ? { kind: 'name', name, at: token.at }
          : { kind: 'constant', value: constant, at: token.at };
      }
      case 'string': {
        let text = '';
        while (is('string')) text += String(next().value);
        return { kind: 'constant', value: text, at: token.at };
      }
      case 'number':
        next();
        return { kind: 'constant', value: token.value, at: token.at };
      case '(': {
        next();
        const node = tuple({ mayBeEmpty: true });
        expect(')');
        return node;
      }
      case '[':
        return list();
      case '{':
        return dict();
      default:
        return fail(`unexpected '${described(token)}'`, token.at);
    }
  };

  const list = (): Expression => {
    const place = expect('[').at;
    const items: Expression[] = [];
    while (!is(']')) {
      if (items.length > 0) expect(',');
      if (is(']')) break;
      items.push(expression());
    }
    expect(']');
    return { kind: 'list', items, at: place };
  };

  const dict = (): Expression => {
    const place = expect('{').at;
    const pairs: (readonly [Expression, Expression])[] = [];
    while (!is('}')) {
      if (pairs.length > 0) expect(',');
      if (is('}')) break;
      const key = expression();
      expect(':');
      pairs.push([key, expression()]);
    }
    expect('}');
    return { kind: 'dict', pairs, at: place };
  };

  const tuple: Expressions['tuple'] = ({ part = expression, ends, mayBeEmpty = false } = {}) => {
    const place = at();
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0) expect(',');
      if (is('variable_end') || is('block_end') || is(')') || (ends !== undefined && isName(ends))) break;
      items.push(part());
      if (!is(',')) break;
      isTuple = true;
    }
    const [only] = items;
    if (!isTuple && only !== undefined) return only;
    if (!isTuple && !mayBeEmpty) return fail(`Expected an expression, got '${described(current())}'`, at());
    return { kind: 'tuple', items, at: place };
  };

  const postfix = (first: Expression): Expression => {
    let node = first;
    for (;;) {
      if (is('.') || is('[')) node = subscript(node);
      else if (is('(')) node = callOf(node);
      else return node;
    }
  };

  const filterExpression = (first: Expression): Expression => {
    let node = first;
    for (;;) {
      if (is('|')) node = filters(node, false) ?? node;
      else if (isName('is')) node = test(node);
      else if (is('(')) node = callOf(node);
      else return node;
    }
  };

  const subscript = (target: Expression): Expression => {
    const token = next();
    if (token.type === '.') {
      const name = next();
      if (name.type === 'name') return { kind: 'attribute', target, name: String(name.value), at: token.at };
      if (name.type !== 'number' || typeof name.value !== 'number')
        return fail('expected name or number', name.at);
      return {
        kind: 'item',
        target,
        key: { kind: 'constant', value: name.value, at: name.at },
        at: token.at,
      };
    }
    const keys: Expression[] = [];
    while (!is(']')) {
      if (keys.length > 0) expect(',');
      keys.push(subscribed());
    }
    expect(']');
    const [only] = keys;
    const key: Expression =
      keys.length === 1 && only !== undefined ? only : { kind: 'tuple', items: keys, at: token.at };
    return { kind: 'item', target, key, at: token.at };
  };

  const subscribed = (): Expression => {
    const place = at();
    const bound = (): Expression | null => (is(':') || is(']') || is(',') ? null : expression());
    const start = is(':') ? null : expression();
    if (start !== null && !is(':')) return start;
    expect(':');
    const stop = bound();
    const step = skip(':') ? bound() : null;
    return { kind: 'slice', start, stop, step, at: place };
  };

  const callArguments = (): Arguments => argumentsOf(cursor, expression);

  const callOf = (target: Expression): Expression => {
    const place = at();
    return { kind: 'call', target, ...callArguments(), at: place };
  };

  const dottedName = (): string => {
    let name = String(expect('name').value);
    while (skip('.')) name += `.${String(expect('name').value)}`;
    return name;
  };

  const filters: Expressions['filters'] = (target, isInline) => {
    let node = target;
    let isFirst = isInline;
    while (isFirst || is('|')) {
      if (!isFirst) next();
      isFirst = false;
      const place = at();
      const name = dottedName();
      node = { kind: 'filter', target: node, name, ...(is('(') ? callArguments() : NO_ARGUMENTS), at: place };
    }
    return node;
  };

  const test = (target: Expression): Expression => {
    const place = next().at;
    const isNegated = skipName('not');
    const name = dottedName();
    let given = NO_ARGUMENTS;
    if (is('(')) given = callArguments();
    else if (
      ['name', 'string', 'number', '[', '{'].includes(current().type) &&
      !isName('else', 'or', 'and')
    ) {
      if (isName('is')) return fail('You cannot chain multiple tests with is', at());
      given = { ...NO_ARGUMENTS, args: [postfix(primary())] };
    }
    const node: Expression = { kind: 'test', target, name, ...given, at: place };
    return isNegated ? { kind: 'unary', operator: 'not', operand: node, at: place } : node;
  };

  return { expression, withoutConditional: () => cursor.deeper(or), primary, tuple, filters };
};
