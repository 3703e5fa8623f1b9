import { raise } from '../errors.js';
import { charge, chargeAll } from '../limits.js';
import {
  type Callable,
  isObject,
  type Kwargs,
  type Parameters,
  type RunFunction,
  type Value,
} from './value.js';

/** A method of a built-in type. `signature` null: it parses its arguments itself. */
export type NativeMethod<S> =
  | { readonly signature: Signature; readonly run: (self: S, ...values: Value[]) => Value }
  | {
      readonly signature: null;
      readonly raw: (self: S, args: readonly Value[], kwargs: Kwargs | null) => Value;
    };

export type Methods<S> = ReadonlyMap<string, NativeMethod<S>>;

type Runner<S> = (self: S, ...values: Value[]) => Value;

export const methods = <S>(table: Readonly<Record<string, Runner<S>>>): Methods<S> =>
  new Map(
    Object.entries(table).map(([source, run]): [string, NativeMethod<S>] => {
      const signature = parseSignature(source);
      return [signature.name, { signature, run }];
    }),
  );

/** Methods that parse their arguments themselves. */
export const rawMethods = <S>(
  table: Readonly<Record<string, (self: S, args: readonly Value[], kwargs: Kwargs | null) => Value>>,
): Methods<S> =>
  new Map(
    Object.entries(table).map(([name, raw]): [string, NativeMethod<S>] => [name, { signature: null, raw }]),
  );

/** True for nearly every call: positional arguments, defaults for the rest. Needs no `bind`. */
const isByPosition = (signature: Signature, args: readonly Value[], kwargs: Kwargs | null): boolean =>
  kwargs === null && args.length <= signature.positional && args.length >= signature.enough;

const valueAt = ({ defaults }: Signature, args: readonly Value[], index: number): Value =>
  (index < args.length ? args[index] : defaults[index]) as Value;

