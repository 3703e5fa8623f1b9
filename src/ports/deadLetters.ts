import type { Either } from 'fp-ts/lib/Either.js';
import type { SpateError } from '../domain/errors.js';

/** Where events go that an output could not deliver, so that nothing vanishes silently. */
export interface DeadLetters {
  /** Keeps the events with the reason; Left: they could not be kept (the box is full, the disk too). */
  readonly put: (events: readonly string[], reason: SpateError) => Promise<Either<SpateError, void>>;
}
