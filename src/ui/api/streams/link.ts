import { makeHub } from './hub.js';
import { browserPorts, type News, type TailWish, type WantedTails } from './protocol.js';

/** A way to a hub. `onDown` says that there is none any more. */
type Connect = (parts: { readonly onNews: (news: News) => void; readonly onDown: () => void }) => {
  readonly want: (wanted: WantedTails | null) => void;
  readonly close: () => void;
};

/** Tabs of different builds do not talk to each other: the name of this file has a hash. */
const NAME = `spate ${import.meta.url}`;

/** The hub in a worker that all tabs share. */
const inWorker: Connect = ({ onNews, onDown }) => {
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'spate' });
  worker.onerror = onDown;
  worker.port.onmessage = ({ data }: MessageEvent<News>) => onNews(data);
  return {
    want: (wanted) => worker.port.postMessage(wanted),
    close: () => worker.port.close(),
  };
};

type Post =
  | { readonly kind: 'want'; readonly from: string; readonly wanted: WantedTails | null }
  | { readonly kind: 'news'; readonly to: string; readonly news: News }
  | { readonly kind: 'new hub' };

/** Runs the hub for all tabs until the result is called. */
const lead = (): (() => void) => {
  const channel = new BroadcastChannel(NAME);
  const hub = makeHub(browserPorts);
  const members = new Map<string, ReturnType<typeof hub.join>>();
  const post = (message: Post): void => channel.postMessage(message);
  channel.onmessage = ({ data }: MessageEvent<Post>) => {
    if (data.kind !== 'want') return;
    const { from, wanted } = data;
    const member = members.get(from) ?? hub.join((news) => post({ kind: 'news', to: from, news }));
    if (wanted === null) members.delete(from);
    else members.set(from, member);
    member.want(wanted);
  };
  post({ kind: 'new hub' });
  return () => {
    hub.close();
    channel.close();
  };
};

/** The hub in the visible tab that has the lock; when it is hidden or closed, the next one gets it. */
const inLeader: Connect = ({ onNews }) => {
  const me = crypto.randomUUID();
  const channel = new BroadcastChannel(NAME);
  const post = (message: Post): void => channel.postMessage(message);
  let last: WantedTails | null = null;
  let resign: (() => void) | null = null;
  const stand = (): void => {
    if (resign !== null) return;
    const giveUp = new AbortController();
    const over = new Promise<void>((resolve) => giveUp.signal.addEventListener('abort', () => resolve()));
    resign = () => giveUp.abort();
    const run = async (): Promise<void> => {
      const leave = lead();
      await over;
      leave();
    };
    // Giving up rejects the request that waits.
    navigator.locks.request(NAME, { signal: giveUp.signal }, run).catch(() => undefined);
  };
  channel.onmessage = ({ data }: MessageEvent<Post>) => {
    if (data.kind === 'news' && data.to === me) onNews(data.news);
    if (data.kind === 'new hub' && last !== null) post({ kind: 'want', from: me, wanted: last });
  };
  const want = (wanted: WantedTails | null): void => {
    last = wanted;
    post({ kind: 'want', from: me, wanted });
    if (wanted !== null) return stand();
    resign?.();
    resign = null;
  };
  return {
    want,
    close: () => {
      want(null);
      channel.close();
    },
  };
};

/** A hub of this tab alone. */
const inTab: Connect = ({ onNews }) => {
  const hub = makeHub(browserPorts);
  const { want } = hub.join(onNews);
  return { want, close: hub.close };
};

/** The ways to a hub that this browser has, best first. Web Locks need HTTPS or localhost. */
const ways = (): readonly Connect[] => [
  ...('SharedWorker' in globalThis ? [inWorker] : []),
  ...('locks' in navigator && 'BroadcastChannel' in globalThis ? [inLeader] : []),
  inTab,
];

/** A wish is repeated this often; the hub drops tabs that are silent. */
const REPEAT_MS = 5_000;
/** A hub that does not answer for this long is gone. */
const ANSWER_MS = 10_000;
/** A hub in a worker is looked for once more, because a new worker takes the place of one that crashed. */
const ATTEMPTS = 2;

type TailNews = Extract<News, { readonly kind: 'tail' }>;

export interface StreamLink {
  /** Wants states and counters from now on. */
  readonly start: () => void;
  /** Wants events of a generator until the result is called. */
  readonly tail: (wish: TailWish, onNews: (news: TailNews) => void) => () => void;
}

/** The link of this tab to the hub of the browser. A hidden tab wants nothing. */
export const makeStreamLink = (
  onLive: (news: Extract<News, { readonly kind: 'live' }>) => void,
): StreamLink => {
  const tails = new Set<{ readonly wish: TailWish; readonly onNews: (news: TailNews) => void }>();
  let known: readonly Connect[] = [];
  let failures = 0;
  let hub: ReturnType<Connect> | null = null;
  let stopAwaiting: (() => void) | null = null;

  const tellTails = (news: TailNews): void => {
    for (const { wish, onNews } of tails) if (wish.id === news.id && wish.find === news.find) onNews(news);
  };
  const onNews = (news: News): void => {
    stopAwaiting?.();
    stopAwaiting = null;
    failures = Math.floor(failures / ATTEMPTS) * ATTEMPTS;
    if (news.kind === 'live') onLive(news);
    if (news.kind === 'tail') tellTails(news);
  };
  const onDown = (): void => {
    hub?.close();
    hub = null;
    stopAwaiting?.();
    stopAwaiting = null;
    failures++;
    tell();
  };
  const connect = (): ReturnType<Connect> => {
    known = known.length === 0 ? ways() : known;
    const way = known[Math.min(Math.floor(failures / ATTEMPTS), known.length - 1)] ?? inTab;
    return way({ onNews, onDown });
  };
  const tell = (): void => {
    if (document.visibilityState === 'hidden') {
      stopAwaiting?.();
      stopAwaiting = null;
      hub?.want(null);
      return;
    }
    hub ??= connect();
    hub.want({ tails: [...tails].map(({ wish }) => wish) });
    stopAwaiting ??= browserPorts.after(ANSWER_MS, onDown);
  };
  let isStarted = false;
  return {
    start: () => {
      if (isStarted) return;
      isStarted = true;
      document.addEventListener('visibilitychange', tell);
      addEventListener('pageshow', tell);
      addEventListener('pagehide', () => hub?.want(null));
      setInterval(() => {
        if (document.visibilityState !== 'hidden') tell();
      }, REPEAT_MS);
      tell();
    },
    tail: (wish, onTail) => {
      const tail = { wish, onNews: onTail };
      tails.add(tail);
      tell();
      return () => {
        tails.delete(tail);
        tell();
      };
    },
  };
};
