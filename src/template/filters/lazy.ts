import { checkGrown, spend } from '../limits.js';
import { iterate, PyIterator, type Source } from '../values/iterate.js';
import { truthy } from '../values/truth.js';
import { isObject, type Value } from '../values/value.js';

/** What becomes of an element: another one, or JavaScript's `undefined` where it is left out. */
export type Step = (item: Value) => Value | undefined;

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };
const NONE: readonly Value[] = [];

/**
 * What a filter makes of the elements of a value, one by one when they are asked for, as a generator of Python
 * does. No generator of JavaScript: `rest` goes through a list several times faster than one can.
 */
class Lazy implements Source {
  private step: Step | null = null;
  /** What is gone through: a list, or else what an object gives one by one. */
  private items: readonly Value[] = NONE;
  private others: Iterator<Value> | null = null;
  private at = 0;

  constructor(
    private readonly value: Value,
    private readonly prepare: () => Step,
  ) {}

  /** The first time that an element is asked for; errors of arguments come now, and never for an empty value. */
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

  /** The next element; JavaScript's `undefined` at the end. */
  private following(): Value | undefined {
    this.step ??= this.begin();
    const { step, items, others } = this;
    // The length is read at each turn: a list may grow while it is gone through.
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

/** The result of a filter that makes its elements when they are asked for. `prepare` makes the step once. */
export const lazily = (value: Value, prepare: () => Step): PyIterator =>
  new PyIterator(new Lazy(value, prepare));
