import { useSyncExternalStore } from 'react';
import { makeStreamLink, type StreamLink } from './streams/link.js';
import { type LiveGenerator, withLiveNews } from './streams/liveStates.js';
import type { StreamConnection } from './streams/protocol.js';

export interface Live {
  readonly generators: ReadonlyMap<string, LiveGenerator>;
  readonly connection: StreamConnection;
}

/** How many generators are not well. */
interface Unwell {
  readonly failing: number;
  readonly degraded: number;
}

const unwellOf = ({ generators }: Live): Unwell => {
  const of = { failing: 0, degraded: 0 };
  for (const { health } of generators.values())
    if (health.health === 'failing' || health.health === 'degraded') of[health.health]++;
  return of;
};

let shown: Live = { generators: new Map(), connection: 'connecting' };
let unwell: Unwell = { failing: 0, degraded: 0 };
const listeners = new Set<() => void>();

/** The link of this tab to the streams of the browser. */
export const link: StreamLink = makeStreamLink((news) => {
  shown = { generators: withLiveNews(shown.generators, news), connection: news.connection };
  const next = unwellOf(shown);
  // The same object while nothing changes, so that what shows it is not drawn again.
  if (next.failing !== unwell.failing || next.degraded !== unwell.degraded) unwell = next;
  for (const listener of listeners) listener();
});

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};
const subscribe = (listener: () => void): (() => void) => {
  link.start();
  return listen(listener);
};

const snapshot = (): Live => shown;

/** State and counters of all generators, from one stream for the whole browser. */
export const useLive = (): Live => useSyncExternalStore(subscribe, snapshot);

/** How many generators are failing or degraded. */
export const useUnwell = (): Unwell => useSyncExternalStore(subscribe, () => unwell);

export const useConnection = (): StreamConnection => useSyncExternalStore(subscribe, () => shown.connection);

/** The connection if there is one: nobody may be signed in, so this opens no stream. */
export const useKnownConnection = (): StreamConnection =>
  useSyncExternalStore(listen, () => shown.connection);
