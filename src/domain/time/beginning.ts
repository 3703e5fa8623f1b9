import * as E from 'fp-ts/lib/Either.js';
import { type DateTimeExpression, parseExpression, resolveExpression } from './expression.js';
import type { Micros } from './micros.js';
import type { Zone } from './zone.js';

type Beginning = Extract<DateTimeExpression, { readonly kind: 'now' | 'relative' | 'absolute' | 'unix' }>;

const HINT = 'must be a duration before the start, like -7d or -1h30m, or a time in ISO 8601';

const parseBeginning = (text: string): E.Either<string, Beginning> => {
  const parsed = parseExpression(text);
  if (E.isLeft(parsed)) return parsed;
  const { right } = parsed;
  switch (right.kind) {
    case 'relative':
      // `7d` without its minus would wait for a week.
      return right.micros > 0 ? E.left(HINT) : E.right(right);
    case 'now':
    case 'absolute':
    case 'unix':
      return E.right(right);
    case 'timeOfDay':
    case 'never':
    case 'human':
      return E.left(HINT);
  }
};

/** Returns why a text is no beginning, or null when it is one. */
export const checkBeginning = (text: string): string | null => {
  const parsed = parseBeginning(text);
  return E.isLeft(parsed) ? parsed.left : null;
};

/**
 * Returns where a stream begins: `-7d` is seven days before `now`; an ISO 8601 time without an offset is one of the
 * zone. The error says the problem.
 */
export const resolveBeginning = (text: string, now: Micros, zone: Zone): E.Either<string, Micros> =>
  E.flatMap((beginning: Beginning) =>
    resolveExpression(beginning, now, { now, zone, readHuman: () => null }),
  )(parseBeginning(text));
