import type { SearchCounts } from '../../../domain/events/tail.js';
import type { GeneratorPhase } from '../../../domain/generator.js';
import type { HealthReport } from '../../../domain/stats/health.js';

/** Counters as the stream of events has them; zeros are left out. */
export type Counters = Readonly<Record<string, number>>;

export type StreamConnection = 'connecting' | 'open' | 'lost';

export interface TailEvent {
  readonly text: string;
  /** The event is longer than the sample shows. */
  readonly is_cut: boolean;
}

export interface LiveState {
  readonly phase: GeneratorPhase;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly health: HealthReport;
  readonly counters: Counters;
  /** Events per second of the seconds since the last news, oldest first. */
  readonly added: readonly number[];
  /** `added` are all rates that are known; former ones are replaced. */
  readonly isAnew: boolean;
}

/** Events of a generator that a page shows. */
export interface TailWish {
  readonly id: string;
  /** Events per second at most. */
  readonly rate: number;
  /** Only events that this search finds; empty: a sample of all. */
  readonly find: string;
}

/** What a tab wants; a hidden one wants nothing. */
export interface WantedTails {
  readonly tails: readonly TailWish[];
}

/** What the hub tells a tab. */
export type News =
  /** The answer to each wish: the hub is there. */
  | { readonly kind: 'here' }
  | {
      readonly kind: 'live';
      readonly connection: StreamConnection;
      /** Generators that are not in the news are gone. */
      readonly isWhole: boolean;
      /** The state is null for a generator that was removed. */
      readonly generators: readonly (readonly [string, LiveState | null])[];
    }
  | {
      readonly kind: 'tail';
      readonly id: string;
      readonly find: string;
      readonly events: readonly TailEvent[];
      readonly counts: SearchCounts;
      /** Events of the sample that the browser was too slow for. */
      readonly missed: number;
      readonly isLost: boolean;
    };

export interface StreamMessage {
  readonly data: string;
  readonly lastEventId: string;
}

/** The part of `EventSource` that the hub uses. */
export interface StreamSource {
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  readonly readyState: number;
  readonly addEventListener: (kind: string, listener: (event: StreamMessage) => void) => void;
  readonly close: () => void;
}

export interface HubPorts {
  readonly open: (url: string) => StreamSource;
  readonly nowMs: () => number;
  /** Each runs until its result is called. */
  readonly after: (ms: number, run: () => void) => () => void;
  readonly every: (ms: number, run: () => void) => () => void;
}

const timer =
  <A>(start: (run: () => void, ms: number) => A, stop: (started: A) => void): HubPorts['after'] =>
  (ms, run) => {
    const started = start(run, ms);
    return () => stop(started);
  };

export const browserPorts: HubPorts = {
  // The messages of the service have a kind, data and an id.
  open: (url) => new EventSource(url) as unknown as StreamSource,
  nowMs: () => performance.now(),
  after: timer(setTimeout, clearTimeout),
  every: timer(setInterval, clearInterval),
};

/** `EventSource.CLOSED`: the browser does not try again by itself. */
export const CLOSED = 2;
/** Until a stream that the service refused is opened again. */
export const RETRY_MS = 2_000;
