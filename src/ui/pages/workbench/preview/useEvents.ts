import { useCallback, useEffect, useRef, useState } from 'react';
import { isJsonObject, type Json } from '../../../../domain/json.js';
import { call } from '../../../api/client.js';
import { ApiError } from '../../../api/errors.js';
import { askPreview } from './answers.js';
import { type EventsByTime, formerEvents, originsOf, possibleOrigins } from './formerEvents.js';
import { steadyTimestamps, type TaggedTimestamp } from './timeline.js';

const FIRST_EVENTS = 10;
/** Error of a preview that was not used for long. */
const ENDED = 'not_ready';
const STEP_MS = 1_000;

export interface EventRun {
  readonly events: readonly string[];
  /** The timestamp of each event. */
  readonly origins: readonly string[];
  /** The former event of each timestamp; null for the first run. */
  readonly before: EventsByTime | null;
  /** Timestamps and events that failed. */
  readonly failures: readonly string[];
  readonly isExhausted: boolean;
  /** Grows with every event that was made, so that what depends on them is read again. */
  readonly made: number;
  /** Grows when the events begin anew. */
  readonly round: number;
}

export interface EventSource {
  readonly name: string;
  readonly event: Json | null;
  /** Those whose timestamps have an activity, without which there is no event. */
  readonly worlds: readonly Json[];
  readonly stamps: readonly TaggedTimestamp[] | null;
  readonly formatter: Json | null;
  readonly zone: string | null;
  /** Unsaved texts, which stand for files. */
  readonly files: Readonly<Record<string, string>>;
  /** Grows when a file is saved: templates are read from files. */
  readonly revision: number;
}

/** The line of a template that failed. The rest of the context differs with each timestamp. */
const sourceOf = (context: Json): string =>
  isJsonObject(context) && typeof context['source'] === 'string' ? `\n${context['source'].trim()}` : '';

const produce = async (
  name: string,
  stamps: readonly TaggedTimestamp[],
  formatter: Json,
): Promise<Pick<EventRun, 'events' | 'origins' | 'failures' | 'isExhausted'>> => {
  const made = await askPreview('produceEventPreview', { path: { name }, body: stamps });
  const written =
    made.events.length === 0
      ? { events: [], errors: [] }
      : await askPreview('previewFormatter', {
          path: { name },
          body: { formatter_config: formatter, events: made.events },
        });
  return {
    events: written.events,
    origins: originsOf(
      stamps,
      made.errors.map(({ index }) => index),
      written.events.length,
    ),
    failures: [
      ...made.errors.map(({ message, context }) => `${message}${sourceOf(context)}`),
      ...written.errors.map(({ message }) => message),
    ],
    isExhausted: made.exhausted,
  };
};

/** `count` timestamps from step `index` on; after those that are known, one second apart, unless they need an activity. */
const stampsFrom = (
  { stamps: found, worlds }: EventSource,
  index: number,
  count: number,
): readonly TaggedTimestamp[] => {
  const stamps = found ?? [];
  const known = stamps.slice(index, index + count);
  if (worlds.length > 0) return known;
  const last = Date.parse(stamps.at(-1)?.timestamp ?? '') || Date.now();
  const after = Math.max(0, index - stamps.length);
  return [...known, ...steadyTimestamps(last + (after + 1) * STEP_MS, count - known.length)];
};

/** The next events of the config, as an output would write them. The last good ones stay while there is an error. */
export const useEvents = (source: EventSource) => {
  const [run, setRun] = useState<EventRun | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const lane = useRef<Promise<unknown>>(Promise.resolve());
  const wanted = useRef('');
  const used = useRef(0);
  const isOpen = useRef(false);
  /** Grows when the preview ended by itself, to open it again. */
  const [openings, setOpenings] = useState(0);
  const { name, event, worlds, stamps, formatter, zone, files, revision } = source;
  const isReady = event !== null && stamps !== null && formatter !== null && zone !== null;
  const key = isReady
    ? JSON.stringify([event, worlds, stamps, formatter, zone, files, revision, openings])
    : '';
  const latest = useRef(source);
  latest.current = source;

  /** One request after the other; what is not wanted any more is skipped. */
  const enqueue = useCallback((job: (isWanted: () => boolean) => Promise<void>): void => {
    const mine = wanted.current;
    lane.current = lane.current.then(async () => {
      if (mine !== wanted.current) return;
      setIsBusy(true);
      try {
        await job(() => mine === wanted.current);
        setError(null);
      } catch (thrown) {
        if (mine === wanted.current) setError(thrown);
      }
      setIsBusy(false);
    });
  }, []);

  useEffect(() => {
    if (key === '') return;
    wanted.current = key;
    enqueue(async (isWanted) => {
      const { event: body, stamps: times, formatter: form, zone: timezone, files: texts } = latest.current;
      if (body === null || times === null || form === null || timezone === null) return;
      const { worlds: inputs } = latest.current;
      const open = () =>
        Object.keys(texts).length === 0 && inputs.length === 0
          ? call('openEventPreview', { path: { name }, query: { timezone }, body })
          : call('openDraftPreview', {
              path: { name },
              query: { timezone },
              body: { event: body, files: texts, ...(inputs.length === 0 ? {} : { inputs }) },
            });
      await open();
      isOpen.current = true;
      if (!isWanted()) return;
      const first = times.slice(0, FIRST_EVENTS);
      const made = await produce(name, first, form).catch(async (thrown: unknown) => {
        // Someone else looked at the same directory and has left it.
        if (!(thrown instanceof ApiError) || thrown.code !== 'wrong_state' || !isWanted()) throw thrown;
        await open();
        return produce(name, first, form);
      });
      used.current = first.length;
      setRun((former) => ({
        ...made,
        before:
          former === null
            ? null
            : formerEvents(former.before ?? new Map(), former, possibleOrigins(first, made.events.length)),
        made: (former?.made ?? 0) + 1,
        round: (former?.round ?? 0) + 1,
      }));
    });
  }, [key, name, enqueue]);

  useEffect(
    () => () => {
      wanted.current = 'left';
      lane.current = lane.current
        .then(() => (isOpen.current ? call('releaseEventPreview', { path: { name } }) : null))
        // It ends by itself if this is not heard.
        .catch(() => undefined);
    },
    [name],
  );

  const step = useCallback(
    (count = 1): void => {
      enqueue(async () => {
        const { stamps: times, formatter: form } = latest.current;
        if (times === null || form === null) return;
        const next = stampsFrom(latest.current, used.current, count);
        if (next.length === 0) return setRun((former) => former && { ...former, isExhausted: true });
        const made = await produce(name, next, form).catch((thrown: unknown) => {
          if (!(thrown instanceof ApiError) || thrown.code !== ENDED) throw thrown;
          setOpenings((former) => former + 1);
          return null;
        });
        if (made === null) return;
        used.current += count;
        setRun((former) => ({
          events: [...(former?.events ?? []), ...made.events],
          origins: [...(former?.origins ?? []), ...made.events.map(() => `step ${used.current}`)],
          before: former?.before ?? null,
          failures: made.failures,
          isExhausted: made.isExhausted,
          made: (former?.made ?? 0) + 1,
          round: former?.round ?? 0,
        }));
      });
    },
    [enqueue, name],
  );

  return { run, error, isBusy, isReady, step };
};
