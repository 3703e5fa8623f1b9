import { bind, parseSignature, type Signature } from './signature.js';
import type { Callable, Kwargs, Value } from './value.js';

/** A method of a built-in type. `signature` null: it reads its arguments itself. */
export type Method<S> =
  | { readonly signature: Signature; readonly run: (self: S, ...values: Value[]) => Value }
  | {
      readonly signature: null;
      readonly raw: (self: S, args: readonly Value[], kwargs: Kwargs | null) => Value;
    };

export type Methods<S> = ReadonlyMap<string, Method<S>>;

type Runner<S> = (self: S, ...values: Value[]) => Value;

/** Makes a table of methods from `signature text -> behaviour`. */
export const methods = <S>(table: Readonly<Record<string, Runner<S>>>): Methods<S> =>
  new Map(
    Object.entries(table).map(([source, run]): [string, Method<S>] => {
      const signature = parseSignature(source);
      return [signature.name, { signature, run }];
    }),
  );

/** Makes a table of methods that read their arguments themselves. */
export const rawMethods = <S>(
  table: Readonly<Record<string, (self: S, args: readonly Value[], kwargs: Kwargs | null) => Value>>,
): Methods<S> =>
  new Map(Object.entries(table).map(([name, raw]): [string, Method<S>] => [name, { signature: null, raw }]));

export const invoke = <S>(
  method: Method<S>,
  self: S,
  args: readonly Value[],
  kwargs: Kwargs | null,
): Value => {
  const { signature } = method;
  if (signature === null) return method.raw(self, args, kwargs);
  if (kwargs === null && args.length === signature.params.length && args.length <= signature.positional) {
    switch (args.length) {
      case 0:
        return method.run(self);
      case 1:
        return method.run(self, args[0] as Value);
      case 2:
        return method.run(self, args[0] as Value, args[1] as Value);
    }
  }
  return method.run(self, ...bind(signature, args, kwargs));
};

/** The method as a value of its own, bound to its object. */
export const methodOf = <S>(table: Methods<S>, self: S, name: string): Callable | undefined => {
  const method = table.get(name);
  return method === undefined ? undefined : (args, kwargs) => invoke(method, self, args, kwargs);
};

/** Calls a method; JavaScript's `undefined` when there is none of that name. */
export const callMethodOf = <S>(
  table: Methods<S>,
  self: S,
  name: string,
  args: readonly Value[],
  kwargs: Kwargs | null,
): Value | undefined => {
  const method = table.get(name);
  return method === undefined ? undefined : invoke(method, self, args, kwargs);
};

/** A function of the host from its signature. */
export const native = (source: string, run: (...values: Value[]) => Value): Callable => {
  const signature = parseSignature(source);
  return (args, kwargs) => run(...bind(signature, args, kwargs));
};
