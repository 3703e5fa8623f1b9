import type { DrawSource } from './draw.js';

/** Keeps all that was made, by what it was made of. */
export const rememberAll = <K, A>(make: (key: K) => A): ((key: K) => A) => {
  const kept = new Map<K, A>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    kept.set(key, made);
    return made;
  };
};

/** Keeps what a world has once, for as long as the world is used. */
export const rememberOfWorld = <G extends { readonly draws: DrawSource }, A>(
  make: (ground: G) => A,
): ((ground: G) => A) => {
  const kept = new WeakMap<DrawSource, A>();
  return (ground) => {
    const known = kept.get(ground.draws);
    if (known !== undefined) return known;
    const made = make(ground);
    kept.set(ground.draws, made);
    return made;
  };
};

/** What is kept: as many minutes as a pipeline reads ahead, unless they are large. */
const MAX_KEPT = 24;
const MIN_KEPT = 4;
const MAX_KEPT_WEIGHT = 50_000;

interface Remembered<A> {
  readonly of: (number: number) => A;
  readonly forget: () => void;
}

/** Keeps what was computed last of minutes, hours or campaigns, by number, so that those who look at the same ones compute them once. */
export const rememberLast = <A>(
  compute: (number: number) => A,
  weightOf: (made: A) => number,
  most = MAX_KEPT,
): Remembered<A> => {
  const kept = new Map<number, A>();
  let weight = 0;
  const of = (number: number): A => {
    const known = kept.get(number);
    if (known !== undefined) return known;
    const made = compute(number);
    kept.set(number, made);
    weight += weightOf(made);
    for (const [oldest, old] of kept) {
      if (kept.size <= MIN_KEPT || (kept.size <= most && weight <= MAX_KEPT_WEIGHT)) break;
      kept.delete(oldest);
      weight -= weightOf(old);
    }
    return made;
  };
  return {
    of,
    forget: () => {
      kept.clear();
      weight = 0;
    },
  };
};
