import type { Zone } from '../../../domain/time/zone.js';
import { parsedEvent, pointerReader } from '../shared/eventValues/pointer.js';
import { isPointed, type Source, sourceReader, textOf } from '../shared/eventValues/source.js';
import { nanosOf } from '../shared/eventValues/time.js';

/** An event as Loki gets it. */
export interface Entry {
  /** Position of the event in the batch. */
  readonly position: number;
  /** Labels as JSON; equal for the entries of a stream. */
  readonly stream: string;
  readonly nanos: bigint;
  /** Time, line and metadata as JSON. */
  readonly value: string;
}

export interface EntryOptions {
  readonly labels: Readonly<Record<string, Source>>;
  readonly structured_metadata: Readonly<Record<string, Source>>;
  readonly time: string | null;
  readonly max_streams: number;
  readonly zone: Zone;
}

export interface Entries {
  readonly entries: readonly Entry[];
  /** Positions of events of streams beyond the limit. */
  readonly crowded: readonly number[];
  /** Positions of events without labels. */
  readonly bare: readonly number[];
}

type Part = (document: unknown) => string;

/** A JSON object of texts; `null` and absent values are left out. */
const textsPart = (sources: Readonly<Record<string, Source>>): Part => {
  const members = Object.entries(sources).map(([name, source]) => ({
    key: `${JSON.stringify(name)}:`,
    read: sourceReader(source),
  }));
  const whole: Part = (document) => {
    const found: string[] = [];
    for (const { key, read } of members) {
      const text = textOf(read(document));
      if (text !== null) found.push(key + JSON.stringify(text));
    }
    return `{${found.join(',')}}`;
  };
  if (Object.values(sources).some(isPointed)) return whole;
  const constant = whole(undefined);
  return () => constant;
};

const NONE = '{}';

/** Makes the entries of a batch; the first event without a time of its own gets `from`, the next one nanosecond more. */
export const entryMaker = (options: EntryOptions): ((events: readonly string[], from: bigint) => Entries) => {
  const { labels, structured_metadata, time, max_streams, zone } = options;
  const streamOf = textsPart(labels);
  const metadataOf = textsPart(structured_metadata);
  const readTime = time === null ? null : pointerReader(time);
  const mustParse =
    readTime !== null || [...Object.values(labels), ...Object.values(structured_metadata)].some(isPointed);
  const streams = new Set<string>();
  const hasRoom = (stream: string): boolean => {
    if (streams.has(stream)) return true;
    if (streams.size >= max_streams) return false;
    streams.add(stream);
    return true;
  };
  return (events, from) => {
    const entries: Entry[] = [];
    const crowded: number[] = [];
    const bare: number[] = [];
    events.forEach((event, position) => {
      const document = mustParse ? parsedEvent(event) : undefined;
      const stream = streamOf(document);
      if (stream === NONE || !hasRoom(stream)) {
        (stream === NONE ? bare : crowded).push(position);
        return;
      }
      const nanos = (readTime === null ? null : nanosOf(readTime(document), zone)) ?? from + BigInt(position);
      const metadata = metadataOf(document);
      const value = `["${nanos}",${JSON.stringify(event)}${metadata === NONE ? '' : `,${metadata}`}]`;
      entries.push({ position, stream, nanos, value });
    });
    return { entries, crowded, bare };
  };
};

const byTime = (one: Entry, other: Entry): number =>
  one.nanos < other.nanos ? -1 : one.nanos > other.nanos ? 1 : 0;

/** Body of a push request; entries of a stream in the order of their times. */
export const pushBody = (entries: readonly Entry[]): Buffer => {
  const streams = new Map<string, Entry[]>();
  for (const entry of entries) {
    const others = streams.get(entry.stream);
    if (others === undefined) streams.set(entry.stream, [entry]);
    else others.push(entry);
  }
  const parts = [...streams].map(
    ([stream, own]) =>
      `{"stream":${stream},"values":[${own
        .sort(byTime)
        .map(({ value }) => value)
        .join(',')}]}`,
  );
  return Buffer.from(`{"streams":[${parts.join(',')}]}`, 'utf8');
};
