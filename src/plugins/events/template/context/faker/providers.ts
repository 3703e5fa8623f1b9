import { nearest } from '../../../../../domain/text/shown.js';
import {
  type Callable,
  call,
  HostModule,
  type Kwargs,
  keepsNothing,
  native,
  raise,
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
    return super.callMethod(name, args, kwargs) ?? call(this.attribute(name), args, kwargs);
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
