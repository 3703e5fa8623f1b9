import {
  type Allowance,
  addCounts,
  MAX_SEARCHES,
  MAX_TAILED,
  makeAllowance,
  NOTHING_SEARCHED,
  type SearchCounts,
  tailLimits,
} from '../../../domain/events/tail.js';
import { type LiveStates, liveStates } from './liveStates.js';
import {
  CLOSED,
  type HubPorts,
  type News,
  RETRY_MS,
  type StreamSource,
  type TailEvent,
  type TailWish,
  type WantedTails,
} from './protocol.js';

export interface HubMember {
  /** Takes the place of the former wish and is repeated while the tab is visible; null: the tab has gone or is hidden. */
  readonly want: (wanted: WantedTails | null) => void;
}

export interface Hub {
  readonly join: (tell: (news: News) => void) => HubMember;
  readonly close: () => void;
}

/** Streams stay open this long without a visible tab, so that a change of tabs does not close them. */
const LINGER_MS = 2_000;
/** Tails that change together are opened once. */
const TOGETHER_MS = 50;
const SHOW_EVERY_MS = 250;
/** A tab that is silent for this long has crashed. */
export const SILENT_MS = 20_000;
/** Bytes of an event in a tail. */
const MAX_EVENT_BYTES = 16_384;

interface Client {
  readonly tell: (news: News) => void;
  seenMs: number;
  /** By key. */
  tails: ReadonlyMap<string, TailWish & { readonly allowance: Allowance }>;
}

interface Buffer {
  events: TailEvent[];
  missed: number;
  counts: SearchCounts;
}

const keyOf = ({ id, find = '' }: { readonly id: string; readonly find?: string | undefined }): string =>
  `${find}\n${id}`;

/**
 * The streams of all tabs of a browser: one of states and counters, and one of the tails that any tab wants. A browser
 * has six connections to a host, so a stream per tab would leave none for requests.
 */
export const makeHub = (ports: HubPorts): Hub => {
  const { nowMs, after, every } = ports;
  const clients = new Set<Client>();
  const tellAll = (news: News): void => {
    for (const { tell } of clients) tell(news);
  };
  const live: LiveStates = liveStates(ports, tellAll);
  const tails = tailSource(ports, clients);
  let stopLingering: (() => void) | null = null;
  let stopLooking: (() => void) | null = null;

  const close = (): void => {
    stopLingering?.();
    stopLooking?.();
    stopLingering = null;
    stopLooking = null;
    live.close();
    tails.close();
  };
  const leave = (client: Client): void => {
    if (!clients.delete(client)) return;
    tails.settle();
    if (clients.size === 0) stopLingering ??= after(LINGER_MS, close);
  };
  const dropSilent = (): void => {
    for (const client of clients) if (nowMs() - client.seenMs > SILENT_MS) leave(client);
  };
  const enter = (client: Client): void => {
    stopLingering?.();
    stopLingering = null;
    stopLooking ??= every(SILENT_MS / 4, dropSilent);
    live.open();
    // Only clients that are there get the news since the last ones; this one gets all.
    live.flush();
    clients.add(client);
    client.tell(live.whole());
  };

  return {
    join: (tell) => {
      const client: Client = { tell, seenMs: nowMs(), tails: new Map() };
      return {
        want: (wanted) => {
          if (wanted === null) {
            client.tails = new Map();
            return leave(client);
          }
          client.seenMs = nowMs();
          tell({ kind: 'here' });
          const former = client.tails;
          client.tails = new Map(
            wanted.tails.map((wish) => {
              const key = keyOf(wish);
              const same = former.get(key);
              if (same?.rate === wish.rate) return [key, same];
              const allowance = makeAllowance(tailLimits(wish.rate, MAX_EVENT_BYTES), nowMs);
              return [key, { ...wish, allowance }];
            }),
          );
          if (!clients.has(client)) enter(client);
          tails.settle();
        },
      };
    },
    close,
  };
};

