import * as E from 'fp-ts/lib/Either.js';
import type { LocalAnswers } from '../../actors/ask.js';
import { privateFiles } from '../adapters/files/privateFiles.js';
import type { AuditLog } from '../adapters/logs/auditLog.js';
import type { NoteChange } from '../domain/audit.js';
import { etagOf } from '../domain/directories/etag.js';
import type { Result } from '../domain/errors.js';
import { type Board, makeBoard, type Readiness } from '../domain/stats/board.js';
import type { CellDirectory } from '../host/cells/cells.js';
import { tailHub } from '../host/tails.js';
import { metricsReader } from '../http/metrics.js';
import { eventStreams } from '../http/streams/events.js';
import { tailStreams } from '../http/streams/tail.js';
import type { Requests } from '../messages/ask.js';
import type { ClusterInfo } from '../messages/cluster.js';
import type { LogStart } from '../messages/observe.js';

import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { LogTail } from '../ports/logTail.js';
import type { Machine } from '../ports/machine.js';
import { deadLettersBelow, healthMonitor } from './health.js';
import type { Monitoring } from './monitoring.js';
import { seriesKeeper } from './series.js';

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
  readonly answers: Omit<LocalAnswers, `letters.${string}` | `cluster.${string}`>;
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
  const series = seriesKeeper({ clock, files: privateFiles, folder: state, log: serviceLog });
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
    'observe.audit': options.audit.read,
  };

  const cells = (inner: CellDirectory): CellDirectory => ({
    ...inner,
    noteChange: (scenario, state) => {
      inner.noteChange(scenario, state);
      const isShown = board.isWatched() && state.text.length <= MAX_HASHED_CHARS;
      board.noteScenario(scenario, isShown ? etagOf(state.text) : null);
    },
  });

  return {
    monitoring: { host: hub.wrap, cells, watch: health.watch, healthOf: health.healthOf },
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
