import type { AuditPage, AuditQuery } from '../domain/audit.js';
import type { Readiness } from '../domain/stats/board.js';
import type { NamedPart, SeriesPart } from '../domain/stats/series.js';

/** A stream that the service ends through `over`. */
export interface EndlessBytes extends AsyncIterable<Uint8Array> {
  readonly over: AbortSignal;
}

/** Lines of a log, pulled by the reader, so a slow one costs nothing. */
export interface LogLines {
  /** Whole lines since the last call, and the number of missed ones. */
  readonly take: () => { readonly lines: readonly string[]; readonly missed: number };
  readonly close: () => void;
}

/** A log to follow, or why there is none. */
export type LogStart =
  /** No such generator. */
  | { readonly kind: 'unknown' }
  /** Nothing logged yet. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'there'; readonly open: (onMore: () => void) => LogLines };

/** A part of a series. */
export interface SeriesQuery {
  /** Null asks for the sum of all generators. */
  readonly id: string | null;
  /** Null is `last_s` before the end. */
  readonly from_ms: number | null;
  /** Null is now. */
  readonly to_ms: number | null;
  readonly last_s: number;
  /** Null is the finest resolution that reaches back. */
  readonly step_s: number | null;
}

/** As `SeriesQuery`, of the generators that made most events in the time. */
export interface BusiestQuery extends Omit<SeriesQuery, 'id'> {
  readonly count: number;
}

/** Monitoring. The receiver of a stream reads it to the end or calls `return` of its iterator. */
export interface ObserveRequests {
  'observe.ready': {
    payload: {
      /** Generators that fail count, too. */
      readonly strict: boolean;
    };
    answer: Readiness;
  };
  /** Prometheus exposition format 0.0.4. */
  'observe.metrics': { payload: null; answer: AsyncIterable<Uint8Array> };
  /** Server-sent events about generators and scenarios; no ids: every generator. */
  'observe.events': {
    payload: {
      readonly ids: readonly string[];
      readonly last_event_id: string | null;
      /** Seconds before the stream whose rates it begins with. */
      readonly past: number;
    };
    answer: EndlessBytes;
  };
  /** Server-sent events with copies of the events of a generator. */
  'observe.tail': {
    payload: {
      readonly id: string;
      /** Nodes of former versions send none. */
      readonly find?: string;
      readonly rate: number;
      readonly max_bytes: number;
    };
    answer: EndlessBytes;
  };
  /** As `observe.tail`, of several generators in one stream. */
  'observe.tails': {
    payload: {
      readonly ids: readonly string[];
      /** Searches, each over all generators; an empty one shows all events, as does an empty list. */
      readonly find?: readonly string[];
      readonly rate: number;
      readonly max_bytes: number;
    };
    answer: EndlessBytes;
  };
  'observe.series': { payload: SeriesQuery; answer: SeriesPart };
  'observe.busiest': { payload: BusiestQuery; answer: readonly NamedPart[] };
  'observe.audit': { payload: AuditQuery; answer: AuditPage };
  /** A null `id` is for the log of the instance. */
  'observe.log': {
    payload: { readonly id: string | null; readonly from_bytes: number };
    answer: LogStart;
  };
}