/** One stream of all tails; it is opened again when they change. */
const tailSource = ({ open, after, every }: HubPorts, clients: ReadonlySet<Client>) => {
  const buffers = new Map<string, Buffer>();
  let source: StreamSource | null = null;
  let shownUrl = '';
  let isLost = false;
  let stopWaiting: (() => void) | null = null;
  let stopRetrying: (() => void) | null = null;
  let stopShowing: (() => void) | null = null;

  /** The tails that any tab wants. */
  const wishes = (): readonly TailWish[] => [...clients].flatMap(({ tails }) => [...tails.values()]);

  const show = (): void => {
    for (const client of clients)
      for (const [key, { id, find, allowance }] of client.tails) {
        const buffer = buffers.get(key);
        if (buffer === undefined) continue;
        const { missed, counts } = buffer;
        allowance.refill();
        const events = buffer.events.filter(({ text }) => allowance.take(text.length));
        client.tell({ kind: 'tail', id, find, events, counts, missed, isLost });
      }
    buffers.clear();
  };
  const bufferOf = (key: string): Buffer => {
    const buffer = buffers.get(key) ?? { events: [], missed: 0, counts: NOTHING_SEARCHED };
    buffers.set(key, buffer);
    return buffer;
  };
  const setLost = (next: boolean): void => {
    if (isLost === next) return;
    isLost = next;
    for (const wish of wishes()) bufferOf(keyOf(wish));
    show();
  };
  const shut = (): void => {
    source?.close();
    source = null;
    shownUrl = '';
    for (const stop of [stopRetrying, stopShowing]) stop?.();
    stopRetrying = null;
    stopShowing = null;
  };

  const start = (url: string): void => {
    shut();
    shownUrl = url;
    const opened = open(url);
    source = opened;
    opened.addEventListener('event', ({ data }) => {
      const { id, find, ...event } = JSON.parse(data) as TailEvent & {
        readonly id: string;
        readonly find?: string;
      };
      bufferOf(keyOf({ id, find })).events.push(event);
    });
    opened.addEventListener('search', ({ data }) => {
      const news = JSON.parse(data) as SearchCounts & { readonly id: string; readonly find: string };
      const buffer = bufferOf(keyOf(news));
      buffer.counts = addCounts(buffer.counts, news);
    });
    opened.addEventListener('missed', ({ data }) => {
      const { count } = JSON.parse(data) as { readonly count: number };
      for (const key of new Set(wishes().map(keyOf))) bufferOf(key).missed += count;
    });
    opened.onopen = () => setLost(false);
    opened.onerror = () => {
      setLost(true);
      if (opened.readyState === CLOSED) stopRetrying ??= after(RETRY_MS, () => start(url));
    };
    stopShowing = every(SHOW_EVERY_MS, show);
  };

  const update = (): void => {
    stopWaiting = null;
    const all = wishes();
    if (all.length === 0) {
      isLost = false;
      return shut();
    }
    const url = tailsUrl(all);
    if (url !== shownUrl) start(url);
  };

  return {
    /** Follows what the tabs want now. */
    settle: (): void => {
      stopWaiting ??= after(TOGETHER_MS, update);
    },
    close: (): void => {
      stopWaiting?.();
      stopWaiting = null;
      shut();
    },
  };
};

const inOrder = (texts: readonly string[], most: number): readonly string[] =>
  [...new Set(texts)].toSorted().slice(0, most);

const tailsUrl = (wishes: readonly TailWish[]): string => {
  const ids = inOrder(
    wishes.map(({ id }) => id),
    MAX_TAILED,
  );
  const searches = inOrder(
    wishes.map(({ find }) => find),
    MAX_SEARCHES,
  );
  const query = new URLSearchParams([
    ...ids.map((id): [string, string] => ['id', id]),
    ...(searches.join('') === '' ? [] : searches.map((find): [string, string] => ['find', find])),
    // The highest rate that one wants.
    ['rate', String(Math.max(...wishes.map(({ rate }) => rate)))],
    ['max_bytes', String(MAX_EVENT_BYTES)],
  ]);
  return `/api/tails?${query}`;
};
