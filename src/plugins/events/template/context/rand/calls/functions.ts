import { type Callable, keepsNothing, native, type Value } from '../../../../../../template/index.js';

/** Lets compiled calls skip the argument list. */
const quick = (bound: Callable, call: Callable): Callable =>
  keepsNothing(Object.assign(call, bound.direct === undefined ? {} : { direct: bound.direct }));

/**
 * Wraps functions of `module.rand`: positional calls skip `bind`. They never keep or change an argument, and
 * return items of lists and dicts, never the lists and dicts.
 */

export const nullary = (signature: string, run: () => Value): Callable => {
  const bound = native(signature, run);
  return quick(bound, (args, kwargs) => (args.length === 0 && kwargs === null ? run() : bound(args, kwargs)));
};

export const unary = (signature: string, run: (a: Value) => Value): Callable => {
  const bound = native(signature, run);
  return quick(bound, (args, kwargs) =>
    args.length === 1 && kwargs === null ? run(args[0] ?? null) : bound(args, kwargs),
  );
};

export const binary = (signature: string, run: (a: Value, b: Value) => Value): Callable => {
  const bound = native(signature, run);
  return quick(bound, (args, kwargs) =>
    args.length === 2 && kwargs === null ? run(args[0] ?? null, args[1] ?? null) : bound(args, kwargs),
  );
};

export const ternary = (signature: string, run: (a: Value, b: Value, c: Value) => Value): Callable => {
  const bound = native(signature, run);
  return quick(bound, (args, kwargs) =>
    args.length === 3 && kwargs === null
      ? run(args[0] ?? null, args[1] ?? null, args[2] ?? null)
      : bound(args, kwargs),
  );
};
