import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Json } from '../../../../domain/json.js';
import { askPreview } from './answers.js';
import {
  FIRST_SIZE,
  mergedTimestamps,
  type NextSize,
  nextSize,
  PERIODS,
  steadyTimestamps,
  type TaggedTimestamp,
  type Timeline,
  type TimelinePeriod,
  type TimestampPreview,
  tagsOf,
  thinned,
  timelineOf,
} from './timeline.js';

/** Inputs whose tags are looked up one by one. */
const MAX_TAGGED_INPUTS = 20;
/** Timestamps that are known ahead, for the first events and for steps. */
const AHEAD = 500;

export interface PreviewSource {
  readonly name: string;
  /** Inputs of the generator. Null when there is nothing to preview yet. */
  readonly inputs: readonly Json[] | null;
  readonly zone: string | null;
  /** Another number asks again, from now on. */
  readonly round: number;
}

/** What was good last, with the error of now. */
interface LastGood<A> {
  readonly data: A | null;
  readonly error: unknown;
  readonly isBusy: boolean;
}

const useLastGood = <A>(query: {
  readonly data: A | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
}): LastGood<A> => {
  const good = useRef<A | null>(null);
  if (query.data !== undefined) good.current = query.data;
  return { data: good.current, error: query.error, isBusy: query.isFetching };
};

const OPTIONS = {
  retry: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 60_000,
  refetchOnWindowFocus: false,
} as const;

const ask = (
  name: string,
  zone: string,
  inputs: readonly Json[],
  query: { readonly size: number; readonly span?: string; readonly from?: string },
): Promise<TimestampPreview> =>
  askPreview('previewTimestamps', { path: { name }, query: { ...query, timezone: zone }, body: inputs });

export interface CountedTimeline {
  readonly timeline: Timeline;
  readonly inputs: readonly Json[];
  readonly period: TimelinePeriod;
  /** The period begins here, epoch milliseconds. */
  readonly fromMs: number;
  /** The next timestamp, in the period or after it. */
  readonly first: string | null;
  /** Where the counting ends before the period does. */
  readonly cutAt: string | null;
}

/** Asks for more until the answer covers the period, then counts what is in it. */
const count = async (
  name: string,
  zone: string,
  inputs: readonly Json[],
  period: TimelinePeriod,
  startMs: number | null,
): Promise<CountedTimeline> => {
  const fromMs = startMs ?? Date.now();
  const from = new Date(fromMs).toISOString();
  const { inputs: asked, weights } = thinned(inputs);
  const search = async (size: number): Promise<NextSize & { readonly preview: TimestampPreview }> => {
    const preview = await ask(name, zone, asked, { size, from });
    const next = nextSize(preview, size, { fromMs, period });
    return next.isFinal ? { ...next, preview } : search(next.size);
  };
  const { preview, size, isCut } = await search(FIRST_SIZE);
  const counted =
    size === 0 ? null : await ask(name, zone, asked, { size, from, span: PERIODS[period].span });
  return {
    timeline: timelineOf(counted, weights),
    inputs,
    period,
    fromMs,
    first: preview.timestamps[0] ?? null,
    cutAt: isCut ? (preview.timestamps.at(-1) ?? null) : null,
  };
};

/** When the events of a period come; `startMs`: `null` is now. */
export const useTimeline = (
  { name, inputs, zone, round }: PreviewSource,
  period: TimelinePeriod,
  startMs: number | null,
) => {
  const query = useQuery({
    ...OPTIONS,
    queryKey: ['timeline', name, inputs, zone, round, period, startMs],
    queryFn: () => count(name, zone ?? 'UTC', inputs ?? [], period, startMs),
    enabled: inputs !== null && zone !== null,
  });
  return useLastGood(query);
};

export interface NextTimestamps {
  readonly stamps: readonly TaggedTimestamp[];
  /** The inputs make no timestamps by themselves. */
  readonly areSteady: boolean;
}

const nextOf = async (name: string, zone: string, inputs: readonly Json[]): Promise<NextTimestamps> => {
  const asked = (some: readonly Json[]) => ask(name, zone, some, { size: AHEAD });
  const areTagged = inputs.some((input) => tagsOf(input).length > 0);
  const groups = areTagged && inputs.length <= MAX_TAGGED_INPUTS ? inputs.map((input) => [input]) : [inputs];
  const rows = await Promise.all(
    groups.map(async (group) => ({
      times: (await asked(group)).timestamps,
      tags: groups.length === inputs.length ? tagsOf(group[0] ?? null) : [],
    })),
  );
  const stamps = mergedTimestamps(rows).slice(0, AHEAD);
  return stamps.length > 0
    ? { stamps, areSteady: false }
    : { stamps: steadyTimestamps(Date.now(), AHEAD), areSteady: true };
};

/** The timestamps that come next, each with its tags. They stay the same until the inputs change. */
export const useNextTimestamps = ({ name, inputs, zone, round }: PreviewSource) => {
  const query = useQuery({
    ...OPTIONS,
    queryKey: ['next-timestamps', name, inputs, zone, round],
    queryFn: () => nextOf(name, zone ?? 'UTC', inputs ?? []),
    enabled: inputs !== null && zone !== null,
  });
  return useLastGood(query);
};