export const invoke = <S>(
  method: NativeMethod<S>,
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

export interface Signature {
  readonly name: string;
  readonly params: readonly string[];
  readonly defaults: readonly (Value | undefined)[];
  /** Parameters before `/`. */
  readonly positionalOnly: number;
  /** Parameters before `*`. */
  readonly positional: number;
  /** Positional arguments after which all parameters have defaults. */
  readonly enough: number;
}

const literal = (text: string): Value => {
  if (text === 'None') return null;
  if (text === 'True' || text === 'False') return text === 'True';
  if (/^-?\d+$/.test(text)) return Number(text);
  return text.slice(1, -1).replaceAll('\\n', '\n');
};

/** Cache by source; our signatures are a closed list. */
const known = new Map<string, Signature>();

/** Parses `name(a, b=1, /, c='x', *, d=None)`. String defaults must not contain commas. */
export const parseSignature = (source: string): Signature => {
  const found = known.get(source);
  if (found !== undefined) return found;
  const signature = readSignature(source);
  known.set(source, signature);
  return signature;
};

const readSignature = (source: string): Signature => {
  const [, name = '', list = ''] = /^([^(]+)\((.*)\)$/s.exec(source) ?? [];
  const params: string[] = [];
  const defaults: (Value | undefined)[] = [];
  let positionalOnly = 0;
  let positional = -1;
  for (const part of list.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    if (part === '/') positionalOnly = params.length;
    else if (part === '*') positional = params.length;
    else {
      const at = part.indexOf('=');
      params.push(at < 0 ? part : part.slice(0, at));
      defaults.push(at < 0 ? undefined : literal(part.slice(at + 1)));
    }
  }
  return {
    name,
    params,
    defaults,
    positionalOnly,
    positional: positional < 0 ? params.length : positional,
    enough: defaults.lastIndexOf(undefined) + 1,
  };
};

const countError = ({ name, params, defaults, positional }: Signature, given: number): never => {
  const required = defaults.filter((each) => each === undefined).length;
  if (positional === 0) return raise('TypeError', `${name}() takes no arguments (${given} given)`);
  const many = positional === 1 ? '' : 's';
  const bound = required === params.length ? 'exactly' : given < required ? 'at least' : 'at most';
  const count = bound === 'at least' ? required : positional;
  return raise('TypeError', `${name}() takes ${bound} ${count} argument${many} (${given} given)`);
};

/** One value per parameter. TypeError as in Python. */
export const bind = (signature: Signature, args: readonly Value[], kwargs: Kwargs | null): Value[] => {
  const { name, params, defaults, positional, positionalOnly } = signature;
  if (args.length > positional) return countError(signature, args.length);
  const values: (Value | undefined)[] = args.slice();
  if (kwargs !== null) {
    for (const [key, value] of kwargs) {
      const index = params.indexOf(key);
      if (index < positionalOnly) {
        return raise('TypeError', `${name}() got an unexpected keyword argument '${key}'`);
      }
      if (index < args.length)
        return raise('TypeError', `${name}() got multiple values for argument '${key}'`);
      values[index] = value;
    }
  }
  for (let i = 0; i < params.length; i++) {
    const value = values[i] ?? (values[i] === null ? null : defaults[i]);
    if (value === undefined) {
      if (kwargs === null) return countError(signature, args.length);
      return raise('TypeError', `${name}() missing required argument: '${params[i]}'`);
    }
    values[i] = value;
  }
  return values as Value[];
};

/** Arguments of a call as its source gives them: by position, then by name. */
export interface GivenArguments {
  readonly positional: number;
  readonly keys: readonly string[];
}

/** Returns for each parameter the index of its argument, or its default. Null when `bind` raises an error. */
const planOf = (
  { params, defaults, positionalOnly, positional: most }: Parameters,
  { positional, keys }: GivenArguments,
): readonly (number | { readonly fallback: Value })[] | null => {
  const first = Math.max(positionalOnly, positional);
  const isKnown = keys.every((key, i) => params.indexOf(key) >= first && keys.indexOf(key) === i);
  if (positional > most || !isKnown) return null;
  const plan: (number | { readonly fallback: Value })[] = [];
  for (const [place, param] of params.entries()) {
    const named = keys.indexOf(param);
    const fallback = defaults[place];
    if (place < positional) plan.push(place);
    else if (named >= 0) plan.push(positional + named);
    else if (fallback !== undefined) plan.push({ fallback });
    else return null;
  }
  return plan;
};

/** Calls with the arguments of `given`; `null` if they do not fit. `selves`: 1 with a `self` in front. */
export const boundRun = (
  run: RunFunction,
  parameters: Parameters,
  given: GivenArguments,
  selves: 0 | 1,
): RunFunction | null => {
  const plan = planOf(parameters, given);
  if (plan === null) return null;
  const count = given.positional + given.keys.length;
  const inOrder = plan.every((part, place) => part === place || (place >= count && typeof part === 'object'));
  const [d, e, ...more] = plan.slice(count).map((part) => (typeof part === 'object' ? part.fallback : null));
  if (inOrder && plan.length === count) return run;
  if (inOrder && more.length === 0 && d !== undefined) {
    switch (count + selves) {
      case 0:
        return e === undefined ? () => run(d) : () => run(d, e);
      case 1:
        return e === undefined ? (a) => run(a, d) : (a) => run(a, d, e);
      case 2:
        return e === undefined ? (a, b) => run(a, b, d) : (a, b) => run(a, b, d, e);
    }
  }
  return (...values) =>
    run(
      ...values.slice(0, selves),
      ...plan.map((part) => (typeof part === 'number' ? (values[part + selves] as Value) : part.fallback)),
    );
};

/** Keyword arguments by name, from the values after the positional ones. */
export const keywordsOf = (
  { positional, keys }: GivenArguments,
  values: readonly Value[],
): Map<string, Value> | null =>
  keys.length === 0 ? null : new Map(keys.map((key, i) => [key, values[positional + i] as Value]));

/** A call of a host function or callable object with fixed kinds of arguments. */
export const directRun = (target: Value, given: GivenArguments): RunFunction | null => {
  const { positional, keys } = given;
  if (typeof target === 'function') {
    const { direct } = target;
    const bound = direct === undefined ? null : boundRun(direct.run, direct.signature, given, 0);
    return bound ?? throughArrays(target, given);
  }
  if (!isObject(target)) return null;
  return (
    target.directCall(positional, keys) ?? throughArrays((args, kwargs) => target.call(args, kwargs), given)
  );
};

const throughArrays =
  (target: Callable, given: GivenArguments): RunFunction =>
  (...values) =>
    target(values.slice(0, given.positional), keywordsOf(given, values));
