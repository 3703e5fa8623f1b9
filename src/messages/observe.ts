import type { Readiness } from '../domain/stats/board.js';

/** Bytes that come as long as somebody reads; `over` ends when the service ends them. */
export interface EndlessBytes extends AsyncIterable<Uint8Array> {
  readonly over: AbortSignal;
}

/** Lines of a log; pulled, so that a slow reader costs nothing. */
export interface LogLines {
  /** What has come since the last call: whole lines with their ends, and how many were missed. */
  readonly take: () => { readonly lines: readonly string[]; readonly missed: number };
  readonly close: () => void;
}

/** A log that can be followed, or why it cannot. */
export type LogStart =
  /** There is no such generator. */
  | { readonly kind: 'unknown' }
  /** It has not logged anything yet. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'there'; readonly open: (onMore: () => void) => LogLines };

/**
 * Requests of those who look on. Streams answer bytes while there is somebody to read them: whoever gets one reads it to the
 * end or calls `return` of its iterator.
 */
export interface ObserveRequests {
  'observe.ready': { payload: null; answer: Readiness };
  /** Text of the Prometheus exposition format 0.0.4. */
  'observe.metrics': { payload: null; answer: AsyncIterable<Uint8Array> };
  /** Server-sent events about the instance; no ids: every generator. */
  'observe.events': {
    payload: { readonly ids: readonly string[]; readonly last_event_id: string | null };
    answer: EndlessBytes;
  };
  /** Server-sent events with copies of what a generator produces. */
  'observe.tail': {
    payload: { readonly id: string; readonly rate: number; readonly max_bytes: number };
    answer: EndlessBytes;
  };
  /** `null`: the log of the instance. */
  'observe.log': {
    payload: { readonly id: string | null; readonly from_bytes: number };
    answer: LogStart;
  };
}
