import { charge, chargeAll, LONG_TEXT } from '../limits.js';
import { TEXT_METHODS } from '../text/methods.js';
import {
  boundRun,
  directRun,
  type GivenArguments,
  keywordsOf,
  type NativeMethod,
} from '../values/methods.js';
import { callMethod, callMethodLiteral, copyLiteral, getAttribute } from '../values/operations/access.js';
import { LIST_METHODS } from '../values/types/sequences.js';
import {
  doesKeepNothing,
  isObject,
  type Layout,
  type RunFunction,
  TemplateObject,
  type Value,
} from '../values/value.js';

/**
 * Locations of a template that read an attribute or call a method. Each remembers the last kind of object it
 * met: the same location of a template nearly always meets the same kind.
 */

const NO_LAYOUT: Layout = { places: new Map() };

/** `owner.name`. */
export class AttributeSite {
  /** Records of this layout have the value in `place`. */
  layout: Layout = NO_LAYOUT;
  place = 0;
  /** An object whose attribute never changes, and its value. */
  owner: TemplateObject | undefined;
  value: Value = null;

  constructor(readonly name: string) {}
}

export const readAttribute = (value: Value, site: AttributeSite): Value => {
  if (!isObject(value)) return getAttribute(value, site.name);
  if (value === site.owner) return site.value;
  if (value.layout === site.layout) return (value.items as readonly Value[])[site.place] as Value;
  const result = getAttribute(value, site.name);
  if (value.fixed(site.name) === result) {
    site.owner = value;
    site.value = result;
    return result;
  }
  const { layout } = value;
  const place = layout?.places.get(site.name);
  // A method of this name comes first: then the results differ.
  if (layout && place !== undefined && value.items?.[place] === result) {
    site.layout = layout;
    site.place = place;
  }
  return result;
};

/** A location that meets more kinds of objects stops learning. */
const MOST_LEARNT = 16;

type OnSelf = RunFunction | null;

const onSelf = (method: NativeMethod<never> | undefined, given: GivenArguments): OnSelf => {
  if (method === undefined) return null;
  if (method.signature !== null) return boundRun(method.run as RunFunction, method.signature, given, 1);
  const { raw } = method;
  return (self, ...values) =>
    raw(self as never, values.slice(0, given.positional), keywordsOf(given, values));
};

/** `owner.name(...)` with up to three arguments. */
export class CallSite implements GivenArguments {
  /** An object whose method never changes, and the method. */
  owner: TemplateObject | undefined;
  run: RunFunction = () => null;
  /** Positional arguments to charge for that object. */
  paid = 0;
  /** Table of the methods of some objects; `method` is its method of this name. Null before one is learned. */
  table: ReadonlyMap<string, unknown> | null = null;
  method: OnSelf = null;
  private list: OnSelf | undefined;
  private text: OnSelf | undefined;
  private learnt = 0;

  /** `literals`: all arguments, if they are constants and one is a list or dict. */
  constructor(
    readonly name: string,
    readonly positional: number,
    readonly keys: readonly string[],
    readonly literals: readonly Value[] | null = null,
  ) {}

  get onList(): OnSelf {
    if (this.list === undefined) this.list = onSelf(LIST_METHODS.get(this.name), this);
    return this.list;
  }
  get onText(): OnSelf {
    if (this.text === undefined) this.text = onSelf(TEXT_METHODS.get(this.name), this);
    return this.text;
  }

  /** Remembers the kind of an object for the next call. Returns the method of its table, if any. */
  learn(owner: TemplateObject): OnSelf {
    if (this.learnt >= MOST_LEARNT) return null;
    const table = owner.methodTable;
    const target = table === undefined ? owner.fixedMethod(this.name) : undefined;
    if (target !== undefined) {
      const run = directRun(target, this);
      if (run === null) return null;
      this.learnt++;
      this.run = this.literals === null ? run : withLiterals(run, target, this.literals);
      this.paid = owner.chargesCalls ? this.positional : 0;
      this.owner = owner;
    } else if (table !== undefined) {
      this.learnt++;
      this.table = table;
      this.method = onSelf(table.get(this.name) as NativeMethod<never> | undefined, this);
      return this.method;
    }
    return null;
  }

