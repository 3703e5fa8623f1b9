import type { Random } from '../../domain/random.js';
import { raise } from '../errors.js';
import { checkItems, spend } from '../limits.js';
import { asDouble } from '../text/numbers.js';
import { native } from '../values/methods.js';
import { listFrom } from '../values/operations/iterate.js';
import { needIndex } from '../values/operations/subscript.js';
import { makeRange, PyRange } from '../values/types/sequences.js';
import { type Callable, floatOf, keepsNothing, typeName, type Value } from '../values/value.js';
import { HostModule } from './hostModule.js';

const need = (value: Value | undefined): number =>
  asDouble(value ?? null) ?? raise('TypeError', `must be real number, not ${typeName(value ?? null)}`);

/** Standard normal by two uniform draws (Box and Muller). */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

const choice = (random: Random, value: Value): Value => {
  if (value instanceof PyRange && value.length > 0) return value.at(random.integer(0, value.length - 1));
  const items = listFrom(value);
  const [first] = items;
  if (first === undefined) return raise('IndexError', 'Cannot choose from an empty sequence');
  return items[random.integer(0, items.length - 1)] ?? null;
};

const choices = (random: Random, value: Value, weights: Value, count: Value): Value[] => {
  const items = listFrom(value);
  const times = needIndex(count);
  checkItems(times);
  if (items.length === 0) return raise('IndexError', 'list index out of range');
  if (weights === null)
    return Array.from({ length: times }, () => items[random.integer(0, items.length - 1)] ?? null);
  let total = 0;
  const ends = listFrom(weights).map((weight) => (total += need(weight)));
  if (ends.length !== items.length)
    return raise('ValueError', 'The number of weights does not match the population');
  if (total <= 0) return raise('ValueError', 'Total of weights must be greater than zero');
  spend(times);
  return Array.from({ length: times }, () => {
    const at = random.next() * total;
    // Binary search for the first end above: ends ascend.
    let [low, high] = [0, items.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at < (ends[middle] as number)) high = middle;
      else low = middle + 1;
    }
    return items[low] ?? null;
  });
};

const shuffle = (random: Random, items: Value[]): void => {
  spend(items.length);
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.integer(0, i);
    const kept = items[i] ?? null;
    items[i] = items[j] ?? null;
    items[j] = kept;
  }
};

const sample = (random: Random, value: Value, count: Value): Value[] => {
  const items = listFrom(value);
  const times = needIndex(count);
  if (times < 0 || times > items.length)
    return raise('ValueError', 'Sample larger than population or is negative');
  shuffle(random, items);
  return items.slice(0, times);
};

const integer = (random: Random, low: number, high: number, name: string): number =>
  low > high
    ? raise('ValueError', `empty range for ${name}(${low}, ${high + 1})`)
    : random.integer(low, high);

/** Uses the seeded numbers. Python's sequences are not reproduced; `seed` has no effect. */
export const randomModule = (random: () => Random): HostModule => {
  const pure = (source: string, run: (...values: Value[]) => Value): Callable =>
    keepsNothing(native(source, run));
  return new HostModule('random', {
    random: pure('random()', () => floatOf(random().next())),
    randint: pure('randint(a, b)', (a, b) =>
      integer(random(), needIndex(a ?? null), needIndex(b ?? null), 'randint'),
    ),
    randrange: (args, kwargs) => {
      const range = makeRange(args, kwargs);
      return range.length === 0
        ? raise('ValueError', 'empty range for randrange()')
        : range.at(random().integer(0, range.length - 1));
    },
    uniform: pure('uniform(a, b)', (a, b) => floatOf(need(a) + (need(b) - need(a)) * random().next())),
    choice: native('choice(seq)', (items) => choice(random(), items ?? null)),
    choices: native(
      'choices(population, weights=None, *, cum_weights=None, k=1)',
      (items, weights, _ends, count) => choices(random(), items ?? null, weights ?? null, count ?? 1),
    ),
    sample: native('sample(population, k)', (items, count) => sample(random(), items ?? null, count ?? null)),
    shuffle: native('shuffle(x)', (items = null) => {
      if (!Array.isArray(items))
        return raise('TypeError', `'${typeName(items)}' object does not support item assignment`);
      shuffle(random(), items);
      return null;
    }),
    gauss: pure('gauss(mu=0, sigma=1)', (mu, sigma) => floatOf(need(mu) + need(sigma) * normal(random()))),
    normalvariate: pure('normalvariate(mu=0, sigma=1)', (mu, sigma) =>
      floatOf(need(mu) + need(sigma) * normal(random())),
    ),
    lognormvariate: pure('lognormvariate(mu=0, sigma=1)', (mu, sigma) =>
      floatOf(Math.exp(need(mu) + need(sigma) * normal(random()))),
    ),
    expovariate: pure('expovariate(lambd=1)', (rate) => floatOf(-Math.log(1 - random().next()) / need(rate))),
    paretovariate: pure('paretovariate(alpha)', (alpha) =>
      floatOf((1 - random().next()) ** (-1 / need(alpha))),
    ),
    triangular: pure('triangular(low=0, high=1, mode=None)', (low, high, mode = null) => {
      const [a, b] = [need(low), need(high)];
      // As in Python: with a mode, the low end is returned unchanged, also an int.
      if (a === b) return mode === null ? floatOf(a) : (low ?? null);
      const share = mode === null ? 0.5 : (need(mode) - a) / (b - a);
      const u = random().next();
      return floatOf(
        u > share ? b + (a - b) * Math.sqrt((1 - u) * (1 - share)) : a + (b - a) * Math.sqrt(u * share),
      );
    }),
    getrandbits: pure('getrandbits(k)', (bits) => {
      const count = needIndex(bits ?? null);
      if (count < 0 || count > 53) return raise('ValueError', 'number of bits must be 0 to 53');
      return count === 0 ? 0 : random().integer(0, 2 ** count - 1);
    }),
    seed: native('seed(a=None)', () => null),
  });
};
