import * as E from 'fp-ts/lib/Either.js';
import { COMMENT, frame, RETRY } from '../../contract/reply.js';
import type { Change } from '../../domain/changeLog.js';
import { failure, type Result } from '../../domain/errors.js';
import type { Board, BoardChange } from '../../domain/stats/board.js';
import { NO_HEALTH } from '../../domain/stats/health.js';
import { quantile } from '../../domain/stats/histogram.js';
import type { Stats } from '../../domain/stats/stats.js';
import { totalsOf } from '../../domain/stats/totals.js';
import { utcText } from '../../domain/time/iso.js';
import type { EndlessBytes } from '../../messages/observe.js';
import type { Clock } from '../../ports/clock.js';
import { makeTicker, type PullStream, pullStream } from './lasting.js';

const MAX_CLIENTS = 64;
const STATS_EVERY_MS = 1_000;
/** Interval of comments that keep idle streams alive. */
const HEARTBEAT_MS = 15_000;
/** Changes per chunk. */
const PAGE = 200;

export interface EventStreamsOptions {
  readonly board: Board;
  readonly clock: Clock;
  /** Identifies this instance in event ids; ids of other instances are ignored. */
  readonly epoch: string;
  /** Events per second of each generator in so many last seconds, oldest first. */
  readonly past: (seconds: number) => ReadonlyMap<string, readonly (number | null)[]>;
  readonly max_clients?: number;
}

export interface EventStreams {
  /** Returns the error `too_many_requests` when there are too many clients. */
  readonly open: (given: {
    readonly ids: readonly string[];
    readonly last_event_id: string | null;
    readonly past: number;
  }) => Result<EndlessBytes>;
  readonly end: () => void;
  readonly count: () => number;
}

const textOfChange = (epoch: string, { number, key, value }: Change<BoardChange>): string => {
  const id = `${epoch}.${number}`;
  if (value === null) {
    const state = { phase: 'removed', is_up: false, reason: null, error_code: null, ...NO_HEALTH };
    return frame('generator', JSON.stringify({ id: key.slice(key.indexOf(' ') + 1), ...state }), id);
  }
  if (value.kind === 'generator')
    return frame('generator', JSON.stringify({ id: value.id, ...value.state }), id);
  return frame('scenario', JSON.stringify({ name: value.name, etag: value.etag }), id);
};

/** Returns the number of the last change that a client received, or null when it is none of this instance. */
const seenBy = (last_event_id: string, epoch: string, last: number): number | null => {
  const [, given, number] = /^([0-9a-z]+)\.(\d{1,15})$/.exec(last_event_id) ?? [];
  return given === epoch && Number(number) <= last ? Number(number) : null;
};

/** Changes for one client, in pages. It stores only a position, so a slow client costs nothing. */
const changeReader = ({ board, epoch }: EventStreamsOptions, last_event_id: string | null) => {
  const { changes } = board;
  const seen = last_event_id === null ? null : seenBy(last_event_id, epoch, changes.last());
  let at = seen ?? 0;
  /** Until here the initial state, after it the changes. */
  let presentUntil = seen === null ? changes.last() : 0;
  let isReset = last_event_id !== null && seen === null;

  const page = (): readonly Change<BoardChange>[] => {
    if (at < presentUntil) {
      const present = changes.present(at, presentUntil, PAGE);
      if (present.length > 0) return present;
      at = presentUntil;
    }
    const found = changes.since(at, PAGE);
    if (found !== null) return found;
    isReset = true;
    at = 0;
    presentUntil = changes.last();
    return changes.present(0, presentUntil, PAGE);
  };

  return (isWanted: (change: Change<BoardChange>) => boolean): string => {
    for (;;) {
      const changed = page();
      at = changed.at(-1)?.number ?? at;
      const reset = isReset ? frame('reset', '{}') : '';
      isReset = false;
      const text =
        reset +
        changed
          .filter(isWanted)
          .map((change) => textOfChange(epoch, change))
          .join('');
      if (text !== '' || changed.length === 0) return text;
    }
  };
};

