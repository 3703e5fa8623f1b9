import { raise } from '../errors.js';
import { checkGrown, spend } from '../limits.js';
import { native } from '../values/methods.js';
import { add } from '../values/operations/arithmetic.js';
import { equals, truthy } from '../values/operations/compare.js';
import { iterate, listFrom, PyIterator } from '../values/operations/iterate.js';
import { repr } from '../values/operations/print.js';
import { asIndex, needIndex } from '../values/operations/subscript.js';
import { PyTuple } from '../values/types/sequences.js';
import { type Callable, callValue, isInt, type Kwargs, TemplateObject, type Value } from '../values/value.js';
import { choosers } from './combinatorics.js';
import { HostModule } from './hostModule.js';

class ShownIterator extends PyIterator {
  constructor(
    source: Iterator<Value>,
    name: string,
    private readonly shown: () => string,
  ) {
    super(source, name);
  }
  override repr(): string {
    return this.shown();
  }
}

const lazy = (name: string, source: Iterator<Value>): PyIterator =>
  new PyIterator(source, `itertools.${name}`);

const sourceOf = (value: Value): Iterator<Value> => iterate(value)[Symbol.iterator]();

function* chained(sources: Iterable<Value>): Generator<Value> {
  for (const source of sources) yield* iterate(source);
}

/** `itertools.chain`, also `chain.from_iterable`. */
class Chain extends TemplateObject {
  get typeName(): string {
    return 'type';
  }
  override isCallable(): boolean {
    return true;
  }
  override call(args: readonly Value[]): Value {
    return lazy('chain', chained(args));
  }
  override attribute(name: string): Value | undefined {
    return name === 'from_iterable'
      ? native('from_iterable(iterable, /)', (sources = null) => lazy('chain', chained(iterate(sources))))
      : undefined;
  }
}

function* cycled(value: Value): Generator<Value> {
  const seen: Value[] = [];
  for (const item of iterate(value)) {
    seen.push(item);
    if ((seen.length & 0xfff) === 0) checkGrown(seen.length);
    yield item;
  }
  while (seen.length > 0) yield* seen;
}

const bound = (value: Value | undefined, whenNone: number): number => {
  if (value === undefined || value === null) return whenNone;
  const index = asIndex(value);
  return index !== undefined && index >= 0
    ? index
    : raise('ValueError', 'Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.');
};

function* sliced(source: Iterator<Value>, start: number, stop: number, step: number): Generator<Value> {
  let next = start;
  for (let at = 0; at < stop; at++) {
    const item = source.next();
    if (item.done === true) return;
    if (at !== next) continue;
    yield item.value;
    next += step;
  }
}

const islice: Callable = (args) => {
  const [source, first, second, third] = args;
  if (source === undefined || first === undefined || args.length > 4)
    return raise('TypeError', `islice expected at least 2 arguments, got ${args.length}`);
  const start = args.length === 2 ? 0 : bound(first, 0);
  const stop = bound(args.length === 2 ? first : second, Number.POSITIVE_INFINITY);
  const step = bound(third, 1);
  if (step === 0) return raise('ValueError', 'Step for islice() must be a positive integer or None.');
  return lazy('islice', sliced(sourceOf(source), start, stop, step));
};

function* accumulated(value: Value, combine: Value, initial: Value): Generator<Value> {
  let total: Value | undefined = initial ?? undefined;
  if (total !== undefined) yield total;
  for (const item of iterate(value)) {
    if (total === undefined) total = item;
    else total = combine === null ? add(total, item) : callValue(combine, [total, item], null);
    yield total;
  }
}

function* zipped(sources: readonly Iterator<Value>[], fill: Value): Generator<Value> {
  const open = [...sources];
  let left = open.length;
  for (;;) {
    spend(open.length);
    const items = open.map((source, index) => {
      const item = source.next();
      if (item.done !== true) return item.value;
      if (source !== END) left--;
      open[index] = END;
      return fill;
    });
    if (left === 0) return;
    yield new PyTuple(items);
  }
}

const END: Iterator<Value> = { next: () => ({ done: true, value: undefined }) };

/** Each group is read when reached, so it stays complete afterwards. */
function* grouped(value: Value, key: Value): Generator<Value> {
  let group: Value[] = [];
  let last: Value | undefined;
  for (const item of iterate(value)) {
    const next = key === null ? item : callValue(key, [item], null);
    if (last !== undefined && !equals(last, next)) {
      yield new PyTuple([last, lazy('_grouper', group[Symbol.iterator]())]);
      group = [];
    }
    last = next;
    group.push(item);
    if ((group.length & 0xfff) === 0) checkGrown(group.length);
  }
  if (last !== undefined) yield new PyTuple([last, lazy('_grouper', group[Symbol.iterator]())]);
}

