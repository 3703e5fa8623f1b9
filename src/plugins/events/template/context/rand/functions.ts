import { type Callable, keepsNothing, native, type Value } from '../../../../../template/index.js';

/**
 * Functions of `module.rand`. Nearly every call gives each argument by position, so that way costs no
 * binding; all others (names, defaults, wrong counts) go through the signature. None of these functions
 * keeps or changes an argument, and what they give back of one is an item, never a list or dict itself.
 */

/** A function without parameters, from a signature such as `rand.crypto.md5()`. */
export const nullary = (signature: string, run: () => Value): Callable => {
  const bound = native(signature, run);
  return keepsNothing((args, kwargs) => (args.length === 0 && kwargs === null ? run() : bound(args, kwargs)));
};

/** A function of one parameter. */
export const unary = (signature: string, run: (a: Value) => Value): Callable => {
  const bound = native(signature, run);
  return keepsNothing((args, kwargs) =>
    args.length === 1 && kwargs === null ? run(args[0] ?? null) : bound(args, kwargs),
  );
};

/** A function of two parameters. */
export const binary = (signature: string, run: (a: Value, b: Value) => Value): Callable => {
  const bound = native(signature, run);
  return keepsNothing((args, kwargs) =>
    args.length === 2 && kwargs === null ? run(args[0] ?? null, args[1] ?? null) : bound(args, kwargs),
  );
};

/** A function of three parameters. */
export const ternary = (signature: string, run: (a: Value, b: Value, c: Value) => Value): Callable => {
  const bound = native(signature, run);
  return keepsNothing((args, kwargs) =>
    args.length === 3 && kwargs === null
      ? run(args[0] ?? null, args[1] ?? null, args[2] ?? null)
      : bound(args, kwargs),
  );
};
