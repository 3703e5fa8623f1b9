import type { GeneratorPhase } from '../../../domain/generator.js';
import type { HealthReport } from '../../../domain/stats/health.js';
import { HISTORY, noteProduced, noteQuiet, type Rates, ratesSince } from '../rates.js';
import {
  CLOSED,
  type Counters,
  type HubPorts,
  type LiveState,
  type News,
  RETRY_MS,
  type StreamConnection,
  type StreamSource,
} from './protocol.js';

/** Milliseconds: what changes together is told at once. */
const TOGETHER_MS = 50;
const QUIET_EVERY_MS = 500;
/** After this long a new stream has told of every generator. */
const TOLD_MS = 3_000;

interface Entry extends Rates {
  phase: GeneratorPhase;
  reason: string | null;
  error_code: string | null;
  health: HealthReport;
  counters: Counters;
  /** Seconds of the rates that were told. */
  told: number;
  /** A new stream has told the rates anew. */
  isAnew: boolean;
}

interface PastMessage {
  readonly generators: readonly { readonly id: string; readonly produced: readonly (number | null)[] }[];
}

interface StateMessage extends HealthReport {
  readonly id: string;
  readonly phase: GeneratorPhase | 'removed';
  readonly reason: string | null;
  readonly error_code: string | null;
}

interface StatsMessage {
  /** Time of the look, ISO 8601. */
  readonly at: string;
  /** Counters that have changed. */
  readonly generators: readonly ({ readonly id: string } & Counters)[];
}

export interface LiveStates {
  readonly open: () => void;
  readonly close: () => void;
  /** Tells what is not told yet. */
  readonly flush: () => void;
  /** All states, with the rates of the last minutes. */
  readonly whole: () => News;
}