  methodOf(owner: Value): OnSelf {
    if (Array.isArray(owner)) return this.onList;
    if (typeof owner === 'string') return this.onText;
    if (!isObject(owner)) return null;
    return this.table !== null && owner.methodTable === this.table ? this.method : this.learn(owner);
  }

  general(owner: Value, values: readonly Value[]): Value {
    const args = this.keys.length === 0 ? values : values.slice(0, this.positional);
    return callMethod(owner, this.name, args, keywordsOf(this, values));
  }
}

/** Functions that may keep or change a list get a copy. */
const withLiterals = (run: RunFunction, target: Value, literals: readonly Value[]): RunFunction => {
  const isShared = typeof target === 'function' && doesKeepNothing(target);
  const isLong = literals.some((each) => typeof each === 'string' && each.length > LONG_TEXT);
  const [a = null, b = null, c = null] = literals;
  if (!isShared && !isLong && literals.length === 2) return () => run(copyLiteral(a), copyLiteral(b));
  if (!isShared || isLong || literals.length > 3) {
    return () => {
      chargeAll(literals);
      return run(...literals.map(copyLiteral));
    };
  }
  switch (literals.length) {
    case 1:
      return () => run(a);
    case 2:
      return () => run(a, b);
    default:
      return () => run(a, b, c);
  }
};

const payFor = (value: Value): void => {
  if (typeof value === 'string') charge(value);
  else if (typeof value === 'bigint') chargeAll([value]);
};

export const call0 = (site: CallSite, owner: Value): Value => {
  if (owner === site.owner) return site.run();
  const method = site.methodOf(owner);
  if (method === null) return site.general(owner, []);
  if (typeof owner === 'string') charge(owner);
  return method(owner);
};

export const call1 = (site: CallSite, owner: Value, a: Value): Value => {
  if (owner === site.owner) {
    if (site.paid > 0) payFor(a);
    return site.run(a);
  }
  const method = site.methodOf(owner);
  if (method === null) return site.general(owner, [a]);
  if (typeof owner === 'string') charge(owner);
  if (site.positional > 0) payFor(a);
  return method(owner, a);
};

export const call2 = (site: CallSite, owner: Value, a: Value, b: Value): Value => {
  if (owner === site.owner) {
    if (site.paid > 0) payFor(a);
    if (site.paid > 1) payFor(b);
    return site.run(a, b);
  }
  const method = site.methodOf(owner);
  if (method === null) return site.general(owner, [a, b]);
  if (typeof owner === 'string') charge(owner);
  if (site.positional > 0) payFor(a);
  if (site.positional > 1) payFor(b);
  return method(owner, a, b);
};

export const call3 = (site: CallSite, owner: Value, a: Value, b: Value, c: Value): Value => {
  if (owner !== site.owner) {
    if (isObject(owner) && owner.methodTable === undefined) site.learn(owner);
    return site.general(owner, [a, b, c]);
  }
  if (site.paid > 0) payFor(a);
  if (site.paid > 1) payFor(b);
  if (site.paid > 2) payFor(c);
  return site.run(a, b, c);
};

/** A call with constant arguments, of which one is a list or dict. */
export const callConstant = (site: CallSite, owner: Value): Value => {
  if (owner === site.owner) return site.run();
  if (isObject(owner) && owner.methodTable === undefined) site.learn(owner);
  return callMethodLiteral(owner, site.name, site.literals ?? []);
};

/** A value made from an object that never changes. */
export class KeptValue {
  owner: Value | undefined = undefined;
  value: Value = null;
}

/** Keeps the value if its owner is constant; returns it. */
export const keep = (kept: KeptValue, owner: Value, value: Value): Value => {
  if (owner instanceof TemplateObject && owner.isConstant) {
    kept.owner = owner;
    kept.value = value;
  }
  return value;
};
