import type { Value } from '../values/value.js';

/**
 * Members by name, each made when it is first asked for: a template uses few of the modules that it could, and a
 * generator that made them all would take five times the memory.
 */
export class LazyMembers extends Map<string, Value> {
  private readonly unmade: Map<string, () => Value>;

  constructor(makers: Readonly<Record<string, () => Value>>) {
    // Undefined stands for what is not made yet: the order of the names is that of the makers.
    super(Object.keys(makers).map((name) => [name, undefined as unknown as Value]));
    this.unmade = new Map(Object.entries(makers));
  }

  override get(name: string): Value | undefined {
    const made = super.get(name);
    if (made !== undefined) return made;
    const make = this.unmade.get(name);
    if (make === undefined) return undefined;
    const value = make();
    this.set(name, value);
    return value;
  }

  override *entries(): MapIterator<[string, Value]> {
    for (const name of this.keys()) yield [name, this.get(name) as Value];
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }
}
