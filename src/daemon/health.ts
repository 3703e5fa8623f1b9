import * as E from 'fp-ts/lib/Either.js';
import { deadLetterBoxes } from '../adapters/deadLetters/boxes.js';
import { partitionId } from '../domain/partitions.js';
import type { BoardRow, GeneratorRow } from '../domain/stats/board.js';
import { countersOf, type HealthSample, NO_HEALTH } from '../domain/stats/health.js';
import { type HealthState, judge, shownHealth } from '../domain/stats/judgeHealth.js';
import type { Clock } from '../ports/clock.js';
import type { Log, LogContext } from '../ports/log.js';
import type { Monitoring } from './monitoring.js';

const LOOK_EVERY_MS = 1_000;
/** Looks at the counters for each look into the folder of dead letters. */
const LOOKS_PER_COUNT = 10;
/** Maximum milliseconds before the event loop gets a turn. */
const TURN_MS = 5;

interface HealthOptions {
  readonly clock: Clock;
  /** Ids of the generators with dead letters in their folder. Never rejects. */
  readonly withDeadLetters: () => Promise<ReadonlySet<string>>;
  /** Masks secrets in the reasons of plugins. */
  readonly hide: (text: string) => string;
  /** Called with each state and each changed health; null when the generator is gone. */
  readonly onRow: (id: string, row: BoardRow | null) => void;
  /** Called with each state, and once a second while the generator is active, before its health is judged. */
  readonly onLook: (id: string, row: GeneratorRow | null) => void;
}

interface Watched {
  row: GeneratorRow;
  state: HealthState;
  readonly causes: Map<'event' | number, string>;
}

interface HealthMonitor extends Pick<Monitoring, 'watch' | 'healthOf'> {
  /** Takes the reasons of plugins from their log lines. */
  readonly log: (log: Log) => Log;
  readonly close: () => void;
}

const AT_REST: ReadonlySet<GeneratorRow['phase']> = new Set(['idle', 'stopped', 'finished', 'failed']);

const pluginOf = (context: LogContext): 'event' | number | null => {
  const { plugin_type, plugin_id } = context;
  if (plugin_type === 'event') return 'event';
  return plugin_type === 'output' && typeof plugin_id === 'number' ? plugin_id : null;
};

/** Derives the health of all generators from their counters, once a second and at each change of phase. */
export const healthMonitor = ({
  clock,
  withDeadLetters,
  hide,
  onRow,
  onLook,
}: HealthOptions): HealthMonitor => {
  const watched = new Map<string, Watched>();
  let waiting: ReadonlySet<string> = new Set();

  const sampleOf = (id: string, { row, causes }: Omit<Watched, 'state'>): HealthSample => ({
    atMs: clock.monotonicMs(),
    phase: row.phase,
    isUp: row.isUp,
    reason: row.reason,
    isLive: row.isLive,
    run: row.startedAt,
    ...countersOf(row.stats, row.plugins?.outputs ?? []),
    hasDeadLetters: waiting.has(id),
    causeOf: (plugin) => causes.get(plugin) ?? null,
  });

  const publish = (id: string, { row, state }: Watched): void =>
    onRow(id, { ...row, health: shownHealth(state) });

  const look = (id: string, one: Watched): void => {
    const former = shownHealth(one.state);
    one.state = judge(one.state, sampleOf(id, one));
    if (shownHealth(one.state) !== former) publish(id, one);
  };

  let looks = 0;
  const lookAtAll = async (signal: AbortSignal): Promise<void> => {
    const counts = looks++ % LOOKS_PER_COUNT === 0;
    if (counts) waiting = await withDeadLetters();
    let turnEndsAt = clock.monotonicMs() + TURN_MS;
    for (const [id, one] of [...watched]) {
      if (signal.aborted) return;
      if (watched.get(id) !== one) continue;
      const isAtRest = AT_REST.has(one.row.phase);
      if (!isAtRest) onLook(id, one.row);
      // Nothing else changes at rest.
      if (counts || !isAtRest) look(id, one);
      if (clock.monotonicMs() < turnEndsAt) continue;
      await clock.yieldTurn();
      turnEndsAt = clock.monotonicMs() + TURN_MS;
    }
  };

  const ending = new AbortController();
  const lookAlways = async ({ signal }: AbortController): Promise<void> => {
    while (!signal.aborted) {
      await clock.sleepMs(LOOK_EVERY_MS, signal);
      await lookAtAll(signal);
    }
  };
  void lookAlways(ending);

  const noteCause = (context: LogContext): void => {
    const { generator_id, partition, reason } = context;
    const plugin = pluginOf(context);
    if (plugin === null || typeof reason !== 'string' || typeof generator_id !== 'string') return;
    const id = typeof partition === 'number' ? partitionId(generator_id, partition) : generator_id;
    watched.get(id)?.causes.set(plugin, hide(reason));
  };

  const noting = (inner: Log, outer: LogContext): Log => ({
    ...inner,
    write: (level, message, context) => {
      if (context?.['reason'] !== undefined && level !== 'debug' && level !== 'info')
        noteCause({ ...outer, ...context });
      inner.write(level, message, context);
    },
    with: (context) => noting(inner.with(context), { ...outer, ...context }),
  });

  return {
    watch: (id, row) => {
      onLook(id, row);
      if (row === null) {
        watched.delete(id);
        return onRow(id, null);
      }
      const known = watched.get(id);
      if (known === undefined) {
        const fresh = { row, causes: new Map() };
        const one: Watched = { ...fresh, state: judge(null, sampleOf(id, fresh)) };
        watched.set(id, one);
        return publish(id, one);
      }
      known.row = row;
      known.state = judge(known.state, sampleOf(id, known));
      publish(id, known);
    },
    healthOf: (id) => {
      const one = watched.get(id);
      return one === undefined ? NO_HEALTH : shownHealth(one.state);
    },
    log: (log) => noting(log, {}),
    close: () => ending.abort(),
  };
};

/** Looks into the folder of dead letters. */
export const deadLettersBelow = (root: string, clock: Clock): HealthOptions['withDeadLetters'] => {
  const boxes = deadLetterBoxes(root, clock);
  return async () => {
    const ids = new Set<string>();
    const found = await boxes.find({ generator: null, output: null });
    for (const box of E.isRight(found) ? found.right : []) {
      const bytes = ids.has(box.generator) ? E.right(0) : await box.bytes();
      if (E.isRight(bytes) && bytes.right > 0) ids.add(box.generator);
    }
    return ids;
  };
};