const holds = (test: Value, item: Value): boolean =>
  truthy(test === null ? item : callValue(test, [item], null));

function* taken(test: Value, value: Value): Generator<Value> {
  for (const item of iterate(value)) {
    if (!holds(test, item)) return;
    yield item;
  }
}

function* dropped(test: Value, value: Value): Generator<Value> {
  let isDropping = true;
  for (const item of iterate(value)) {
    isDropping &&= holds(test, item);
    if (!isDropping) yield item;
  }
}

function* refused(test: Value, value: Value): Generator<Value> {
  for (const item of iterate(value)) if (!holds(test, item)) yield item;
}

function* compressed(data: Value, selectors: Value): Generator<Value> {
  const wanted = sourceOf(selectors);
  for (const item of iterate(data)) {
    const next = wanted.next();
    if (next.done === true) return;
    if (truthy(next.value)) yield item;
  }
}

function* pairs(value: Value): Generator<Value> {
  let last: Value | undefined;
  for (const item of iterate(value)) {
    if (last !== undefined) yield new PyTuple([last, item]);
    last = item;
  }
}

function* starred(target: Value, value: Value): Generator<Value> {
  for (const args of iterate(value)) yield callValue(target, listFrom(args), null);
}

/** Independent readers of one source; elements wait for the slowest reader. */
const tee = (value: Value, count: number): PyTuple => {
  const source = sourceOf(value);
  const read: Value[] = [];
  function* reader(): Generator<Value> {
    for (let at = 0; ; at++) {
      if (at === read.length) {
        const next = source.next();
        if (next.done === true) return;
        read.push(next.value);
        if ((read.length & 0xfff) === 0) checkGrown(read.length);
      }
      yield read[at] ?? null;
    }
  }
  if (count < 0) return raise('ValueError', 'n must be >= 0');
  checkGrown(count);
  return new PyTuple(Array.from({ length: count }, () => lazy('_tee', reader())));
};

const count = (start: Value, step: Value): PyIterator => {
  let next = start;
  function* counted(): Generator<Value> {
    for (;;) {
      const current = next;
      next = add(next, step);
      yield current;
    }
  }
  const isPlain = step === 1 && isInt(start);
  return new ShownIterator(counted(), 'itertools.count', () =>
    isPlain ? `count(${repr(next)})` : `count(${repr(next)}, ${repr(step)})`,
  );
};

const repeat = (value: Value, times: Value): PyIterator => {
  let left = times === null ? Number.POSITIVE_INFINITY : Math.max(0, needIndex(times));
  function* repeated(): Generator<Value> {
    while (left-- > 0) yield value;
  }
  return new ShownIterator(repeated(), 'itertools.repeat', () =>
    times === null ? `repeat(${repr(value)})` : `repeat(${repr(value)}, ${Math.max(0, left)})`,
  );
};

const zipLongest: Callable = (args, kwargs: Kwargs | null) =>
  lazy('zip_longest', zipped(args.map(sourceOf), kwargs?.get('fillvalue') ?? null));

/** Everything is lazy; each element costs a step. */
export const itertoolsModule = (): HostModule =>
  new HostModule('itertools', {
    accumulate: native(
      'accumulate(iterable, func=None, *, initial=None)',
      (items = null, combine = null, initial = null) =>
        lazy('accumulate', accumulated(items, combine, initial)),
    ),
    chain: new Chain(),
    compress: native('compress(data, selectors)', (data = null, selectors = null) =>
      lazy('compress', compressed(data, selectors)),
    ),
    count: native('count(start=0, step=1)', (start = 0, step = 1) => count(start, step)),
    cycle: native('cycle(iterable, /)', (items = null) => lazy('cycle', cycled(items))),
    dropwhile: native('dropwhile(predicate, iterable, /)', (test = null, items = null) =>
      lazy('dropwhile', dropped(test, items)),
    ),
    filterfalse: native('filterfalse(function, iterable, /)', (test = null, items = null) =>
      lazy('filterfalse', refused(test, items)),
    ),
    groupby: native('groupby(iterable, key=None)', (items = null, key = null) =>
      lazy('groupby', grouped(items, key)),
    ),
    islice,
    pairwise: native('pairwise(iterable, /)', (items = null) => lazy('pairwise', pairs(items))),
    repeat: native('repeat(object, times=None)', (value = null, times = null) => repeat(value, times)),
    starmap: native('starmap(function, iterable, /)', (target = null, items = null) =>
      lazy('starmap', starred(target, items)),
    ),
    takewhile: native('takewhile(predicate, iterable, /)', (test = null, items = null) =>
      lazy('takewhile', taken(test, items)),
    ),
    tee: native('tee(iterable, n=2, /)', (items = null, n = 2) => tee(items, needIndex(n))),
    zip_longest: zipLongest,
    ...choosers(lazy),
  });
