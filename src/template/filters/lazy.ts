import { checkGrown, spend } from '../limits.js';
import { iterate, PyIterator, type Source } from '../values/operations/iterate.js';
import { truthy } from '../values/operations/truth.js';
import { isObject, type Value } from '../values/value.js';

/** Maps an element; `undefined` skips it. */
export type Step = (item: Value) => Value | undefined;

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };
const NONE: readonly Value[] = [];

/** A lazy filter result. Not a JavaScript generator: `rest` reads a list several times faster. */
class Lazy implements Source {
  private step: Step | null = null;
  /** A list, or the iterator of an object. */
  private items: readonly Value[] = NONE;
  private others: Iterator<Value> | null = null;
  private at = 0;

  constructor(
    private readonly value: Value,
    private readonly prepare: () => Step,
  ) {}

  /** Runs at the first element: argument errors appear now, and never for an empty value. */
  private begin(): Step {
    const { value } = this;
    if (!truthy(value)) return () => undefined;
    const step = this.prepare();
    const items = Array.isArray(value) ? value : isObject(value) ? value.elements() : undefined;
    if (items === undefined) this.others = iterate(value)[Symbol.iterator]();
    else {
      spend(items.length);
      this.items = items;
    }
    return step;
  }

  private following(): Value | undefined {
    this.step ??= this.begin();
    const { step, items, others } = this;
    // The list may grow during the loop.
    while (this.at < items.length) {
      const made = step(items[this.at++] as Value);
      if (made !== undefined) return made;
    }
    if (others === null) return undefined;
    for (let next = others.next(); next.done !== true; next = others.next()) {
      const made = step(next.value);
      if (made !== undefined) return made;
    }
    return undefined;
  }

  next(): IteratorResult<Value> {
    const value = this.following();
    return value === undefined ? END : { done: false, value };
  }

  rest(): Value[] {
    const all: Value[] = [];
    for (let item = this.following(); item !== undefined; item = this.following()) {
      all.push(item);
      if ((all.length & 0xfff) === 0) checkGrown(all.length);
    }
    return all;
  }
}

/** `prepare` creates the step once, at the first element. */
export const lazily = (value: Value, prepare: () => Step): PyIterator =>
  new PyIterator(new Lazy(value, prepare));
