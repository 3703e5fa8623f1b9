import type * as E from 'fp-ts/lib/Either.js';
import { compilePattern, type TimestampPattern } from '../../../domain/timestamps/pattern.js';

/** Compiles `record_start`, a pattern whose groups do not matter. Returns an error of one sentence when that fails. */
export const compileStart = (source: string): E.Either<string, TimestampPattern> =>
  compilePattern(`(?P<timestamp>${source})`);
