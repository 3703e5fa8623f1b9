import type { Result, SpateError } from '../../../domain/errors.js';
import type { Written } from '../../kit.js';
import { missedItems, writtenResult } from '../shared/written.js';
import type { Body } from './bodies.js';

/** Outcome of one request. */
export interface Sent {
  readonly body: Body;
  /** Why the request failed. Null when it was delivered. */
  readonly error: SpateError | null;
  readonly bytes: number;
}

/** Outcome of a write: requests that failed for one reason are one entry. */
export const outcomeOf = (sent: readonly Sent[]): Result<Written> => {
  const missed = missedItems();
  let written = 0;
  let bytes = 0;
  for (const { body, error, bytes: sent_bytes } of sent) {
    if (error === null) {
      written += body.to - body.from;
      bytes += sent_bytes;
      continue;
    }
    for (let item = body.from; item < body.to; item++) {
      missed.add(`${error.code} ${error.message}`, item, () => error);
    }
  }
  return writtenResult({ written, failed: 0, bytes }, missed.list());
};