export const eventStreams = (options: EventStreamsOptions): EventStreams => {
  const { board, clock } = options;
  const clients = new Set<PullStream>();
  const feed = statsFeed(board, clock);
  const ticker = makeTicker(clock, STATS_EVERY_MS);
  let leave: (() => void) | null = null;

  const wakeAll = (): void => {
    for (const client of clients) client.wake();
  };
  const look = (): void => void feed.refresh().then(wakeAll);
  const enter = (client: PullStream): void => {
    clients.add(client);
    if (leave === null) {
      const stops = [board.watch(wakeAll), ticker.on(look)];
      leave = () => {
        for (const stop of stops) stop();
      };
    }
    // A new client does not wait for the next second.
    look();
  };
  const exit = (client: PullStream): void => {
    clients.delete(client);
    if (clients.size > 0) return;
    leave?.();
    leave = null;
    feed.clear();
  };

  const stats = (ids: ReadonlySet<string>, after: number): string => {
    const texts = feed.changedAfter(after, ids);
    if (texts.length === 0) return '';
    const at = utcText(clock.now());
    return frame('stats', `{"at":"${at}","generators":[${texts.join(',')}]}`);
  };

  const pastText = (seconds: number, ids: ReadonlySet<string>): string => {
    if (seconds === 0) return '';
    const generators = [...options.past(seconds)]
      .filter(([id]) => ids.size === 0 || ids.has(id))
      .map(([id, produced]) => ({ id, produced }));
    return generators.length === 0 ? '' : frame('past', JSON.stringify({ generators }));
  };

  const open: EventStreams['open'] = ({ ids, last_event_id, past }) => {
    if (clients.size >= (options.max_clients ?? MAX_CLIENTS))
      return E.left(failure('too_many_requests', 'Too many event streams are open. Close one first.'));
    const wanted = new Set(ids);
    const readChanges = changeReader(options, last_event_id);
    const isWanted = ({ key, value }: Change<BoardChange>): boolean =>
      wanted.size === 0 || value?.kind === 'scenario' || wanted.has(key.slice(key.indexOf(' ') + 1));
    let opening = RETRY + pastText(past, wanted);
    let statsVersion = 0;
    let lastMs = clock.monotonicMs();

    const take = (): string | null => {
      const changed = readChanges(isWanted);
      const counted = stats(wanted, statsVersion);
      statsVersion = feed.version();
      const text = opening + changed + counted;
      opening = '';
      const isQuiet = text === '' && clock.monotonicMs() - lastMs < HEARTBEAT_MS;
      if (isQuiet) return null;
      lastMs = clock.monotonicMs();
      return text === '' ? COMMENT : text;
    };
    const client = pullStream(take, () => exit(client));
    enter(client);
    return E.right(client);
  };

  return {
    open,
    end: () => {
      for (const client of [...clients]) client.end();
    },
    count: () => clients.size,
  };
};

/** Maximum milliseconds before the event loop gets a turn. */
const TURN_MS = 5;

/** Counters of all generators at the last look, shared by all readers. */
interface StatsFeed {
  /** Reads the counters; resolves when all are read. */
  readonly refresh: () => Promise<void>;
  /** Number of the last look; 0 before the first. */
  readonly version: () => number;
  /** JSON of generators whose counters changed after that look; `ids` filters, empty for all. */
  readonly changedAfter: (version: number, ids: ReadonlySet<string>) => readonly string[];
  /** Drops all data: there are no readers. */
  readonly clear: () => void;
}

interface ShownCounters {
  readonly text: string;
  readonly version: number;
}

/** Leaves out zeros: most counters are 0, and there can be thousands of generators. */
const textOf = (id: string, stats: Stats): string => {
  const figures = { ...totalsOf(stats), lateness_p99_us: quantile(stats.lateness, 0.99) };
  const counted = Object.entries(figures).filter(([, count]) => count !== 0);
  return JSON.stringify({ id, ...Object.fromEntries(counted) });
};

const statsFeed = (board: Pick<Board, 'rows'>, clock: Clock): StatsFeed => {
  const entries = new Map<string, ShownCounters>();
  let version = 0;
  let underWay: Promise<void> | null = null;

  const look = async (next: number): Promise<void> => {
    let turnEndsAt = clock.monotonicMs() + TURN_MS;
    for (const [id, { stats }] of [...board.rows()]) {
      if (stats === null) continue;
      const text = textOf(id, stats);
      if (entries.get(id)?.text !== text) entries.set(id, { text, version: next });
      if (clock.monotonicMs() < turnEndsAt) continue;
      await clock.yieldTurn();
      turnEndsAt = clock.monotonicMs() + TURN_MS;
    }
    for (const id of entries.keys()) if (!board.rows().has(id)) entries.delete(id);
    version = next;
  };

  return {
    refresh: () => {
      underWay ??= look(version + 1).finally(() => {
        underWay = null;
      });
      return underWay;
    },
    version: () => version,
    changedAfter: (after, ids) => {
      const texts: string[] = [];
      const add = (entry: ShownCounters | undefined): void => {
        if (entry !== undefined && entry.version > after && entry.version <= version) texts.push(entry.text);
      };
      if (ids.size === 0) for (const entry of entries.values()) add(entry);
      else for (const id of ids) add(entries.get(id));
      return texts;
    },
    clear: () => entries.clear(),
  };
};
