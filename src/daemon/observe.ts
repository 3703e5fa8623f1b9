import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, type SpateError } from '../domain/errors.js';
import { makeBoard, type Readiness } from '../domain/stats/board.js';
import type { CellDirectory } from '../host/cells/cells.js';
import { etagOf } from '../host/cells/change.js';
import { tailHub } from '../host/tails.js';
import { metricsReader } from '../http/metrics.js';
import { eventStreams } from '../http/streams/events.js';
import { tailStreams } from '../http/streams/tail.js';
import type { Ask, Requests } from '../messages/ask.js';
import type { LogStart } from '../messages/observe.js';

import type { Clock } from '../ports/clock.js';
import type { LogTail } from '../ports/logTail.js';
import type { Machine } from '../ports/machine.js';
import type { Looking } from './looking.js';

/** A state that is longer is not hashed for those who look on: it would hold up everybody else. */
const MAX_HASHED_CHARS = 1_048_576;

export interface ObserverOptions {
  readonly clock: Clock;
  readonly machine: Machine;
  readonly version: string;
  readonly logs: LogTail;
  readonly status: () => 'ok' | 'starting' | 'stopping';
  /** Ids of the generators that the startup list wants to run. */
  readonly autostart: () => readonly string[];
  /** Whether the instance can do this now; if so it begins after the answer is on its way. */
  readonly order: (what: 'stop' | 'restart') => Promise<SpateError | null>;
}

export interface Observer {
  readonly looking: Looking;
  /** Answers requests of those who look on, and passes on all others. */
  readonly answering: (ask: Ask) => Ask;
  /** Ends every stream, because the service closes. */
  readonly endStreams: () => void;
  /** Ends all measuring. */
  readonly close: () => void;
}

type Observed = Extract<
  keyof Requests,
  `observe.${string}` | 'instance.info' | 'instance.stop' | 'instance.restart'
>;

type Answers = {
  readonly [K in Observed]: (
    payload: Requests[K]['payload'],
  ) => Result<Requests[K]['answer']> | Promise<Result<Requests[K]['answer']>>;
};

/** Requests whose answer is the entity tag of other globals. */
const CHANGES: ReadonlySet<string> = new Set([
  'globals.patch',
  'globals.replace',
  'globals.clear',
  'globals.delete_key',
]);

/**
 * Everything that shows what an instance does: a board that the supervisor writes and that metrics and streams read, so that
 * looking asks no pipeline and no actor.
 */
export const makeObserver = (options: ObserverOptions): Observer => {
  const { clock, machine, version, logs } = options;
  const board = makeBoard();
  const hub = tailHub();
  const epoch = Math.floor(clock.now() / 1_000).toString(36);
  const events = eventStreams({ board, clock, epoch });
  const tails = tailStreams({ board, tails: hub.tails, clock });
  const metrics = metricsReader({
    board,
    clock,
    figures: () => ({
      version,
      node_version: machine.node_version,
      load: machine.load(),
      streams: { events: events.count(), tail: tails.count() },
    }),
  });

  const ready = (): Readiness => {
    const wanted = options.autostart().flatMap((id) => board.rows().get(id) ?? []);
    const up = wanted.filter(({ isUp }) => isUp).length;
    const status = options.status();
    const counts = { expected: wanted.length, up };
    if (status !== 'ok') return { status, ...counts };
    return { status: up === wanted.length ? 'ready' : 'not_ready', ...counts };
  };

  const log = ({ id, from_bytes }: Requests['observe.log']['payload']): LogStart => {
    const row = id === null ? null : board.rows().get(id);
    if (row === undefined) return { kind: 'unknown' };
    // Of one that ran long ago the last lines may be gone; new ones will come all the same.
    if (!logs.has(id) && (row === null || row.startedAt === null)) return { kind: 'empty' };
    return { kind: 'there', open: (onMore) => logs.open(id, { from_bytes, onMore }) };
  };

  const order = async (what: 'stop' | 'restart'): Promise<Result<null>> => {
    const problem = await options.order(what);
    return problem === null ? E.right(null) : E.left(problem);
  };

  const answers: Answers = {
    'observe.ready': () => E.right(ready()),
    'observe.metrics': () => metrics.open(),
    'observe.events': events.open,
    'observe.tail': tails.open,
    'observe.log': (payload) => E.right(log(payload)),
    'instance.info': async () => E.right({ app_version: version, ...(await machine.info()) }),
    'instance.stop': () => order('stop'),
    'instance.restart': () => order('restart'),
  };

  const isObserved = (type: keyof Requests): type is Observed => Object.hasOwn(answers, type);

  const answering = (ask: Ask): Ask => {
    const own = async (type: Observed, payload: unknown): Promise<Result<unknown>> => {
      try {
        // The row of the table has the payload that belongs to its type.
        return await (answers[type] as (given: unknown) => Promise<Result<unknown>>)(payload);
      } catch (thrown) {
        return E.left(failure('bug', `${type}: ${reasonOf(thrown)}`));
      }
    };
    const changing = async (type: keyof Requests, payload: never): Promise<Result<unknown>> => {
      const answer = await ask(type, payload);
      if (E.isRight(answer) && CHANGES.has(type)) {
        const { etag } = answer.right as { readonly etag: string };
        board.noteScenario((payload as { readonly name: string }).name, etag);
      }
      return answer;
    };
    const route = (type: keyof Requests, payload: unknown): Promise<Result<unknown>> =>
      isObserved(type) ? own(type, payload) : changing(type, payload as never);
    return route as Ask;
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
    looking: { host: hub.wrap, cells, watch: board.noteGenerator },
    answering,
    endStreams: () => {
      events.end();
      tails.end();
    },
    close: machine.close,
  };
};
