import * as E from 'fp-ts/lib/Either.js';
import { COMMENT, frame, RETRY } from '../../contract/reply.js';
import { failure, type Result } from '../../domain/errors.js';
import { type EventHead, headOf } from '../../domain/events/eventHead.js';
import {
  type Allowance,
  addCounts,
  makeAllowance,
  NOTHING_SEARCHED,
  type SearchCounts,
  tailLimits,
} from '../../domain/events/tail.js';
import { noSuchGenerator } from '../../domain/generator.js';
import type { Board } from '../../domain/stats/board.js';
import type { EndlessBytes } from '../../messages/observe.js';
import type { Clock } from '../../ports/clock.js';
import type { Tails } from '../../ports/tails.js';
import { makeTicker, type PullStream, pullStream } from './lasting.js';

const MAX_CLIENTS = 32;
/** Queue limits of one client; the oldest events are dropped. */
const MAX_WAITING = 1_000;
const MAX_WAITING_BYTES = 2 * 1_048_576;
const HEARTBEAT_MS = 15_000;

interface TailStreamsOptions {
  readonly board: Board;
  readonly tails: Tails;
  readonly clock: Clock;
  readonly max_clients?: number;
}

/** Limits for each generator and search. */
interface Wanted {
  readonly rate: number;
  readonly max_bytes: number;
}

interface TailStreams {
  /** Returns the error `not_found`, or `too_many_requests` when there are too many clients. */
  readonly open: (given: Wanted & { readonly id: string; readonly find?: string }) => Result<EndlessBytes>;
  /**
   * Streams several generators, those that do not exist yet included. Returns the error `too_many_requests` when there
   * are too many clients.
   */
  readonly openAll: (
    given: Wanted & { readonly ids: readonly string[]; readonly find?: readonly string[] },
  ) => Result<EndlessBytes>;
  readonly end: () => void;
  readonly count: () => number;
}

/** A message about a generator; its id and the search are only in streams of several. */
interface Labeled {
  readonly label: { readonly id?: string; readonly find?: string };
}

/** What a stream shows: the events of a generator, or those that a search finds. */
interface Shown extends Labeled {
  readonly id: string;
  readonly find: string;
}

/** A bounded queue of events for one reader. */
const makeWaiting = () => {
  let heads: (EventHead & Labeled)[] = [];
  let bytes = 0;
  let missed = 0;
  return {
    add: (head: EventHead & Labeled): void => {
      heads.push(head);
      bytes += head.bytes;
      while (heads.length > MAX_WAITING || (bytes > MAX_WAITING_BYTES && heads.length > 1)) {
        bytes -= heads.shift()?.bytes ?? 0;
        missed++;
      }
    },
    /** All events as text, in order. */
    take: (): string => {
      const gap = missed === 0 ? '' : frame('missed', JSON.stringify({ count: missed }));
      const text = heads
        .map(({ label, text: event, is_cut }) =>
          frame('event', JSON.stringify({ ...label, text: event, is_cut })),
        )
        .join('');
      heads = [];
      bytes = 0;
      missed = 0;
      return gap + text;
    },
  };
};

/** Adds up what a search has looked at. `take`: as text, once after each change. */
const makeCounts = ({ label }: Labeled) => {
  let counts = NOTHING_SEARCHED;
  return {
    add: (more: SearchCounts): void => {
      counts = addCounts(counts, more);
    },
    take: (): string => {
      if (counts === NOTHING_SEARCHED) return '';
      const text = frame('search', JSON.stringify({ ...label, ...counts }));
      counts = NOTHING_SEARCHED;
      return text;
    },
  };
};

/** The share of one client of the sampled events. */
const fitting = (allowance: Allowance, max_bytes: number, { text, bytes, is_cut }: EventHead) => {
  const head = bytes <= max_bytes ? { text, bytes, is_cut } : headOf(text, max_bytes);
  return allowance.take(head.bytes) ? head : null;
};

/** Live samples of produced events; pipelines copy events only while a client reads. */
export const tailStreams = (options: TailStreamsOptions): TailStreams => {
  const { board, clock } = options;
  const clients = new Set<PullStream>();
  const ticker = makeTicker(clock, HEARTBEAT_MS);

  /** What changed of the phase of a generator since the last call. */
  const stateReader = (id: string, { label }: Labeled) => {
    let last: string | null = null;
    return (): string => {
      const row = board.rows().get(id);
      const now = JSON.stringify({ ...label, phase: row?.phase ?? 'removed', reason: row?.reason ?? null });
      if (now === last) return '';
      last = now;
      return frame('state', now);
    };
  };

  const stream = (
    ids: readonly (Labeled & { readonly id: string })[],
    shown: readonly Shown[],
    { rate, max_bytes }: Wanted,
  ): Result<EndlessBytes> => {
    if (clients.size >= (options.max_clients ?? MAX_CLIENTS))
      return E.left(failure('too_many_requests', 'Too many generators are being tailed. Close one first.'));
    const waiting = makeWaiting();
    const states = ids.map((one) => stateReader(one.id, one));
    const searches: (() => string)[] = [];
    let opening = RETRY;
    let isBeat = false;

    const take = (): string | null => {
      const text = opening + waiting.take() + [...searches, ...states].map((read) => read()).join('');
      opening = '';
      const beat = isBeat;
      isBeat = false;
      if (text !== '') return text;
      return beat ? COMMENT : null;
    };
    const client = pullStream(take, () => {
      clients.delete(client);
      for (const stop of stops) stop();
    });
    const copy = ({ id, find, label }: Shown): (() => void) => {
      const limits = tailLimits(rate, max_bytes, find);
      const allowance = makeAllowance(limits, clock.monotonicMs);
      const counts = makeCounts({ label });
      searches.push(counts.take);
      return options.tails.open(id, limits, (sample) => {
        allowance.refill();
        for (const head of sample.heads) {
          const fit = fitting(allowance, max_bytes, head);
          if (fit !== null) waiting.add({ ...fit, label });
        }
        if (find !== '') counts.add(sample);
        client.wake();
      });
    };
    const stops = [
      board.watch(() => client.wake()),
      ticker.on(() => {
        isBeat = true;
        client.wake();
      }),
      ...shown.map(copy),
    ];
    clients.add(client);
    return E.right(client);
  };

  const open: TailStreams['open'] = ({ id, find = '', ...wanted }) =>
    board.rows().has(id)
      ? stream([{ id, label: {} }], [{ id, find: find.trim(), label: {} }], wanted)
      : E.left(noSuchGenerator(id));

  const openAll: TailStreams['openAll'] = ({ ids, find = [], ...wanted }) => {
    const searches = find.length === 0 ? [''] : [...new Set(find.map((search) => search.trim()))];
    return stream(
      ids.map((id) => ({ id, label: { id } })),
      ids.flatMap((id) =>
        searches.map((search) => ({
          id,
          find: search,
          label: search === '' ? { id } : { id, find: search },
        })),
      ),
      wanted,
    );
  };

  return {
    open,
    openAll,
    end: () => {
      for (const client of [...clients]) client.end();
    },
    count: () => clients.size,
  };
};
