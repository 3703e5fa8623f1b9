import { nearest } from '../../../../../domain/text/shown.js';
import {
  type Callable,
  callValue,
  HostModule,
  type Kwargs,
  keepsNothing,
  listFrom,
  native,
  PyFloat,
  raise,
  truthy,
  Undefined,
  type Value,
} from '../../../../../template/index.js';
import type { LoadedLocale } from './locales.js';

/** Functions by Python signature, e.g. `words(nb=3)`. */
export type Functions = Readonly<Record<string, (...values: Value[]) => Value>>;

export type Group = (locale: LoadedLocale) => Functions;

const nameOf = (signature: string): string => signature.slice(0, signature.indexOf('('));

/** For functions that return none of their arguments. */
export const pureMembers = (functions: Functions): [string, Callable][] =>
  Object.entries(functions).map(([signature, run]) => [
    nameOf(signature),
    keepsNothing(native(signature, run)),
  ]);

/** For functions that return elements of their arguments. */
export const givingMembers = (functions: Functions): [string, Callable][] =>
  Object.entries(functions).map(([signature, run]) => [nameOf(signature), native(signature, run)]);

/** Undefined; calling it suggests the nearest name. */
class MissingMember extends Undefined {
  override call(): Value {
    return raise('AttributeError', this.message);
  }
}

/** Names listed in an error. */
const MAX_LISTED = 30;

/** A closed set of members; calling an unknown name suggests the nearest. */
export class Providers extends HostModule {
  constructor(
    /** Name in errors, e.g. `module.faker.locale.en_US`. */
    private readonly path: string,
    members: ReadonlyMap<string, Value>,
  ) {
    super(path, members);
  }
  override attribute(name: string): Value {
    return super.attribute(name) ?? new MissingMember(() => this.missing(name));
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value {
    return super.callMethod(name, args, kwargs) ?? callValue(this.attribute(name), args, kwargs);
  }
  override repr(): string {
    return `<${this.path}>`;
  }
  private missing(name: string): string {
    const near = nearest(name, this.memberNames);
    if (near !== null) return `${this.path} has no '${name}'; did you mean ${near}?`;
    return this.memberNames.length <= MAX_LISTED
      ? `${this.path} has no '${name}'; it has ${this.memberNames.join(', ')}`
      : `${this.path} has no '${name}'; names are those of the standard providers of Python's Faker`;
  }
}

/** Elements, words or repeats per call. */
const MAX_COUNT = 10_000;

/** Characters per call. */
const MAX_LENGTH = 1_000_000;

/** Raises the error of an undefined value. */
const defined = (value: Value | undefined): Value =>
  value instanceof Undefined ? value.fail() : (value ?? null);

export const whole = (value: Value | undefined, name: string): number => {
  const given = defined(value);
  if (typeof given === 'boolean') return Number(given);
  if (typeof given === 'number' && Number.isSafeInteger(given)) return given;
  return raise('TypeError', `${name} must be an integer`);
};

export const wholeOrNone = (value: Value | undefined, name: string): number | null =>
  (value ?? null) === null ? null : whole(value, name);

export const real = (value: Value | undefined, name: string): number => {
  const given = defined(value);
  if (typeof given === 'boolean' || typeof given === 'bigint') return Number(given);
  if (given instanceof PyFloat) return given.value;
  return typeof given === 'number' ? given : raise('TypeError', `${name} must be a number`);
};

export const realOrNone = (value: Value | undefined, name: string): number | null =>
  (value ?? null) === null ? null : real(value, name);

/** 0 to `MAX_COUNT`. */
export const count = (value: Value | undefined, name: string): number => {
  const given = whole(value, name);
  if (given < 0 || given > MAX_COUNT) return raise('ValueError', `${name} must be 0 to ${MAX_COUNT}`);
  return given;
};

/** 0 to `MAX_LENGTH`. */
export const length = (value: Value | undefined, name: string): number => {
  const given = whole(value, name);
  if (given < 0 || given > MAX_LENGTH) return raise('ValueError', `${name} must be 0 to ${MAX_LENGTH}`);
  return given;
};

export const fakeText = (value: Value | undefined, name: string): string => {
  const given = defined(value);
  return typeof given === 'string' ? given : raise('TypeError', `${name} must be a string`);
};

export const textOrNone = (value: Value | undefined, name: string): string | null =>
  (value ?? null) === null ? null : fakeText(value, name);

/** None is false. */
export const flag = (value: Value | undefined): boolean => truthy(value ?? null);

/** Elements of a non-empty collection. */
export const elements = (value: Value | undefined, name: string): Value[] => {
  const items = listFrom(defined(value));
  return items.length === 0 ? raise('ValueError', `${name} must not be empty`) : items;
};

export const textsOrNone = (value: Value | undefined, name: string): readonly string[] | null =>
  (value ?? null) === null
    ? null
    : elements(value, name).map((item) => fakeText(item, `an element of ${name}`));

export const drawnOneOf = (
  value: Value | undefined,
  name: string,
  known: readonly string[],
): string | null => {
  const given = textOrNone(value, name);
  if (given === null || known.includes(given)) return given;
  return raise('ValueError', `${name} must be one of ${known.join(', ')}, not '${given}'`);
};
