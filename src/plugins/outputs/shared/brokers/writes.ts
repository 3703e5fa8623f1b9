import type { Result } from '../../../../domain/errors.js';
import type { Clock } from '../../../../ports/clock.js';
import type { Written } from '../../../kit.js';
import { STOPPED } from '../attempts.js';
import { type ErrorReporter, type RequestError, retryableError } from '../errors.js';
import { isRetryable, missedItems, writtenResult } from '../written.js';

/** Ends of a write before all its items have a fate. */
export interface Ending {
  readonly signal: AbortSignal;
  /** Calls back with the reason when the connection is over, unless the result is called before. */
  readonly onOver: (run: (reason: RequestError) => void) => () => void;
  readonly clock: Clock;
  /** Longest time without a single acknowledgement. */
  readonly ack_timeout_ms: number;
}

interface BrokerSending {
  readonly count: number;
  readonly outcome: BrokerOutcome;
  readonly window: SendWindow;
  /**
   * Sends an item that is open and calls `settle` once it is acknowledged or refused, also later; returns an error
   * if it was not sent.
   */
  readonly send: (item: number, settle: (error: RequestError | null) => void) => RequestError | null;
  /** Gets a function that refuses an item in flight. */
  readonly onStart?: (refuse: (item: number, error: RequestError) => void) => void;
}

/**
 * Sends items in order, as many at once as the window has places, and waits for their acknowledgements. True: all
 * items were settled by the server; false: the write ended before, and the connection holds items of unknown fate.
 */
export const writeAcknowledged = async (
  { count, outcome, window, send, onStart }: BrokerSending,
  ending: Ending,
): Promise<boolean> => {
  let inFlight = 0;
  let settled = 0;
  let isSent = false;
  let onSettled: () => void = () => {};
  const allSettled = new Promise<void>((resolve) => {
    onSettled = resolve;
  });
  const settle = (item: number, error: RequestError | null): void => {
    if (!(error === null ? outcome.accept(item) : outcome.miss(item, error))) return;
    inFlight -= 1;
    settled += 1;
    window.give(1);
    if (isSent && inFlight === 0) onSettled();
  };
  onStart?.(settle);
  const watch = watchEnd(ending, () => settled);
  for (let item = 0; item < count && watch.reason() === null; item++) {
    if (!outcome.isOpen(item)) continue;
    while (watch.reason() === null && !window.take()) await Promise.race([window.room(), watch.ended]);
    if (watch.reason() !== null) break;
    inFlight += 1;
    const refused = send(item, (error) => settle(item, error));
    if (refused !== null) settle(item, refused);
  }
  isSent = true;
  if (inFlight > 0 && watch.reason() === null) await Promise.race([allSettled, watch.ended]);
  watch.stop();
  const reason = watch.reason();
  if (reason === null) return true;
  const isUnknown = inFlight > 0;
  window.give(inFlight);
  inFlight = 0;
  outcome.missRest(reason);
  return !isUnknown;
};

interface Confirming {
  readonly count: number;
  readonly outcome: BrokerOutcome;
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

/** Watches for the end of a write; `stop` frees the watchers. */
const watchEnd = (
  { signal, onOver, clock, ack_timeout_ms }: Ending,
  progress: () => number,
): {
  readonly ended: Promise<RequestError>;
  readonly reason: () => RequestError | null;
  readonly stop: () => void;
} => {
  let reason: RequestError | null = null;
  let isOver = false;
  let resolve: (error: RequestError) => void = () => {};
  const ended = new Promise<RequestError>((done) => {
    resolve = done;
  });
  const end = (error: RequestError): void => {
    if (isOver || reason !== null) return;
    reason = error;
    resolve(error);
  };
  const onAbort = (): void => end(STOPPED);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const unlisten = onOver(end);
  const late = retryableError(
    `no acknowledgement within ack_timeout (${ack_timeout_ms / 1000} s)`,
    'Check the load of the server, or raise ack_timeout.',
  );
  const watch = (seen: number): (() => void) =>
    clock.after(ack_timeout_ms, () => {
      const now = progress();
      if (now === seen) return end(late);
      stopWatch = watch(now);
    });
  let stopWatch = watch(progress());
  return {
    ended,
    reason: () => reason,
    stop: () => {
      isOver = true;
      stopWatch();
      unlisten();
      signal.removeEventListener('abort', onAbort);
    },
  };
};

/** Items on their way to a broker, limited over all writes of an output. */
export interface SendWindow {
  /** Takes a place; false: the window is full. */
  readonly take: () => boolean;
  readonly give: (places: number) => void;
  /** Resolves when a part of the window is free. */
  readonly room: () => Promise<void>;
}

/** Waiting writes wake when this share is free: fewer turns of the event loop. */
const FREE_SHARE = 0.25;
/** Smaller windows wake for each place: a pause would make both sides wait for delayed TCP acknowledgements. */
const SMALL = 256;

export const makeWindow = (size: number): SendWindow => {
  let free = size;
  const wanted = size <= SMALL ? 1 : Math.floor(size * FREE_SHARE);
  let waiting: (() => void)[] = [];
  return {
    take: () => {
      if (free === 0) return false;
      free -= 1;
      return true;
    },
    give: (places) => {
      free += places;
      if (free < wanted || waiting.length === 0) return;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    room: () =>
      free >= wanted
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
};

const OPEN = 0;
const ACCEPTED = 1;
const MISSED = 2;

/** Fate of each item of one write. */
export interface BrokerOutcome {
  /** Each returns false for an item that has a fate already. */
  readonly accept: (item: number) => boolean;
  readonly miss: (item: number, error: RequestError) => boolean;
  /** Gives all items without a fate this one. */
  readonly missRest: (error: RequestError) => void;
  readonly isOpen: (item: number) => boolean;
  /** Items that may have arrived without an acknowledgement. */
  readonly inDoubt: () => readonly number[];
  /** Returns an error when all items missed for one reason, or all for reasons that a retry may help. */
  readonly result: (bytes: number) => Result<Written>;
}

export const makeOutcome = (count: number, act: string, report: ErrorReporter): BrokerOutcome => {
  const fates = new Uint8Array(count);
  const missed = missedItems();
  let accepted = 0;
  const miss = (item: number, error: RequestError): boolean => {
    if (fates[item] !== OPEN) return false;
    fates[item] = MISSED;
    missed.add(`${error.isRetryable} ${error.origin} ${error.what}`, item, () => report(act, error));
    return true;
  };
  return {
    accept: (item) => {
      if (fates[item] !== OPEN) return false;
      fates[item] = ACCEPTED;
      accepted += 1;
      return true;
    },
    miss,
    missRest: (error) => {
      for (let item = 0; item < count; item++) miss(item, error);
    },
    isOpen: (item) => fates[item] === OPEN,
    inDoubt: () =>
      missed
        .list()
        .filter(isRetryable)
        .flatMap(({ items }) => items),
    result: (bytes) => writtenResult({ written: accepted, failed: 0, bytes }, missed.list()),
  };
};
