import { raise, type Signal } from '../errors.js';
import { chargeAll } from '../limits.js';

/**
 * Values of the template language, each with the type it has in Python:
 *
 * - `null` None, booleans bool, strings str, arrays list;
 * - int: a safe integer as number, a larger one as bigint;
 * - float: a number that is no safe integer, else a `PyFloat` (2.0 is not 2);
 * - everything else is a `TemplateObject`: tuple, dict, date-times, macros, objects of the host.
 *
 * JavaScript's `undefined` is never a value: it means 'there is none'. The language's undefined value is
 * `Undefined`. Nothing of a JavaScript object is ever reachable by name: attributes come from tables.
 */
export type Value = null | boolean | number | bigint | string | Value[] | Callable | TemplateObject;

export type Kwargs = ReadonlyMap<string, Value>;

/** The parameters of a function, as its callers fill them. */
interface Parameters {
  readonly params: readonly string[];
  readonly defaults: readonly (Value | undefined)[];
  /** Parameters that cannot be named. */
  readonly positionalOnly: number;
  /** Parameters that can be given by position. */
  readonly positional: number;
}

/** A function with one argument per parameter. */
export type RunFunction = (...values: Value[]) => Value;

/** A host function. Mark it with `keepsNothing` if it neither keeps nor changes its arguments. */
export interface Callable {
  (args: readonly Value[], kwargs: Kwargs | null): Value;
  /** Set by `keepsNothing`; templates cannot reach it. */
  isKeepingNothing?: boolean;
  /** The function behind a callable that only binds its arguments. */
  direct?: { readonly signature: Parameters; readonly run: RunFunction };
}

export type { Parameters };

/** Key for a JavaScript Map; equal for equal values. */
export type HashKey = string | number | bigint | null | object;

/** The names of a record and their places in its `items`, shared by all records of a kind. */
export interface Layout {
  readonly places: ReadonlyMap<HashKey, number>;
}

/** A value with attributes; hosts extend it. Defaults report 'not supported' as Python does. */
export abstract class TemplateObject {
  abstract get typeName(): string;
  /** Layout of a record. Compiled reads remember the place of a name in it. */
  declare readonly layout?: Layout | null;
  /** Values of a record, in the places of its layout. */
  declare readonly items?: readonly Value[];
  attribute(_name: string): Value | undefined {
    return undefined;
  }
  /** Returns an attribute that is the same value at every read, or undefined when there is none or it may change. */
  fixed(_name: string): Value | undefined {
    return undefined;
  }
  /** True if neither the object nor its items ever change. */
  get isConstant(): boolean {
    return false;
  }
  /** What a call of `name` calls, if it is the same at every call. */
  fixedMethod(name: string): Value | undefined {
    return this.fixed(name);
  }
  /** False if calls of its methods do not charge their arguments. */
  get chargesCalls(): boolean {
    return true;
  }
  /**
   * Returns a call that takes `positional` arguments, then those of `keys`, one after another. Returns null when the
   * caller must bind them.
   */
  directCall(_positional: number, _keys: readonly string[]): RunFunction | null {
    return null;
  }
  /** The methods that `callMethod` tries first. */
  get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return undefined;
  }
  callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const method = this.attribute(name);
    return method === undefined ? undefined : callValue(method, args, kwargs);
  }
  item(_key: Value): Value | undefined {
    return undefined;
  }
  call(_args: readonly Value[], _kwargs: Kwargs | null): Value {
    return raise('TypeError', `'${this.typeName}' object is not callable`);
  }
  isCallable(): boolean {
    return false;
  }
  iterator(): Iterator<Value> | undefined {
    return undefined;
  }
  /** A list behind `iterator`, if any; read-only and stable. */
  elements(): readonly Value[] | undefined {
    return undefined;
  }
  /** Returns the signal that a call of this method throws, without throwing it, or undefined for a usual method. */
  ending(_name: string, _args: readonly Value[], _kwargs: Kwargs | null): Signal | undefined {
    return undefined;
  }
  size(): number | undefined {
    return undefined;
  }
  truthy(): boolean {
    return (this.size() ?? 1) > 0;
  }
  int(): bigint | undefined {
    return undefined;
  }
  text(): string {
    return this.repr();
  }
  /** Formats by a spec that is not empty. Returns undefined when that is not supported. */
  format(_spec: string): string | undefined {
    return undefined;
  }
  /** As printed inside a list. */
  repr(): string {
    return `<${this.typeName} object>`;
  }
  equals(other: Value): boolean {
    return this === other;
  }
  compare(_other: Value): number | undefined {
    return undefined;
  }
  /** Returns undefined when the needle is to be compared with the elements. */
  contains(_needle: Value): boolean | undefined {
    return undefined;
  }
  hashKey(): HashKey {
    return this;
  }
  /** Returns `this op other`, or `other op this` with `isRight`, or undefined when that is not supported. */
  operate(_operator: string, _other: Value, _isRight: boolean): Value | undefined {
    return undefined;
  }
}

/** A float with a safe integer value (also -0), distinct from the int. Create with `floatOf`. */
export class PyFloat extends TemplateObject {
  constructor(readonly value: number) {
    super();
  }
  get typeName(): string {
    return 'float';
  }
  override truthy(): boolean {
    return this.value !== 0;
  }
  override equals(other: Value): boolean {
    if (typeof other === 'number') return other === this.value;
    if (typeof other === 'boolean') return Number(other) === this.value;
    return other instanceof PyFloat && other.value === this.value;
  }
  override hashKey(): HashKey {
    return this.value;
  }
  override repr(): string {
    return Object.is(this.value, -0)
      ? '-0.0'
      : this.value < 1e16 && this.value > -1e16
        ? `${this.value}.0`
        : String(this.value);
  }
}

export const floatOf = (value: number): Value => (Number.isSafeInteger(value) ? new PyFloat(value) : value);

export const intOf = (value: bigint): Value =>
  value <= 9_007_199_254_740_991n && value >= -9_007_199_254_740_991n ? Number(value) : value;

export const floatValue = (value: Value): number | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : value;
  return value instanceof PyFloat ? value.value : undefined;
};

export const isInt = (value: Value): value is number | bigint =>
  typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'bigint';

/** Unlike `??`, keeps None. */
export const orElse = <T>(value: T | undefined, other: () => T): T => (value === undefined ? other() : value);

export const typeName = (value: Value): string => {
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'float';
    case 'bigint':
      return 'int';
    case 'boolean':
      return 'bool';
    case 'function':
      return 'function';
    default:
      if (value === null) return 'NoneType';
      return Array.isArray(value) ? 'list' : value.typeName;
  }
};

/** Faster than `instanceof`: all other values are lists, functions or plain. */
export const isObject = (value: Value): value is TemplateObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const callValue = (target: Value, args: readonly Value[], kwargs: Kwargs | null): Value => {
  chargeAll(args);
  if (typeof target === 'function') return target(args, kwargs);
  if (isObject(target)) return target.call(args, kwargs);
  return raise('TypeError', `'${typeName(target)}' object is not callable`);
};

/** Marks a host function that neither keeps, changes nor returns its arguments: literals stay shared. */
export const keepsNothing = <F extends Callable>(target: F): F => {
  target.isKeepingNothing = true;
  return target;
};

export const doesKeepNothing = (target: Callable): boolean => target.isKeepingNothing === true;
