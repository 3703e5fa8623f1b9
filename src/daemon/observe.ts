import * as E from 'fp-ts/lib/Either.js';
import type { LocalAnswers } from '../../actors/ask.js';
import { deadLetterFolders } from '../adapters/deadLetters/folders.js';
import { privateFiles } from '../adapters/files/privateFiles.js';
import type { AuditLog } from '../adapters/logs/auditLog.js';
import type { NoteChange } from '../domain/audit.js';
import type { Result } from '../domain/errors.js';
import { etagOf } from '../domain/etag.js';
import { partitionId } from '../domain/partitions.js';
import {
  type Board,
  type BoardRow,
  type GeneratorRow,
  makeBoard,
  type Readiness,
} from '../domain/stats/board.js';
import { countersOf, type HealthSample, NO_HEALTH } from '../domain/stats/health.js';
import { type HealthState, judge, shownHealth } from '../domain/stats/judgeHealth.js';
import type { GlobalsOwners } from '../host/globalsOwner.js';
import { tailHub } from '../host/tails.js';
import { metricsReader } from '../http/metrics.js';
import { eventStreams } from '../http/streams/events.js';
import { tailStreams } from '../http/streams/tail.js';
import type { Requests } from '../messages/ask.js';
import type { ClusterInfo } from '../messages/cluster.js';
import type { LogStart } from '../messages/observe.js';
import type { Clock } from '../ports/clock.js';
import type { Log, LogContext, LogTail } from '../ports/log.js';
import type { Machine } from '../ports/processes.js';
import type { Monitoring } from './generators.js';
import { seriesStore } from './series.js';

/** Longer states are not hashed for the event stream: that would block the main thread. */
const MAX_HASHED_CHARS = 1_048_576;

interface ObserverOptions {
  readonly clock: Clock;
  readonly machine: Machine;
  readonly version: string;
  readonly logs: LogTail;
  readonly log: Log;
  /** Folder of the state. */
  readonly state: string;
  /** Masks secrets. */
  readonly hide: (text: string) => string;
  readonly audit: AuditLog;
  readonly status: () => 'ok' | 'starting' | 'stopping';
  /** Generators with autostart. */
  readonly autostart: () => readonly string[];
  /** Number of invalid entries of the startup list whose generator should run and is not there. */
  readonly broken: () => number;
  /** State of the cluster. Null when the service runs alone. */
  readonly cluster: () => ClusterInfo | null;
  /** Stops or restarts the instance after the reply. Returns an error when it cannot. */
  readonly order: (what: 'stop' | 'restart') => Promise<Result<null>>;
}

export interface Observer {
  readonly monitoring: Monitoring;
  readonly board: Board;
  /** Takes the reasons of plugins from their log lines. */
  readonly noting: (log: Log) => Log;
  readonly noteChange: NoteChange;
  /** Answers of requests without an actor. */
  readonly answers: Omit<LocalAnswers, `dead_letters.${string}` | `cluster.${string}`>;
  /** Ends every stream when the service closes. */
  readonly endStreams: () => void;
  /** Takes the series of the last process. */
  readonly restore: () => Promise<void>;
  /** Keeps the series for the next process. */
  readonly save: () => Promise<void>;
  readonly close: () => void;
}

/** The supervisor writes a board that metrics and streams read: monitoring sends no message to an actor. */
export const makeObserver = (options: ObserverOptions): Observer => {
  const { clock, machine, version, logs, log: serviceLog, state, hide } = options;
  const startedAtMs = clock.monotonicMs();
  const board = makeBoard();
  const series = seriesStore({ clock, files: privateFiles, folder: state, log: serviceLog });
  const health = healthMonitor({
    clock,
    withDeadLetters: deadLettersBelow(`${state}/dead-letters`, clock),
    onRow: board.noteGenerator,
    onLook: series.note,
    hide,
  });
  const hub = tailHub();
  const epoch = Math.floor(clock.now() / 1_000).toString(36);
  const events = eventStreams({ board, clock, epoch, past: series.past });
  const tails = tailStreams({ board, tails: hub.tails, clock });
  const metrics = metricsReader({
    board,
    clock,
    figures: () => ({
      version,
      node_version: machine.node_version,
      load: machine.load(),
      streams: { events: events.count(), tail: tails.count() },
      cluster: options.cluster(),
    }),
  });

  const ready = ({ strict }: Requests['observe.ready']['payload']): Readiness => {
    const wanted = options.autostart().flatMap((id) => board.rows().get(id) ?? []);
    const up = wanted.filter(({ isUp }) => isUp).length;
    const status = options.status();
    const failing = [...board.rows().values()].filter((row) => row.health.health === 'failing').length;
    const counts = { expected: wanted.length + options.broken(), up, ...(strict ? { failing } : {}) };
    if (status !== 'ok') return { status, ...counts };
    const isReady = up === counts.expected && !(strict && failing > 0);
    return { status: isReady ? 'ready' : 'not_ready', ...counts };
  };

  const log = ({ id, from_bytes }: Requests['observe.log']['payload']): LogStart => {
    const row = id === null ? null : board.rows().get(id);
    if (row === undefined) return { kind: 'unknown' };
    // Old lines may be gone; new ones will come.
    if (!logs.has(id) && (row === null || row.startedAt === null)) return { kind: 'empty' };
    return { kind: 'there', open: (onMore) => logs.open(id, { from_bytes, onMore }) };
  };

  const answers: Observer['answers'] = {
    'instance.health': () =>
      E.right({ status: options.status(), uptime_seconds: (clock.monotonicMs() - startedAtMs) / 1000 }),
    'instance.info': async () => E.right({ app_version: version, ...(await machine.info()) }),
    'instance.stop': () => options.order('stop'),
    'instance.restart': () => options.order('restart'),
    'observe.ready': (payload) => E.right(ready(payload)),
    'observe.metrics': () => metrics.open(),
    'observe.events': events.open,
    'observe.tail': tails.open,
    'observe.tails': tails.openAll,
    'observe.log': (payload) => E.right(log(payload)),
    'observe.series': series.read,
    'observe.busiest': series.busiest,
    'observe.audit': options.audit.read,
  };

  const owners = (inner: GlobalsOwners): GlobalsOwners => ({
    ...inner,
    noteChange: (scenario, state) => {
      inner.noteChange(scenario, state);
      const isShown = board.isWatched() && state.text.length <= MAX_HASHED_CHARS;
      board.noteScenario(scenario, isShown ? etagOf(state.text) : null);
    },
  });

  return {
    monitoring: { host: hub.wrap, owners, watch: health.watch, healthOf: health.healthOf },
    noting: health.log,
    board,
    noteChange: options.audit.note,
    answers,
    restore: series.restore,
    save: series.save,
    endStreams: () => {
      events.end();
      tails.end();
    },
    close: () => {
      health.close();
      machine.close();
    },
  };
};

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
const healthMonitor = ({ clock, withDeadLetters, hide, onRow, onLook }: HealthOptions): HealthMonitor => {
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
const deadLettersBelow = (root: string, clock: Clock): HealthOptions['withDeadLetters'] => {
  const folders = deadLetterFolders(root, clock);
  return async () => {
    const ids = new Set<string>();
    const found = await folders.find({ generator: null, output: null });
    for (const folder of E.isRight(found) ? found.right : []) {
      const bytes = ids.has(folder.generator) ? E.right(0) : await folder.bytes();
      if (E.isRight(bytes) && bytes.right > 0) ids.add(folder.generator);
    }
    return ids;
  };
};
