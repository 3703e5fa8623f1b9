import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../../../domain/errors.js';
import type { Missed } from '../../kit.js';
import { missedItems } from '../shared/written.js';
import type { Rows } from './rows.js';
import type { CopyError } from './serverErrors.js';

export interface Delivered {
  readonly written: number;
  readonly bytes: number;
  readonly missed: readonly Missed[];
}

export interface Deliver {
  readonly rows: Rows;
  /** Copies all rows or none. Returns how many the server wrote. */
  readonly copy: (data: Buffer) => Promise<E.Either<CopyError, number>>;
  readonly reasonOf: (error: CopyError) => SpateError;
}

/**
 * Copies all rows. If a row is at fault it is found with further copies: up to the row that the server named, or half,
 * then that row alone. Returns an error when nothing was written and no row is at fault.
 */
export const deliverRows = async ({
  rows,
  copy,
  reasonOf,
}: Deliver): Promise<E.Either<CopyError, Delivered>> => {
  const { ends, bytes } = rows;
  const count = ends.length;
  const missed = missedItems();
  const startOf = (row: number): number => (row === 0 ? 0 : (ends[row - 1] as number));
  const miss = (from: number, to: number, error: CopyError): void => {
    const reason = reasonOf(error);
    for (let row = from; row < to; row++) {
      missed.add(reason.message, rows.items?.[row] ?? row, () => reason);
    }
  };

  let at = 0;
  let sent_bytes = 0;
  /** Rows to try at once. */
  let window = count;
  /** Row that the server named. */
  let suspect: number | null = null;
  let written = 0;
  while (at < count) {
    const limit = suspect === null ? at + window : suspect > at ? suspect : at + 1;
    const to = Math.min(count, limit);
    const result = await copy(bytes.subarray(startOf(at), startOf(to)));
    if (E.isRight(result)) {
      written += to - at;
      sent_bytes += startOf(to) - startOf(at);
      if (suspect === null) window *= 2;
      else if (to > suspect) suspect = null;
      at = to;
      continue;
    }
    const error = result.left;
    if (!error.isRowFault) {
      if (written === 0 && missed.count() === 0) return result;
      miss(at, count, error);
      break;
    }
    if (to - at === 1) {
      miss(at, to, error);
      suspect = null;
      at = to;
      continue;
    }
    suspect = rows.isLineRow && error.row !== null && error.row < to - at ? at + error.row : null;
    window = Math.max(1, suspect === null ? Math.ceil((to - at) / 2) : 2 * (suspect - at));
  }
  return E.right({ written, bytes: sent_bytes, missed: missed.list() });
};