/** States, counters and rates of all generators, from one stream. They outlive it, so that a tab that returns has a past. */
export const liveStates = (
  { open: openSource, nowMs, after, every }: HubPorts,
  tell: (news: News) => void,
): LiveStates => {
  const entries = new Map<string, Entry>();
  /** Rates before the stream, of generators that had any. */
  const pasts = new Map<string, readonly (number | null)[]>();
  const changed = new Set<string>();
  let connection: StreamConnection = 'connecting';
  let source: StreamSource | null = null;
  const stops: (() => void)[] = [];
  let stopWaiting: (() => void) | null = null;

  const newsOf = (id: string, isWhole: boolean): readonly [string, LiveState | null] => {
    const entry = entries.get(id);
    if (entry === undefined) return [id, null];
    const { phase, reason, error_code, health, counters, isAnew } = entry;
    const isAll = isWhole || isAnew;
    const fresh = isAll ? entry.rates.length : Math.min(entry.count - entry.told, entry.rates.length);
    const added = fresh === 0 ? [] : entry.rates.slice(-fresh);
    return [id, { phase, reason, error_code, health, counters, added, isAnew: isAll }];
  };
  const flush = (): void => {
    stopWaiting?.();
    stopWaiting = null;
    const generators = [...changed].map((id) => newsOf(id, false));
    for (const id of changed) {
      const entry = entries.get(id);
      if (entry !== undefined) Object.assign(entry, { told: entry.count, isAnew: false });
    }
    changed.clear();
    tell({ kind: 'live', connection, isWhole: false, generators });
  };
  const note = (ids: Iterable<string>): void => {
    for (const id of ids) changed.add(id);
    stopWaiting ??= after(TOGETHER_MS, flush);
  };
  const setConnection = (next: StreamConnection): void => {
    if (connection === next) return;
    connection = next;
    note([]);
  };
  const remove = (ids: readonly string[]): void => {
    for (const id of ids) entries.delete(id);
    note(ids);
  };

  const beginAnew = (id: string): void => {
    const entry = entries.get(id);
    if (entry !== undefined) Object.assign(entry, ratesSince(pasts.get(id) ?? []), { isAnew: true });
  };
  const onPast = ({ generators }: PastMessage): void => {
    for (const { id, produced } of generators) {
      pasts.set(id, produced);
      beginAnew(id);
    }
    note(generators.map(({ id }) => id).filter((id) => entries.has(id)));
  };
  const onStats = ({ at, generators }: StatsMessage): void => {
    const [time, now] = [Date.parse(at), nowMs()];
    for (const { id, ...counters } of generators) {
      const entry = entries.get(id);
      if (entry === undefined) continue;
      entry.counters = counters;
      noteProduced(entry, counters['produced'] ?? 0, time, now);
    }
    note(generators.map(({ id }) => id));
  };
  /** The service says nothing while no counter changes. */
  const onQuiet = (): void => {
    if (connection !== 'open') return;
    const now = nowMs();
    const moved = [...entries].flatMap(([id, entry]) => (noteQuiet(entry, now) ? [id] : []));
    if (moved.length > 0) note(moved);
  };

  const open = (): void => {
    if (source !== null) return;
    const opened = openSource(`/api/events?past=${HISTORY}`);
    source = opened;
    pasts.clear();
    for (const id of entries.keys()) beginAnew(id);
    /** Generators that the new stream has not told of. */
    const untold = new Set(entries.keys());
    /** The browser resumes after the last id by itself; the service then sends changes only. */
    let isResumable = false;
    opened.addEventListener('generator', ({ data, lastEventId }) => {
      const { id, phase, reason, error_code, health, health_reason, remedy } = JSON.parse(
        data,
      ) as StateMessage;
      isResumable ||= lastEventId !== '';
      untold.delete(id);
      if (phase === 'removed') return remove([id]);
      const former = entries.get(id) ?? {
        ...{ counters: {}, told: 0, isAnew: true },
        ...ratesSince(pasts.get(id) ?? []),
      };
      pasts.delete(id);
      const report = { health, health_reason, remedy };
      entries.set(id, Object.assign(former, { phase, reason, error_code, health: report }));
      note([id]);
    });
    opened.addEventListener('past', ({ data }) => onPast(JSON.parse(data) as PastMessage));
    opened.addEventListener('stats', ({ data }) => onStats(JSON.parse(data) as StatsMessage));
    opened.addEventListener('reset', () => remove([...entries.keys()]));
    opened.onopen = () => {
      setConnection('open');
      if (isResumable) return;
      for (const id of entries.keys()) untold.add(id);
      stops.push(after(TOLD_MS, () => remove([...untold])));
    };
    opened.onerror = () => {
      setConnection('lost');
      // The browser tries again by itself, except after an answer that is not a stream.
      if (opened.readyState === CLOSED) stops.push(after(RETRY_MS, reopen));
    };
    stops.push(every(QUIET_EVERY_MS, onQuiet));
  };
  const close = (): void => {
    source?.close();
    source = null;
    for (const stop of stops.splice(0)) stop();
    flush();
    connection = 'connecting';
  };
  const reopen = (): void => {
    const former = connection;
    close();
    connection = former;
    open();
  };

  return {
    open,
    close,
    flush,
    whole: () => ({
      kind: 'live',
      connection,
      isWhole: true,
      generators: [...entries.keys()].map((id) => newsOf(id, true)),
    }),
  };
};

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

/** The states after news; generators without news stay the same objects. */
export const withLiveNews = (
  former: ReadonlyMap<string, LiveGenerator>,
  { isWhole, generators }: Extract<News, { readonly kind: 'live' }>,
): ReadonlyMap<string, LiveGenerator> => {
  const next = new Map(isWhole ? [] : former);
  for (const [id, state] of generators) {
    if (state === null) {
      next.delete(id);
      continue;
    }
    const { added, isAnew, ...rest } = state;
    const rates = [...(isAnew ? [] : (former.get(id)?.rates ?? [])), ...added].slice(-HISTORY);
    next.set(id, { id, ...rest, rates });
  }
  return next;
};
