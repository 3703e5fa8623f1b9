import { raise } from '../errors.js';
import { checkItems, spend } from '../limits.js';
import { native } from '../values/methods.js';
import { listFrom, type PyIterator } from '../values/operations/iterate.js';
import { needIndex } from '../values/operations/subscript.js';
import { PyTuple } from '../values/types/sequences.js';
import type { Callable, Value } from '../values/value.js';

/** Elements of a result per step. */
const ELEMENTS_PER_STEP = 8;

const tupleOf = (pool: readonly Value[], places: readonly number[]): PyTuple => {
  spend(places.length / ELEMENTS_PER_STEP);
  return new PyTuple(places.map((place) => pool[place] ?? null));
};

function* products(pools: readonly (readonly Value[])[]): Generator<Value> {
  if (pools.some((pool) => pool.length === 0)) return;
  const places = pools.map(() => 0);
  for (;;) {
    spend(pools.length / ELEMENTS_PER_STEP);
    yield new PyTuple(pools.map((pool, index) => pool[places[index] ?? 0] ?? null));
    let last = pools.length - 1;
    for (; last >= 0; last--) {
      places[last] = (places[last] ?? 0) + 1;
      if ((places[last] ?? 0) < (pools[last]?.length ?? 0)) break;
      places[last] = 0;
    }
    if (last < 0) return;
  }
}

function* ascending(size: number, count: number, isRepeating: boolean): Generator<readonly number[]> {
  if (isRepeating ? size === 0 && count > 0 : count > size) return;
  const places = Array.from({ length: count }, (_, index) => (isRepeating ? 0 : index));
  for (;;) {
    yield places;
    let at = count - 1;
    while (at >= 0 && places[at] === (isRepeating ? size - 1 : size - count + at)) at--;
    if (at < 0) return;
    const next = (places[at] ?? 0) + 1;
    for (let i = at; i < count; i++) places[i] = isRepeating ? next : next + i - at;
  }
}

/** Each order of each choice of indexes, as in Python. */
function* orders(size: number, count: number): Generator<readonly number[]> {
  if (count > size) return;
  const places = Array.from({ length: size }, (_, index) => index);
  const cycles = Array.from({ length: count }, (_, index) => size - index);
  yield places.slice(0, count);
  for (let at = count - 1; at >= 0; ) {
    spend(1);
    cycles[at] = (cycles[at] ?? 0) - 1;
    if (cycles[at] === 0) {
      spend((size - at) / ELEMENTS_PER_STEP);
      places.push(...places.splice(at, 1));
      cycles[at] = size - at;
      at--;
      continue;
    }
    const other = size - (cycles[at] ?? 0);
    [places[at], places[other]] = [places[other] ?? 0, places[at] ?? 0];
    yield places.slice(0, count);
    at = count - 1;
  }
}

function* chosen(pool: readonly Value[], places: Iterable<readonly number[]>): Generator<Value> {
  for (const each of places) yield tupleOf(pool, each);
}

const countOf = (value: Value): number => {
  const count = needIndex(value);
  if (count < 0) return raise('ValueError', 'r must be non-negative');
  return count;
};

type Lazy = (name: string, source: Iterator<Value>) => PyIterator;

export const choosers = (lazy: Lazy): Readonly<Record<string, Callable>> => {
  const combinations = (name: string, isRepeating: boolean): Callable =>
    native(`${name}(iterable, r)`, (items = null, r = null) => {
      const pool = listFrom(items);
      const count = countOf(r);
      checkItems(count);
      return lazy(name, chosen(pool, ascending(pool.length, count, isRepeating)));
    });
  return {
    product: (args, kwargs) => {
      const times = countOf(kwargs?.get('repeat') ?? 1);
      const pools = args.map(listFrom);
      checkItems(times * pools.length);
      return lazy('product', products(Array.from({ length: times }, () => pools).flat()));
    },
    permutations: native('permutations(iterable, r=None)', (items = null, r = null) => {
      const pool = listFrom(items);
      return lazy('permutations', chosen(pool, orders(pool.length, r === null ? pool.length : countOf(r))));
    }),
    combinations: combinations('combinations', false),
    combinations_with_replacement: combinations('combinations_with_replacement', true),
  };
};
