import * as E from 'fp-ts/lib/Either.js';

/** The value, or a failed test that shows the error. */
export const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(`failed: ${JSON.stringify(result.left)}`);
  return result.right;
};

/** The error, or a failed test that shows the value. */
export const left = <L>(result: E.Either<L, unknown>): L => {
  if (E.isRight(result)) throw new Error(`did not fail: ${JSON.stringify(result.right)}`);
  return result.left;
};
