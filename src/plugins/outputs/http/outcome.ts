import * as E from 'fp-ts/lib/Either.js';
import type { Result, SpateError } from '../../../domain/errors.js';
import type { Missed, Written } from '../../kit.js';
import type { Body } from './bodies.js';

/** Outcome of one request. */
export interface Sent {
  readonly body: Body;
  /** `null`: delivered. */
  readonly error: SpateError | null;
  readonly bytes: number;
}

/** Outcome of a write: requests that failed for one reason are one entry. */
export const outcomeOf = (sent: readonly Sent[]): Result<Written> => {
  const missed = new Map<string, { readonly items: number[]; readonly reason: SpateError }>();
  let written = 0;
  let bytes = 0;
  for (const { body, error, bytes: sent_bytes } of sent) {
    if (error === null) {
      written += body.to - body.from;
      bytes += sent_bytes;
      continue;
    }
    const key = `${error.code} ${error.message}`;
    const entry = missed.get(key) ?? { items: [], reason: error };
    missed.set(key, entry);
    for (let item = body.from; item < body.to; item++) entry.items.push(item);
  }
  const reasons: readonly Missed[] = [...missed.values()];
  const [first] = reasons;
  if (first === undefined) return E.right({ written, failed: 0, bytes });
  if (written === 0 && reasons.length === 1) return E.left(first.reason);
  return E.right({ written, failed: 0, bytes, missed: reasons });
};
