import { type EventHead, headOf } from '../domain/events/eventHead.js';
import { type Matcher, matcherOf } from '../domain/events/search.js';
import {
  addCounts,
  makeAllowance,
  NOTHING_SEARCHED,
  type TailLimits,
  type TailSample,
} from '../domain/events/tail.js';
import type { Tap } from './produce.js';

/** Gives each viewer its sample, or what its search finds. Null without viewers. */
export const sampler = (
  viewers: readonly TailLimits[],
  monotonicMs: () => number,
  give: (sample: TailSample) => void,
): Tap['take'] => {
  const searches = viewers.filter(({ find }) => find !== '').length;
  const takes = viewers.map((limits) => {
    const matches = matcherOf(limits.find);
    return matches === null
      ? sampling(limits, monotonicMs, give)
      : searching(limits, { matches, monotonicMs, give, share: SEARCH_SHARE / searches });
  });
  if (takes.length === 0) return null;
  return (batch) => {
    for (const take of takes) take(batch);
  };
};

/** Copies the first events of a batch within the limits: on average `rate` a second, and at most that many at once. */
const sampling = (
  limits: TailLimits,
  monotonicMs: () => number,
  give: (sample: TailSample) => void,
): NonNullable<Tap['take']> => {
  const allowance = makeAllowance(limits, monotonicMs);
  const { max_bytes, find } = limits;
  return (batch) => {
    allowance.refill();
    const count = allowance.events();
    if (count === 0) return;
    const heads = batch.heads({ count, max_bytes, total_bytes: allowance.bytes() });
    if (heads.length === 0) return;
    for (const { bytes } of heads) allowance.take(bytes);
    give({ find, heads, ...NOTHING_SEARCHED });
  };
};

/** Searches take at most this share of the time, because events must not become late for a viewer's sake. */
const SEARCH_SHARE = 0.2;
/** Time for searching that is saved up at most. */
const MAX_SAVED_MS = 50;
/** Events, and characters, between two looks at the clock. */
const EVENTS_PER_LOOK = 64;
const CHARACTERS_PER_LOOK = 262_144;
/** Shortest time between two samples that count only. */
const COUNT_EVERY_MS = 100;

interface Searching {
  readonly matches: Matcher;
  readonly monotonicMs: () => number;
  readonly give: (sample: TailSample) => void;
  /** Largest share of the time that this search may take. */
  readonly share: number;
}

/** Looks at every event while there is time, and copies those that match within the limits. */
const searching = (
  limits: TailLimits,
  { matches, monotonicMs, give, share }: Searching,
): NonNullable<Tap['take']> => {
  const allowance = makeAllowance(limits, monotonicMs);
  const { max_bytes, find } = limits;
  let savedMs = MAX_SAVED_MS;
  let lastMs = monotonicMs();
  let givenMs = lastMs;
  let counts = NOTHING_SEARCHED;

  /** Heads of matching events; counts what it looked at. */
  const look = (texts: readonly string[], startMs: number): readonly EventHead[] => {
    const heads: EventHead[] = [];
    let at = 0;
    let found = 0;
    let events = 0;
    let characters = 0;
    const isTimeLeft = (): boolean => {
      if (events < EVENTS_PER_LOOK && characters < CHARACTERS_PER_LOOK) return true;
      events = 0;
      characters = 0;
      return monotonicMs() - startMs < savedMs;
    };
    for (; at < texts.length && isTimeLeft(); at++) {
      const text = texts[at] as string;
      events++;
      characters += text.length;
      if (!matches(text)) continue;
      found++;
      const head = headOf(text, max_bytes);
      if (allowance.take(head.bytes)) heads.push(head);
    }
    counts = addCounts(counts, { searched: at, skipped: texts.length - at, found });
    return heads;
  };

  return (batch) => {
    allowance.refill();
    const startMs = monotonicMs();
    savedMs = Math.min(MAX_SAVED_MS, savedMs + (startMs - lastMs) * share);
    lastMs = startMs;
    let heads: readonly EventHead[] = [];
    if (savedMs > 0) heads = look(batch.texts(), startMs);
    else counts = addCounts(counts, { ...NOTHING_SEARCHED, skipped: batch.count });
    const endMs = monotonicMs();
    savedMs -= endMs - startMs;
    if (heads.length === 0 && endMs - givenMs < COUNT_EVERY_MS) return;
    give({ find, heads, ...counts });
    givenMs = endMs;
    counts = NOTHING_SEARCHED;
  };
};
