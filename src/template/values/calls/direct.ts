import type { Callable, Parameters, Run, Value } from '../value.js';
import { isObject } from '../value.js';

/** Arguments of a call as its source gives them: by position, then by name. */
export interface Given {
  readonly positional: number;
  readonly keys: readonly string[];
}

/** Returns for each parameter the index of its argument, or its default. Null when `bind` raises an error. */
const planOf = (
  { params, defaults, positionalOnly, positional: most }: Parameters,
  { positional, keys }: Given,
): readonly (number | { readonly fallback: Value })[] | null => {
  const first = Math.max(positionalOnly, positional);
  const isKnown = keys.every((key, i) => params.indexOf(key) >= first && keys.indexOf(key) === i);
  if (positional > most || !isKnown) return null;
  const plan: (number | { readonly fallback: Value })[] = [];
  for (const [place, param] of params.entries()) {
    const named = keys.indexOf(param);
    const fallback = defaults[place];
    if (place < positional) plan.push(place);
    else if (named >= 0) plan.push(positional + named);
    else if (fallback !== undefined) plan.push({ fallback });
    else return null;
  }
  return plan;
};

/** Calls with the arguments of `given`; `null` if they do not fit. `selves`: 1 with a `self` in front. */
export const boundRun = (run: Run, parameters: Parameters, given: Given, selves: 0 | 1): Run | null => {
  const plan = planOf(parameters, given);
  if (plan === null) return null;
  const count = given.positional + given.keys.length;
  const inOrder = plan.every((part, place) => part === place || (place >= count && typeof part === 'object'));
  const [d, e, ...more] = plan.slice(count).map((part) => (typeof part === 'object' ? part.fallback : null));
  if (inOrder && plan.length === count) return run;
  if (inOrder && more.length === 0 && d !== undefined) {
    switch (count + selves) {
      case 0:
        return e === undefined ? () => run(d) : () => run(d, e);
      case 1:
        return e === undefined ? (a) => run(a, d) : (a) => run(a, d, e);
      case 2:
        return e === undefined ? (a, b) => run(a, b, d) : (a, b) => run(a, b, d, e);
    }
  }
  return (...values) =>
    run(
      ...values.slice(0, selves),
      ...plan.map((part) => (typeof part === 'number' ? (values[part + selves] as Value) : part.fallback)),
    );
};

/** Keyword arguments by name, from the values after the positional ones. */
export const keywordsOf = (
  { positional, keys }: Given,
  values: readonly Value[],
): Map<string, Value> | null =>
  keys.length === 0 ? null : new Map(keys.map((key, i) => [key, values[positional + i] as Value]));

/** A call of a host function or callable object with fixed kinds of arguments. */
export const directRun = (target: Value, given: Given): Run | null => {
  const { positional, keys } = given;
  if (typeof target === 'function') {
    const { direct } = target;
    const bound = direct === undefined ? null : boundRun(direct.run, direct.signature, given, 0);
    return bound ?? throughArrays(target, given);
  }
  if (!isObject(target)) return null;
  return (
    target.directCall(positional, keys) ?? throughArrays((args, kwargs) => target.call(args, kwargs), given)
  );
};

const throughArrays =
  (target: Callable, given: Given): Run =>
  (...values) =>
    target(values.slice(0, given.positional), keywordsOf(given, values));
