import type { Arguments, BinaryOperator, CompareOperator, Expression } from './ast.js';
import { type Cursor, described, fail } from './cursor.js';
import { argumentsOf, COMPARE, CONSTANTS, type Expressions } from './grammar.js';

const NO_ARGUMENTS: Arguments = { args: [], kwargs: [], starArgs: null, starKwargs: null };

type TupleOptions = NonNullable<Parameters<Expressions['tuple']>[0]>;

class ExpressionParser {
  constructor(private readonly cursor: Cursor) {}

  private at(): number {
    return this.cursor.current().at;
  }

  expression(): Expression {
    return this.cursor.deeper(() => this.conditional());
  }

  private conditional(): Expression {
    let node = this.or();
    while (this.cursor.isName('if')) {
      const offset = this.cursor.next().at;
      const condition = this.or();
      const whenFalse = this.cursor.skipName('else') ? this.expression() : null;
      node = { kind: 'conditional', condition, whenTrue: node, whenFalse, at: offset };
    }
    return node;
  }

  private or(): Expression {
    let left = this.and();
    while (this.cursor.isName('or'))
      left = { kind: 'or', at: this.cursor.next().at, left, right: this.and() };
    return left;
  }

  private and(): Expression {
    let left = this.not();
    while (this.cursor.isName('and'))
      left = { kind: 'and', at: this.cursor.next().at, left, right: this.not() };
    return left;
  }

  private not(): Expression {
    if (!this.cursor.isName('not')) return this.compare();
    const offset = this.cursor.next().at;
    return { kind: 'unary', operator: 'not', operand: this.cursor.deeper(() => this.not()), at: offset };
  }

  private compare(): Expression {
    const first = this.sum();
    const rest: { operator: CompareOperator; operand: Expression; at: number }[] = [];
    for (;;) {
      const offset = this.at();
      if (COMPARE.includes(this.cursor.current().type)) {
        rest.push({ operator: this.cursor.next().type as CompareOperator, operand: this.sum(), at: offset });
      } else if (this.cursor.skipName('in')) rest.push({ operator: 'in', operand: this.sum(), at: offset });
      else if (
        this.cursor.isName('not') &&
        this.cursor.look().type === 'name' &&
        this.cursor.look().value === 'in'
      ) {
        this.cursor.next();
        this.cursor.next();
        rest.push({ operator: 'not in', operand: this.sum(), at: offset });
      } else break;
    }
    const [one] = rest;
    return one === undefined ? first : { kind: 'compare', first, rest, at: one.at };
  }

  private binary(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    while (operators.includes(this.cursor.current().type)) {
      const token = this.cursor.next();
      left = { kind: 'binary', operator: token.type as BinaryOperator, left, right: operand(), at: token.at };
    }
    return left;
  }

  private unary(isWithFilter = true): Expression {
    const token = this.cursor.current();
    let node: Expression;
    if (token.type === '-' || token.type === '+') {
      this.cursor.next();
      node = {
        kind: 'unary',
        operator: token.type,
        operand: this.cursor.deeper(() => this.unary(false)),
        at: token.at,
      };
    } else node = this.primary();
    node = this.postfix(node);
    return isWithFilter ? this.filterExpression(node) : node;
  }

  private power(): Expression {
    return this.binary(['**'], () => this.unary());
  }

  private product(): Expression {
    return this.binary(['*', '/', '//', '%'], () => this.power());
  }

  private concat(): Expression {
    const offset = this.at();
    const first = this.product();
    if (!this.cursor.is('~')) return first;
    const parts = [first];
    while (this.cursor.skip('~')) parts.push(this.product());
    return { kind: 'concat', parts, at: offset };
  }

  private sum(): Expression {
    return this.binary(['+', '-'], () => this.concat());
  }

  primary(): Expression {
    const token = this.cursor.current();
    switch (token.type) {
      case 'name': {
        this.cursor.next();
        const name = String(token.value);
        const constant = CONSTANTS[name];
        return constant === undefined || !Object.hasOwn(CONSTANTS, name)
          ? { kind: 'name', name, at: token.at }
          : { kind: 'constant', value: constant, at: token.at };
      }
      case 'string': {
        let text = '';
        while (this.cursor.is('string')) text += String(this.cursor.next().value);
        return { kind: 'constant', value: text, at: token.at };
      }
      case 'number':
        this.cursor.next();
        return { kind: 'constant', value: token.value, at: token.at };
      case '(': {
        this.cursor.next();
        const node = this.tuple({ mayBeEmpty: true });
        this.cursor.expect(')');
        return node;
      }
      case '[':
        return this.list();
      case '{':
        return this.dict();
      default:
        return fail(`unexpected '${described(token)}'`, token.at);
    }
  }

  private list(): Expression {
    const offset = this.cursor.expect('[').at;
    const items: Expression[] = [];
    while (!this.cursor.is(']')) {
      if (items.length > 0) this.cursor.expect(',');
      if (this.cursor.is(']')) break;
      items.push(this.expression());
    }
    this.cursor.expect(']');
    return { kind: 'list', items, at: offset };
  }

