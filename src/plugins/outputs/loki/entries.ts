import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { givenText, parsedJson } from '../../../domain/json.js';
import type { Zone } from '../../../domain/time/zone.js';
import { eventTime } from '../../shared/eventTime.js';
import { type ConfigValue, compileValues } from '../../shared/text/field.js';
import { LIMITS, limitBreach, type TextLimit } from '../../shared/text/limits.js';
import { makeBodyWriter } from '../shared/batchBytes.js';

/** An event as Loki gets it. */
export interface LokiEntry {
  /** Position of the event in the batch. */
  readonly position: number;
  /** Labels as JSON; equal for the entries of a stream. */
  readonly stream: string;
  readonly nanos: bigint;
  /** Time, line and metadata as JSON. */
  readonly value: string;
}

export interface EntryOptions {
  readonly labels: Readonly<Record<string, ConfigValue>>;
  readonly structured_metadata: Readonly<Record<string, ConfigValue>>;
  readonly time: string | null;
  readonly max_streams: number;
  readonly zone: Zone;
  readonly generator: string;
}

export interface Entries {
  readonly entries: readonly LokiEntry[];
  /** Positions of events of streams beyond the limit. */
  readonly crowded: readonly number[];
  /** Positions of events without labels. */
  readonly bare: readonly number[];
  /** Positions of events with a label that Loki does not take. */
  readonly misfits: readonly number[];
}

interface Part {
  readonly readsJson: boolean;
  /** Null when a value breaks the limit. */
  readonly json: (document: unknown) => string | null;
}

/** A JSON object of texts. Values that an event lacks are left out; one over the limit makes it null. */
const textsPart = (
  written: Readonly<Record<string, ConfigValue>>,
  generator: string,
  limit: TextLimit | null,
): Part => {
  const members = compileValues(written, { generator }).map(({ name, ...text }) => ({
    key: `${JSON.stringify(name)}:`,
    ...text,
  }));
  const json: Part['json'] = (document) => {
    const found: string[] = [];
    for (const { key, value } of members) {
      const text = givenText(value(document));
      if (text === null) continue;
      if (limit !== null && limitBreach(limit, text) !== null) return null;
      found.push(key + JSON.stringify(text));
    }
    return `{${found.join(',')}}`;
  };
  if (members.some(({ readsJson }) => readsJson)) return { readsJson: true, json };
  const constant = json(undefined);
  return { readsJson: false, json: () => constant };
};

const NONE = '{}';

/** Makes requests of batches. The first event without a time of its own gets `from`, the next one nanosecond more. */
export interface EntryMaker {
  readonly entriesOf: (events: readonly string[], from: bigint) => Entries;
  /**
   * Makes the body of a push of a whole batch whose entries differ in time and line only. Null when entries may differ
   * in more.
   */
  readonly uniformBody: ((batch: EventBatch, from: bigint) => Buffer) | null;
}

export const entryMaker = (options: EntryOptions): EntryMaker => {
  const { max_streams, zone, generator } = options;
  const labels = textsPart(options.labels, generator, LIMITS['loki.label']);
  const metadata = textsPart(options.structured_metadata, generator, null);
  const time = eventTime(options.time, zone);
  const mustParse = [labels, metadata, time].some(({ readsJson }) => readsJson);
  const streams = new Set<string>();
  const hasRoom = (stream: string): boolean => {
    if (streams.has(stream)) return true;
    if (streams.size >= max_streams) return false;
    streams.add(stream);
    return true;
  };
  const entriesOf: EntryMaker['entriesOf'] = (events, from) => {
    const entries: LokiEntry[] = [];
    const crowded: number[] = [];
    const bare: number[] = [];
    const misfits: number[] = [];
    events.forEach((event, position) => {
      const document = mustParse ? parsedJson(event) : undefined;
      const stream = labels.json(document);
      if (stream === null) {
        misfits.push(position);
        return;
      }
      if (stream === NONE || !hasRoom(stream)) {
        (stream === NONE ? bare : crowded).push(position);
        return;
      }
      const nanos = time.nanos(document) ?? from + BigInt(position);
      const added = metadata.json(document) ?? NONE;
      const value = `["${nanos}",${JSON.stringify(event)}${added === NONE ? '' : `,${added}`}]`;
      entries.push({ position, stream, nanos, value });
    });
    return { entries, crowded, bare, misfits };
  };
  const stream = mustParse ? NONE : (labels.json(undefined) ?? NONE);
  return {
    entriesOf,
    uniformBody: stream === NONE ? null : uniformBody(stream, metadata.json(undefined) ?? NONE),
  };
};

const DIGIT_NINE = 0x39;
const DIGIT_ZERO = 0x30;

/** Adds one to the decimal number that ends in front of `end`; false: it has too few digits. */
const increment = (digits: Buffer, from: number, end: number): boolean => {
  let at = end - 1;
  for (; at >= from && digits[at] === DIGIT_NINE; at--) digits[at] = DIGIT_ZERO;
  if (at < from) return false;
  digits[at] = (digits[at] as number) + 1;
  return true;
};

/** Entries of one stream, each a nanosecond after the other: lines go from bytes to bytes, without a string for each. */
const uniformBody = (stream: string, metadata: string): NonNullable<EntryMaker['uniformBody']> => {
  const open = Buffer.from(`{"streams":[{"stream":${stream},"values":[`);
  const end = Buffer.from(`"${metadata === NONE ? '' : `,${metadata}`}]`);
  const close = Buffer.from(']}]}');
  const startOf = (nanos: bigint): Buffer => Buffer.from(`,["${nanos}","`);
  return (batch, from) => {
    const { bytes, ends } = batch.encoded();
    let start = startOf(from);
    const body = makeBodyWriter(
      Math.ceil(bytes.length * 1.2) + (start.length + end.length) * batch.count + 256,
    );
    body.put(open);
    let position = 0;
    for (let item = 0; item < batch.count; item++) {
      body.put(item === 0 ? start.subarray(1) : start);
      body.putJson(bytes, position, (ends[item] as number) - 1);
      body.put(end);
      position = ends[item] as number;
      // Between `,["` and `","`.
      if (!increment(start, 3, start.length - 3)) start = startOf(from + BigInt(item + 1));
    }
    body.put(close);
    return body.take();
  };
};

const byTime = (one: LokiEntry, other: LokiEntry): number =>
  one.nanos < other.nanos ? -1 : one.nanos > other.nanos ? 1 : 0;

/** Body of a push request; entries of a stream in the order of their times. */
export const pushBody = (entries: readonly LokiEntry[]): Buffer => {
  const streams = new Map<string, LokiEntry[]>();
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
