import { type Random, seededRandom } from '../../../../../../src/domain/random.js';
import { randModule } from '../../../../../../src/plugins/events/template/context/rand/module.js';
import { callValue, Fault, type HostModule, type Value } from '../../../../../../src/template/index.js';
import { budget } from '../../../../../../src/template/limits.js';

/** Calls `module.rand.<path>` of one module, as a render does. */
export type Rand = (path: string, args?: readonly Value[], kwargs?: Readonly<Record<string, Value>>) => Value;

export const randOf = (random: Random): Rand => {
  const root: HostModule = randModule(random);
  return (path, args = [], kwargs) => {
    let target: Value = root;
    for (const name of path.split('.')) {
      const next: Value | undefined =
        typeof target === 'object' && target !== null && !Array.isArray(target)
          ? target.attribute(name)
          : undefined;
      if (next === undefined) throw new Error(`there is no ${path}`);
      target = next;
    }
    // Outside a render: nothing is charged.
    budget.steps = Number.MAX_SAFE_INTEGER;
    return callValue(target, args, kwargs === undefined ? null : new Map(Object.entries(kwargs)));
  };
};

export const seeded = (seed: string | number = 1): Rand => randOf(seededRandom(seed));

/** Given random numbers: 32-bit words in order, then an error. `next` takes one word as its upper bits. */
export const scripted = (words: readonly number[]): Random => {
  const left = [...words];
  const uint32 = (): number => {
    const word = left.shift();
    if (word === undefined) throw new Error('no more random numbers');
    return word;
  };
  return {
    uint32,
    next: () => uint32() / 2 ** 32,
    integer: (min, max) => min + (uint32() % (max - min + 1)),
    fork: () => scripted(words),
    snapshot: () => left,
    restore: () => undefined,
  };
};

export const many = (count: number, draw: () => Value): Value[] => Array.from({ length: count }, draw);

export const texts = (count: number, draw: () => Value): string[] =>
  many(count, draw).map((value) => {
    if (typeof value !== 'string') throw new Error(`not a text: ${String(value)}`);
    return value;
  });

/** The doubles of floats and ints. */
export const doubles = (values: readonly Value[]): number[] =>
  values.map((value) => {
    const number =
      typeof value === 'object' && value !== null && 'value' in value ? Number(value.value) : value;
    if (typeof number !== 'number') throw new Error(`not a number: ${String(value)}`);
    return number;
  });

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const deviation = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};

/** A quantile. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/**
 * Chi-square distance from the expected shares, in standard deviations: over 5 by chance about once in a
 * million tries.
 */
export const surprise = (drawn: readonly Value[], shares: ReadonlyMap<Value, number>): number => {
  const counts = new Map<Value, number>();
  for (const value of drawn) counts.set(value, (counts.get(value) ?? 0) + 1);
  for (const value of counts.keys()) if (!shares.has(value)) throw new Error(`unexpected: ${String(value)}`);
  const whole = [...shares.values()].reduce((sum, share) => sum + share, 0);
  let chiSquare = 0;
  for (const [value, share] of shares) {
    const expected = (drawn.length * share) / whole;
    chiSquare += ((counts.get(value) ?? 0) - expected) ** 2 / expected;
  }
  const freedom = shares.size - 1;
  return (chiSquare - freedom) / Math.sqrt(2 * freedom);
};

export const even = (values: Iterable<Value>): ReadonlyMap<Value, number> =>
  new Map([...values].map((value) => [value, 1]));

export const faultOf = (run: () => unknown): string => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof Fault) return `${thrown.kind}: ${thrown.message}`;
    throw thrown;
  }
  throw new Error('no error');
};