  private dict(): Expression {
    const offset = this.cursor.expect('{').at;
    const pairs: (readonly [Expression, Expression])[] = [];
    while (!this.cursor.is('}')) {
      if (pairs.length > 0) this.cursor.expect(',');
      if (this.cursor.is('}')) break;
      const key = this.expression();
      this.cursor.expect(':');
      pairs.push([key, this.expression()]);
    }
    this.cursor.expect('}');
    return { kind: 'dict', pairs, at: offset };
  }

  tuple({ part = () => this.expression(), ends, mayBeEmpty = false }: TupleOptions = {}): Expression {
    const offset = this.at();
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0) this.cursor.expect(',');
      if (
        this.cursor.is('variable_end') ||
        this.cursor.is('block_end') ||
        this.cursor.is(')') ||
        (ends !== undefined && this.cursor.isName(ends))
      )
        break;
      items.push(part());
      if (!this.cursor.is(',')) break;
      isTuple = true;
    }
    const [only] = items;
    if (!isTuple && only !== undefined) return only;
    if (!isTuple && !mayBeEmpty)
      return fail(`Expected an expression, got '${described(this.cursor.current())}'`, this.at());
    return { kind: 'tuple', items, at: offset };
  }

  private postfix(first: Expression): Expression {
    let node = first;
    for (;;) {
      if (this.cursor.is('.') || this.cursor.is('[')) node = this.subscript(node);
      else if (this.cursor.is('(')) node = this.callOf(node);
      else return node;
    }
  }

  private filterExpression(first: Expression): Expression {
    let node = first;
    for (;;) {
      if (this.cursor.is('|')) node = this.filters(node, false) ?? node;
      else if (this.cursor.isName('is')) node = this.test(node);
      else if (this.cursor.is('(')) node = this.callOf(node);
      else return node;
    }
  }

  private subscript(target: Expression): Expression {
    const token = this.cursor.next();
    if (token.type === '.') {
      const name = this.cursor.next();
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
    while (!this.cursor.is(']')) {
      if (keys.length > 0) this.cursor.expect(',');
      keys.push(this.subscribed());
    }
    this.cursor.expect(']');
    const [only] = keys;
    const key: Expression =
      keys.length === 1 && only !== undefined ? only : { kind: 'tuple', items: keys, at: token.at };
    return { kind: 'item', target, key, at: token.at };
  }

  private subscribed(): Expression {
    const offset = this.at();
    const bound = (): Expression | null =>
      this.cursor.is(':') || this.cursor.is(']') || this.cursor.is(',') ? null : this.expression();
    const start = this.cursor.is(':') ? null : this.expression();
    if (start !== null && !this.cursor.is(':')) return start;
    this.cursor.expect(':');
    const stop = bound();
    const step = this.cursor.skip(':') ? bound() : null;
    return { kind: 'slice', start, stop, step, at: offset };
  }

  private callArguments(): Arguments {
    return argumentsOf(this.cursor, () => this.expression());
  }

  private callOf(target: Expression): Expression {
    const offset = this.at();
    return { kind: 'call', target, ...this.callArguments(), at: offset };
  }

  private dottedName(): string {
    let name = String(this.cursor.expect('name').value);
    while (this.cursor.skip('.')) name += `.${String(this.cursor.expect('name').value)}`;
    return name;
  }

  filters(target: Expression | null, isInline: boolean): Expression | null {
    let node = target;
    let isFirst = isInline;
    while (isFirst || this.cursor.is('|')) {
      if (!isFirst) this.cursor.next();
      isFirst = false;
      const offset = this.at();
      const name = this.dottedName();
      node = {
        kind: 'filter',
        target: node,
        name,
        ...(this.cursor.is('(') ? this.callArguments() : NO_ARGUMENTS),
        at: offset,
      };
    }
    return node;
  }

  private test(target: Expression): Expression {
    const offset = this.cursor.next().at;
    const isNegated = this.cursor.skipName('not');
    const name = this.dottedName();
    let given = NO_ARGUMENTS;
    if (this.cursor.is('(')) given = this.callArguments();
    else if (
      ['name', 'string', 'number', '[', '{'].includes(this.cursor.current().type) &&
      !this.cursor.isName('else', 'or', 'and')
    ) {
      if (this.cursor.isName('is')) return fail('You cannot chain multiple tests with is', this.at());
      given = { ...NO_ARGUMENTS, args: [this.postfix(this.primary())] };
    }
    const node: Expression = { kind: 'test', target, name, ...given, at: offset };
    return isNegated ? { kind: 'unary', operator: 'not', operand: node, at: offset } : node;
  }

  withoutConditional(): Expression {
    return this.cursor.deeper(() => this.or());
  }
}

export const expressionRules = (cursor: Cursor): Expressions => {
  const parser = new ExpressionParser(cursor);
  return {
    expression: () => parser.expression(),
    withoutConditional: () => parser.withoutConditional(),
    primary: () => parser.primary(),
    tuple: (options) => parser.tuple(options),
    filters: (target, isInline) => parser.filters(target, isInline),
  };
};
