import type { Arguments, Expression } from './ast.js';
import type { Cursor } from './cursor.js';
import { fail } from './syntaxFault.js';

export const argumentsOf = (cursor: Cursor, expression: () => Expression): Arguments => {
  const { look, is, next, expect } = cursor;
  const place = expect('(').at;
  const args: Expression[] = [];
  const kwargs: { key: string; value: Expression }[] = [];
  let starArgs: Expression | null = null;
  let starKwargs: Expression | null = null;
  const ensure = (isRight: boolean): void => {
    if (!isRight) fail('invalid syntax for function call expression', place);
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
      if (kwargs.some((each) => each.key === key)) fail(`keyword argument repeated: ${key}`, place);
      kwargs.push({ key, value: expression() });
    } else {
      ensure(starArgs === null && starKwargs === null && kwargs.length === 0);
      args.push(expression());
    }
  }
  expect(')');
  return { args, kwargs, starArgs, starKwargs };
};
