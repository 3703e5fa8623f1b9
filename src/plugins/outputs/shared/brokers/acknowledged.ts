import type { Clock } from '../../../../ports/clock.js';
import { STOPPED } from '../attempts.js';
import { type RequestError, retryableError } from '../requestErrors.js';
import type { Outcome } from './outcome.js';
import type { Window } from './window.js';

/** Ends of a write before all its items have a fate. */
export interface Ending {
  readonly signal: AbortSignal;
  /** Calls back with the reason when the connection is over, unless the result is called before. */
  readonly onOver: (run: (reason: RequestError) => void) => () => void;
  readonly clock: Clock;
  /** Longest time without a single acknowledgement. */
  readonly ack_timeout_ms: number;
}

/** Watches for the end of a write; `stop` frees the watchers. */
export const watchEnd = (
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

export interface Sending {
  readonly count: number;
  readonly outcome: Outcome;
  readonly window: Window;
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
  { count, outcome, window, send, onStart }: Sending,
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
