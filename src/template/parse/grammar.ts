import type { Value } from '../values/value.js';
import type { Arguments, Expression } from './ast.js';
import { type Cursor, fail } from './cursor.js';

export interface Expressions {
  readonly expression: () => Expression;
  /** Without `a if b else c` at the top level. */
  readonly withoutConditional: () => Expression;
  readonly primary: () => Expression;
  /** An expression, or a tuple without parentheses, up to a word of `ends`. */
  readonly tuple: (options?: {
    readonly part?: () => Expression;
    readonly ends?: string;
    readonly mayBeEmpty?: boolean;
  }) => Expression;
  /** Filters from `| name`; `isInline`: the first has no `|`. */
  readonly filters: (target: Expression | null, isInline: boolean) => Expression | null;
}

export const COMPARE: readonly string[] = ['==', '!=', '<', '<=', '>', '>='];
export const CONSTANTS: Readonly<Record<string, Value>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
};

export const argumentsOf = (cursor: Cursor, expression: () => Expression): Arguments => {
  const { look, is, next, expect } = cursor;
  const location = expect('(').at;
  const args: Expression[] = [];
  const kwargs: { key: string; value: Expression }[] = [];
  let starArgs: Expression | null = null;
  let starKwargs: Expression | null = null;
  const ensure = (isRight: boolean): void => {
    if (!isRight) fail('invalid syntax for function call expression', location);
  };
  let isFirst = true;
  while (!is(')')) {
    if (!isFirst) {
      expect(',');
      if (is(')')) break;
    }
    isFirst = false;
    if (is('*')) {
      ensure(starArgs === null && starKwargs === null);
      next();
      starArgs = expression();
    } else if (is('**')) {
      ensure(starKwargs === null);
      next();
      starKwargs = expression();
    } else if (is('name') && look().type === '=') {
      ensure(starKwargs === null);
      const key = String(next().value);
      next();
      if (kwargs.some((each) => each.key === key)) fail(`keyword argument repeated: ${key}`, location);
      kwargs.push({ key, value: expression() });
    } else {
      ensure(starArgs === null && starKwargs === null && kwargs.length === 0);
      args.push(expression());
    }
  }
  expect(')');
  return { args, kwargs, starArgs, starKwargs };
};
