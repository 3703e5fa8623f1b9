import { chargeAll } from '../limits.js';
import { callValue, type Kwargs, TemplateObject, type Value } from '../values/value.js';

/** An object with fixed attributes: a module, or a group of host functions. */
export class HostModule extends TemplateObject {
  private readonly members: LazyMembers;

  constructor(
    private readonly name: string,
    members: Readonly<Record<string, Value>> | ReadonlyMap<string, Value> | LazyMembers,
  ) {
    super();
    if (members instanceof LazyMembers) this.members = members;
    else this.members = new LazyMembers({}, members instanceof Map ? members : Object.entries(members));
  }
  get typeName(): string {
    return 'module';
  }
  /** For hints and docs; templates do not see it. */
  get memberNames(): readonly string[] {
    return this.members.keys();
  }
  override attribute(name: string): Value | undefined {
    return this.members.get(name);
  }
  override fixed(name: string): Value | undefined {
    return this.members.get(name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const member = this.members.get(name);
    if (typeof member === 'function') {
      chargeAll(args);
      return member(args, kwargs);
    }
    return member === undefined ? undefined : callValue(member, args, kwargs);
  }
  override repr(): string {
    return `<module '${this.name}'>`;
  }
}

export type MemberMakers = Readonly<Record<string, () => Value>>;

/** Members by name, created at first use. Creating all modules would take five times the memory. */
export class LazyMembers {
  private readonly made: Map<string, Value>;

  constructor(
    private readonly makers: MemberMakers,
    made: Iterable<readonly [string, Value]> = [],
  ) {
    this.made = new Map(made);
  }

  get(name: string): Value | undefined {
    const found = this.made.get(name);
    return found === undefined ? this.make(name) : found;
  }

  has(name: string): boolean {
    return this.made.has(name) || Object.hasOwn(this.makers, name);
  }

  /** Initial members first. */
  keys(): readonly string[] {
    const late = Object.keys(this.makers);
    return [...[...this.made.keys()].filter((name) => !Object.hasOwn(this.makers, name)), ...late];
  }

  *[Symbol.iterator](): Iterator<[string, Value]> {
    for (const name of this.keys()) yield [name, this.get(name) as Value];
  }

  private make(name: string): Value | undefined {
    if (!Object.hasOwn(this.makers, name)) return undefined;
    const value = (this.makers[name] as () => Value)();
    this.made.set(name, value);
    return value;
  }
}
