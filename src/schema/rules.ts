import type { RuleBreach } from './shape.js';

/** Requires two optional fields together; reports the missing one. */
export const givenTogether = <A extends string, B extends string>(
  first: A,
  second: B,
  breach: Pick<RuleBreach, 'message' | 'hint'>,
) => ({
  fields: [first, second] as const,
  check: (value: Readonly<Record<A | B, unknown>>): RuleBreach | null =>
    (value[first] === null) === (value[second] === null)
      ? null
      : { at: value[first] === null ? first : second, type: 'missing', ...breach },
});
