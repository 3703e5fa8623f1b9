import { raise } from '../errors.js';
import { enter, leave, spend } from '../limits.js';
import { equals } from '../values/operations/compare.js';
import { iterate } from '../values/operations/iterate.js';
import { PyTuple } from '../values/types/sequences.js';
import { undefinedBecause } from '../values/types/undefined.js';
import { orElse, TemplateObject, type Value } from '../values/value.js';

type Recurse = (items: Value, depth: number) => string;

const sizeOf = (value: Value): number | undefined => {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') return undefined;
  return value instanceof TemplateObject ? value.size() : undefined;
};

export class LoopContext extends TemplateObject {
  /** A list and index, or an iterator. */
  private list: readonly Value[] | null = null;
  private at = 0;
  private source: Iterator<Value> | null = null;
  private known: number | undefined;
  private index0 = -1;
  private hasAfter = false;
  private after: Value | undefined;
  private before: Value | undefined;
  private lastChanged: PyTuple | undefined;
  current: Value = null;

  /** `items`: already filtered by the condition. */
  constructor(
    items: Value | Iterator<Value>,
    private readonly recurse: Recurse | null,
    private readonly depth0: number,
  ) {
    super();
    if (isIterator(items)) this.source = items;
    else if (Array.isArray(items)) {
      spend(items.length);
      this.list = items;
      this.known = items.length;
    } else {
      this.source = iterate(items)[Symbol.iterator]();
      this.known = sizeOf(items);
    }
  }
  get typeName(): string {
    return 'LoopContext';
  }

  advance(): boolean {
    const next = this.hasAfter ? this.after : this.pull();
    this.hasAfter = false;
    this.after = undefined;
    if (next === undefined) return false;
    if (this.index0 >= 0) this.before = this.current;
    this.index0++;
    this.current = next;
    return true;
  }

  private pull(): Value | undefined {
    // The list may grow during the loop.
    if (this.list !== null) return this.at < this.list.length ? this.list[this.at++] : undefined;
    const next = this.source?.next();
    return next === undefined || next.done === true ? undefined : next.value;
  }

  private peek(): Value | undefined {
    if (!this.hasAfter) {
      this.after = this.pull();
      this.hasAfter = true;
    }
    return this.after;
  }

  private length(): number {
    if (this.known === undefined) {
      const rest: Value[] = [];
      for (let next = this.pull(); next !== undefined; next = this.pull()) rest.push(next);
      this.list = rest;
      this.at = 0;
      this.known = rest.length + this.index0 + 1 + (this.after === undefined ? 0 : 1);
    }
    return this.known;
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'index':
        return this.index0 + 1;
      case 'index0':
        return this.index0;
      case 'first':
        return this.index0 === 0;
      case 'last':
        return this.peek() === undefined;
      case 'length':
        return this.length();
      case 'revindex':
        return this.length() - this.index0;
      case 'revindex0':
        return this.length() - this.index0 - 1;
      case 'depth':
        return this.depth0 + 1;
      case 'depth0':
        return this.depth0;
      case 'previtem':
        return this.index0 === 0 ? undefinedBecause('there is no previous item') : this.before;
      case 'nextitem': {
        const next = this.peek();
        return next === undefined ? undefinedBecause('there is no next item') : next;
      }
      case 'cycle':
        return (args) => this.cycle(args);
      case 'changed':
        return (args) => this.changed(args);
      default:
        return undefined;
    }
  }

  private cycle(args: readonly Value[]): Value {
    return orElse(args[this.index0 % args.length], () => raise('TypeError', 'no items for cycling given'));
  }

  private changed(args: readonly Value[]): boolean {
    const next = new PyTuple(args);
    if (this.lastChanged !== undefined && equals(this.lastChanged, next)) return false;
    this.lastChanged = next;
    return true;
  }

  override size(): number {
    return this.length();
  }
  override isCallable(): boolean {
    return true;
  }
  override call(args: readonly Value[]): Value {
    const [items] = args;
    if (this.recurse === null) {
      return raise('TypeError', "The loop must have the 'recursive' marker to be called recursively.");
    }
    if (items === undefined || args.length > 1)
      return raise('TypeError', 'loop() takes exactly one argument');
    enter();
    try {
      return this.recurse(items, this.depth0 + 1);
    } finally {
      leave();
    }
  }
  override repr(): string {
    return `<LoopContext ${this.index0 + 1}/${this.length()}>`;
  }
}

const isIterator = (items: Value | Iterator<Value>): items is Iterator<Value> =>
  typeof items === 'object' && items !== null && !Array.isArray(items) && !(items instanceof TemplateObject);
