import { weighAll } from '../limits.js';
import { raise } from './fault.js';

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

/** A function of the host. Mark it with `keepsNothing` if it neither keeps nor changes its arguments. */
export interface Callable {
  (args: readonly Value[], kwargs: Kwargs | null): Value;
  /** Set by `keepsNothing`; no name that a template can reach. */
  isKeepingNothing?: boolean;
}

/** What stands for a value as key of a JavaScript map; equal values have the same. */
export type HashKey = string | number | bigint | null | object;

/** A value with attributes of its own. Hosts extend it; every default says 'not supported' as Python does. */
export abstract class TemplateObject {
  /** Name of its type, e.g. `dict`, `datetime.datetime`. */
  abstract get typeName(): string;
  /** The attribute of that name, or JavaScript's `undefined`. */
  attribute(_name: string): Value | undefined {
    return undefined;
  }
  /** Calls the attribute of that name; JavaScript's `undefined` when there is none. */
  callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const method = this.attribute(name);
    return method === undefined ? undefined : call(method, args, kwargs);
  }
  /** `object[key]`, or JavaScript's `undefined` when there is none. */
  item(_key: Value): Value | undefined {
    return undefined;
  }
  call(_args: readonly Value[], _kwargs: Kwargs | null): Value {
    return raise('TypeError', `'${this.typeName}' object is not callable`);
  }
  isCallable(): boolean {
    return false;
  }
  /** Its elements in order; JavaScript's `undefined` when it cannot be iterated. */
  iterator(): Iterator<Value> | undefined {
    return undefined;
  }
  /** What `iterator` gives, as a list, from objects that hold one: it is only read, and never while it changes. */
  elements(): readonly Value[] | undefined {
    return undefined;
  }
  /** `length`, or JavaScript's `undefined`. */
  size(): number | undefined {
    return undefined;
  }
  truthy(): boolean {
    return (this.size() ?? 1) > 0;
  }
  /** What `int` makes of it; JavaScript's `undefined` where that is an error. */
  int(): bigint | undefined {
    return undefined;
  }
  /** As printed. */
  text(): string {
    return this.repr();
  }
  /** `format(object, spec)` for a spec that is not empty; JavaScript's `undefined` when it takes none. */
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
  /** Negative, zero or positive; JavaScript's `undefined` when there is no order between the two. */
  compare(_other: Value): number | undefined {
    return undefined;
  }
  /** `needle in object`; JavaScript's `undefined` leaves it to the elements. */
  contains(_needle: Value): boolean | undefined {
    return undefined;
  }
  hashKey(): HashKey {
    return this;
  }
  /** `this op other`, or `other op this` when `isRight`; JavaScript's `undefined` when not supported. */
  operate(_operator: string, _other: Value, _isRight: boolean): Value | undefined {
    return undefined;
  }
}

/** A float whose value is a safe integer (also -0), kept apart from the int. Made by `floatOf`. */
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

/** The language's float of a number. */
export const floatOf = (value: number): Value => (Number.isSafeInteger(value) ? new PyFloat(value) : value);

/** The language's int of a bigint. */
export const intOf = (value: bigint): Value =>
  value <= 9_007_199_254_740_991n && value >= -9_007_199_254_740_991n ? Number(value) : value;

/** The number of a float, or JavaScript's `undefined` for every other type. */
export const floatValue = (value: Value): number | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? undefined : value;
  return value instanceof PyFloat ? value.value : undefined;
};

export const isInt = (value: Value): value is number | bigint =>
  typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'bigint';

/** The value, or another one where there is none; None is a value. */
export const orElse = <T>(value: T | undefined, other: () => T): T => (value === undefined ? other() : value);

/** Name of the value's type as Python prints it. */
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

/**
 * True for an object of the language. What is no list, no function and no plain value is one; to look at that
 * is several times faster than to follow the prototypes with `instanceof`.
 */
export const isObject = (value: Value): value is TemplateObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const call = (target: Value, args: readonly Value[], kwargs: Kwargs | null): Value => {
  weighAll(args);
  if (typeof target === 'function') return target(args, kwargs);
  if (isObject(target)) return target.call(args, kwargs);
  return raise('TypeError', `'${typeName(target)}' object is not callable`);
};

/**
 * Marks a function of the host that neither keeps nor changes its arguments and does not return one of
 * them: it may be given the same list literal at every call.
 */
export const keepsNothing = <F extends Callable>(target: F): F => {
  target.isKeepingNothing = true;
  return target;
};

export const doesKeepNothing = (target: Callable): boolean => target.isKeepingNothing === true;
