import type { Value } from '../values/value.js';

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
