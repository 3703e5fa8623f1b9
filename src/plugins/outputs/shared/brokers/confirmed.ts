import type { RequestError } from '../requestErrors.js';
import { type Ending, watchEnd } from './acknowledged.js';
import type { Outcome } from './outcome.js';

export interface Confirming {
  readonly count: number;
  readonly outcome: Outcome;
  /** Sends an item; returns an error if it was not sent. */
  readonly send: (item: number) => RequestError | null;
  /** Bytes sent so far. */
  readonly bytes: () => number;
  /** Resolves when the server has read all that was sent; never, if the connection is lost before. */
  readonly confirm: () => Promise<void>;
  /** Returns why the server refused an item that it has read, or null when it did not. */
  readonly refusalOf: (item: number) => RequestError | null;
}

/** Bytes and items between two confirmations; at most two such parts are on their way. */
const PART_BYTES = 512 * 1024;
const PART_ITEMS = 8_192;

/**
 * Sends items in order over a protocol without acknowledgements, and waits until the server has read them. False: the
 * write ended before, and the connection holds items of unknown fate.
 */
export const writeConfirmed = async (
  { count, outcome, send, bytes, confirm, refusalOf }: Confirming,
  ending: Ending,
): Promise<boolean> => {
  let confirmed = 0;
  const watch = watchEnd(ending, () => confirmed);
  const confirmPart = async (from: number, to: number, isRead: Promise<void>): Promise<void> => {
    await Promise.race([isRead, watch.ended]);
    if (watch.reason() !== null) return;
    for (let item = from; item < to; item++) {
      const refusal = refusalOf(item);
      if (refusal === null) outcome.accept(item);
      else outcome.miss(item, refusal);
    }
    confirmed = to;
  };
  let former: Promise<void> = Promise.resolve();
  let [start, startBytes] = [0, 0];
  for (let item = 0; item < count && watch.reason() === null; item++) {
    const refused = send(item);
    if (refused !== null) outcome.miss(item, refused);
    const isFull = bytes() - startBytes >= PART_BYTES || item + 1 - start >= PART_ITEMS;
    if (!isFull && item + 1 < count) continue;
    const before = former;
    former = confirmPart(start, item + 1, confirm());
    [start, startBytes] = [item + 1, bytes()];
    await before;
  }
  await former;
  watch.stop();
  const reason = watch.reason();
  if (reason !== null) outcome.missRest(reason);
  return reason === null;
};
