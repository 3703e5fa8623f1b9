import { useSyncExternalStore } from 'react';
import type { GeneratorPhase } from '../../domain/generator.js';
import type { HealthReport } from '../../domain/stats/health.js';
import { noRates, noteProduced, noteQuiet, type Rates } from './rates.js';

/** Counters as the stream of events has them; zeros are left out. */
export type Counters = Readonly<Record<string, number>>;

export interface LiveGenerator {
  readonly id: string;
  readonly phase: GeneratorPhase;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly health: HealthReport;
  readonly counters: Counters;
  /** Events produced per second at each of the last seconds, oldest first. */
  readonly rates: readonly number[];
}

export type Connection = 'connecting' | 'open' | 'lost';

export interface Live {
  readonly generators: ReadonlyMap<string, LiveGenerator>;
  readonly connection: Connection;
}

interface Entry extends Rates {
  phase: GeneratorPhase;
  reason: string | null;
  error_code: string | null;
  health: HealthReport;
  counters: Counters;
}

const entries = new Map<string, Entry>();
let connection: Connection = 'connecting';
let shown: Live = { generators: new Map(), connection };
const listeners = new Set<() => void>();
let source: EventSource | null = null;
let ticking: ReturnType<typeof setInterval> | null = null;

/** Milliseconds: what changes together is shown at once. */
const TOGETHER_MS = 50;

const changed = new Set<string>();
let publishing: ReturnType<typeof setTimeout> | null = null;

/** Publishes a new picture; pages compare single generators by identity. */
const publishNow = (): void => {
  publishing = null;
  const generators = new Map(shown.generators);
  for (const id of changed) {
    const entry = entries.get(id);
    if (entry === undefined) generators.delete(id);
    else {
      const { phase, reason, error_code, health, counters, rates } = entry;
      generators.set(id, { id, phase, reason, error_code, health, counters, rates: [...rates] });
    }
  }
  changed.clear();
  shown = { generators, connection };
  for (const listener of listeners) listener();
};

const publish = (ids: Iterable<string>): void => {
  for (const id of ids) changed.add(id);
  if (publishing === null) publishing = setTimeout(publishNow, TOGETHER_MS);
};

const parsed = (event: Event): Readonly<Record<string, unknown>> =>
  JSON.parse((event as MessageEvent).data as string) as Readonly<Record<string, unknown>>;

const onState = (event: Event): void => {
  const { id, phase, reason, error_code, health, health_reason, remedy } = parsed(event) as unknown as {
    id: string;
    phase: GeneratorPhase | 'removed';
    reason: string | null;
    error_code: string | null;
  } & HealthReport;
  if (phase === 'removed') entries.delete(id);
  else {
    const former = entries.get(id) ?? { counters: {}, ...noRates() };
    entries.set(id, { ...former, phase, reason, error_code, health: { health, health_reason, remedy } });
  }
  publish([id]);
};

interface StatsMessage {
  /** Time of the look, ISO 8601. */
  readonly at: string;
  /** Counters that have changed. */
  readonly generators: readonly ({ readonly id: string } & Counters)[];
}

const onStats = (event: Event): void => {
  const { at, generators } = parsed(event) as unknown as StatsMessage;
  const [time, now] = [Date.parse(at), performance.now()];
  for (const { id, ...counters } of generators) {
    const entry = entries.get(id);
    if (entry === undefined) continue;
    entry.counters = counters;
    noteProduced(entry, counters['produced'] ?? 0, time, now);
  }
  publish(generators.map(({ id }) => id));
};

/** The service says nothing while no counter changes. */
const onQuiet = (): void => {
  const now = performance.now();
  const moved = [...entries].flatMap(([id, entry]) => (noteQuiet(entry, now) ? [id] : []));
  if (moved.length > 0) publish(moved);
};

const setConnection = (next: Connection): void => {
  if (connection === next) return;
  connection = next;
  publish([]);
};

const open = (): void => {
  source = new EventSource('/api/events');
  source.addEventListener('generator', onState);
  source.addEventListener('stats', onStats);
  source.addEventListener('reset', () => {
    const known = [...entries.keys()];
    entries.clear();
    publish(known);
  });
  source.onopen = () => setConnection('open');
  source.onerror = () => {
    setConnection('lost');
    // The browser tries again by itself, except after an answer that is not a stream.
    if (source?.readyState === EventSource.CLOSED) setTimeout(reopen, 2_000);
  };
  ticking = setInterval(onQuiet, 500);
};

const close = (): void => {
  source?.close();
  source = null;
  if (ticking !== null) clearInterval(ticking);
};

const reopen = (): void => {
  if (source === null) return;
  close();
  open();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (source === null) open();
  return () => {
    listeners.delete(listener);
  };
};

const snapshot = (): Live => shown;

/** State and counters of all generators, from one stream for the whole app. */
export const useLive = (): Live => useSyncExternalStore(subscribe, snapshot);
