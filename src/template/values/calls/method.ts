import { charge, chargeAll } from '../../limits.js';
import type { Callable, Kwargs, Value } from '../value.js';
import { bind, parseSignature, type Signature } from './signature.js';

/** A method of a built-in type. `signature` null: it parses its arguments itself. */
export type Method<S> =
  | { readonly signature: Signature; readonly run: (self: S, ...values: Value[]) => Value }
  | {
      readonly signature: null;
      readonly raw: (self: S, args: readonly Value[], kwargs: Kwargs | null) => Value;
    };

export type Methods<S> = ReadonlyMap<string, Method<S>>;

type Runner<S> = (self: S, ...values: Value[]) => Value;

export const methods = <S>(table: Readonly<Record<string, Runner<S>>>): Methods<S> =>
  new Map(
    Object.entries(table).map(([source, run]): [string, Method<S>] => {
      const signature = parseSignature(source);
      return [signature.name, { signature, run }];
    }),
  );

/** Methods that parse their arguments themselves. */
export const rawMethods = <S>(
  table: Readonly<Record<string, (self: S, args: readonly Value[], kwargs: Kwargs | null) => Value>>,
): Methods<S> =>
  new Map(Object.entries(table).map(([name, raw]): [string, Method<S>] => [name, { signature: null, raw }]));

/** True for nearly every call: positional arguments, defaults for the rest. Needs no `bind`. */
const isByPosition = (signature: Signature, args: readonly Value[], kwargs: Kwargs | null): boolean =>
  kwargs === null && args.length <= signature.positional && args.length >= signature.enough;

const valueAt = ({ defaults }: Signature, args: readonly Value[], index: number): Value =>
  (index < args.length ? args[index] : defaults[index]) as Value;

export const invoke = <S>(
  method: Method<S>,
  self: S,
  args: readonly Value[],
  kwargs: Kwargs | null,
): Value => {
  const { signature } = method;
  if (typeof self === 'string') charge(self);
  chargeAll(args);
  if (signature === null) return method.raw(self, args, kwargs);
  if (isByPosition(signature, args, kwargs)) {
    switch (signature.params.length) {
      case 0:
        return method.run(self);
      case 1:
        return method.run(self, valueAt(signature, args, 0));
      case 2:
        return method.run(self, valueAt(signature, args, 0), valueAt(signature, args, 1));
      case 3:
        return method.run(
          self,
          valueAt(signature, args, 0),
          valueAt(signature, args, 1),
          valueAt(signature, args, 2),
        );
    }
  }
  return method.run(self, ...bind(signature, args, kwargs));
};

export const methodOf = <S>(table: Methods<S>, self: S, name: string): Callable | undefined => {
  const method = table.get(name);
  return method === undefined ? undefined : (args, kwargs) => invoke(method, self, args, kwargs);
};

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

export const native = (source: string, run: (...values: Value[]) => Value): Callable => {
  const signature = parseSignature(source);
  return Object.assign(binding(signature, run), { direct: { signature, run } });
};

const binding = (signature: Signature, run: (...values: Value[]) => Value): Callable => {
  const slow: Callable = (args, kwargs) => run(...bind(signature, args, kwargs));
  switch (signature.params.length) {
    case 0:
      return (args, kwargs) => (isByPosition(signature, args, kwargs) ? run() : slow(args, kwargs));
    case 1:
      return (args, kwargs) =>
        isByPosition(signature, args, kwargs) ? run(valueAt(signature, args, 0)) : slow(args, kwargs);
    case 2:
      return (args, kwargs) =>
        isByPosition(signature, args, kwargs)
          ? run(valueAt(signature, args, 0), valueAt(signature, args, 1))
          : slow(args, kwargs);
    default:
      return slow;
  }
};
