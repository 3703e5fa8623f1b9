import { useSyncExternalStore } from 'react';
import { type Link, makeStreamLink } from './streams/link.js';
import { type LiveGenerator, withLiveNews } from './streams/liveStates.js';
import type { Connection } from './streams/protocol.js';

export interface Live {
  readonly generators: ReadonlyMap<string, LiveGenerator>;
  readonly connection: Connection;
}

let shown: Live = { generators: new Map(), connection: 'connecting' };
const listeners = new Set<() => void>();

/** The link of this tab to the streams of the browser. */
export const link: Link = makeStreamLink((news) => {
  shown = { generators: withLiveNews(shown.generators, news), connection: news.connection };
  for (const listener of listeners) listener();
});

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  link.start();
  return () => {
    listeners.delete(listener);
  };
};

const snapshot = (): Live => shown;

/** State and counters of all generators, from one stream for the whole browser. */
export const useLive = (): Live => useSyncExternalStore(subscribe, snapshot);
