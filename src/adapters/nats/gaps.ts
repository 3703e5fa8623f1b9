import * as E from 'fp-ts/lib/Either.js';
import type { Result, SpateError } from '../../domain/errors.js';
import type { Cell } from './cells.js';

interface GapOptions {
  /** Revision up to which all is known. */
  readonly from: number;
  /** The first message from a revision on, read from the leader; `null`: there is none. */
  readonly next: (from: number) => Promise<Result<Cell | null>>;
  readonly deliver: (cell: Cell) => void;
  /** Called at most once, as the last. */
  readonly onFailed: (error: SpateError) => void;
}

/**
 * Hands on the messages of a consumer in order, and reads what it left out from the leader. Between two revisions there
 * usually is nothing, as newer messages took the place of those; but consumers of nats-server 2.9 at times skip a burst of
 * messages without a sign in their own numbers.
 */
export const fillGaps = ({ from, next, deliver, onFailed }: GapOptions): ((cell: Cell) => void) => {
  const waiting: Cell[] = [];
  /** All up to here was handed on, or is gone. */
  let known = from;
  let isReading = false;
  let hasFailed = false;

  const handOn = (cell: Cell): void => {
    known = Math.max(known, cell.revision);
    deliver(cell);
  };
  /** Hands on the first message that the gap before `revision` still has, or finds that there is none. */
  const narrowGap = async (revision: number): Promise<Result<null>> => {
    const found = await next(known + 1);
    if (E.isLeft(found)) return found;
    const first = found.right;
    if (first !== null && first.revision < revision) handOn(first);
    else known = Math.max(known, (first?.revision ?? revision) - 1);
    return E.right(null);
  };
  const readGaps = async (): Promise<void> => {
    for (let cell = waiting[0]; cell !== undefined; cell = waiting[0]) {
      while (cell.revision > known + 1) {
        const narrowed = await narrowGap(cell.revision);
        if (E.isLeft(narrowed)) {
          hasFailed = true;
          return onFailed(narrowed.left);
        }
      }
      waiting.shift();
      handOn(cell);
    }
    isReading = false;
  };
  return (cell) => {
    if (hasFailed) return;
    if (!isReading && cell.revision <= known + 1) return handOn(cell);
    waiting.push(cell);
    if (isReading) return;
    isReading = true;
    void readGaps();
  };
};
