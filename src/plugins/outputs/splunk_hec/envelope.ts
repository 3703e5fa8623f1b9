import type { Zone } from '../../../domain/time/zone.js';
import { parsedEvent, pointerReader } from '../shared/eventValues/pointer.js';
import { isPointed, type Source, sourceReader, textOf } from '../shared/eventValues/source.js';
import { nanosOf } from '../shared/eventValues/time.js';

/** Fields of the envelope that a config sets, in their order. */
const METADATA = ['host', 'source', 'sourcetype', 'index'] as const;

export type Metadata = Readonly<Record<(typeof METADATA)[number], Source | null>>;

export interface EnvelopeOptions extends Metadata {
  readonly content: 'auto' | 'json' | 'text';
  readonly fields: Readonly<Record<string, Source>>;
  /** Pointer of the time; `null`: time of delivery. */
  readonly time: string | null;
  readonly zone: Zone;
}

export interface Envelopes {
  readonly body: Buffer;
  /** Positions of the encoded events in the batch; `null`: all. */
  readonly positions: readonly number[] | null;
  /** Positions of events that have no envelope. */
  readonly failed: readonly number[];
}

/** Unix seconds with microseconds. */
export const hecTime = (nanos: bigint): string => {
  const digits = String(nanos).padStart(10, '0');
  return `${digits.slice(0, -9)}.${digits.slice(-9, -3)}`;
};

/** HEC indexes flat values only: others go as JSON text. */
const flat = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(JSON.stringify(value)) : JSON.stringify(value);

type Part = (document: unknown) => string;

const member = (name: string, source: Source, encode: (value: unknown) => string): Part => {
  const key = `${JSON.stringify(name)}:`;
  const read = sourceReader(source);
  return (document) => {
    const value = read(document);
    return value === undefined || value === null ? '' : key + encode(value);
  };
};

const asText = (value: unknown): string => JSON.stringify(textOf(value));

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(',');

/** Everything but time and event, with a comma in front. Constants are encoded once. */
const metadataPart = (options: EnvelopeOptions): Part => {
  const names = METADATA.filter((name) => options[name] !== null);
  const sources = [...names.map((name) => options[name] as Source), ...Object.values(options.fields)];
  const parts = names.map((name) => member(name, options[name] as Source, asText));
  const fields = Object.entries(options.fields).map(([name, source]) => member(name, source, flat));
  const whole: Part = (document) => {
    const inner = joined(fields.map((part) => part(document)));
    const all = joined([...parts.map((part) => part(document)), inner === '' ? '' : `"fields":{${inner}}`]);
    return all === '' ? '' : `,${all}`;
  };
  if (sources.some(isPointed)) return whole;
  const constant = whole(undefined);
  return () => constant;
};

const isObject = (document: unknown): boolean => typeof document === 'object' && document !== null;

/** Encodes events for the endpoint `event`: one JSON object each, with a line end between them. */
export const envelopeMaker = (
  options: EnvelopeOptions,
): ((events: readonly string[], now: bigint) => Envelopes) => {
  const { content, time, zone, fields } = options;
  const metadata = metadataPart(options);
  const readTime = time === null ? null : pointerReader(time);
  const hasPointers =
    readTime !== null || [...METADATA.map((name) => options[name]), ...Object.values(fields)].some(isPointed);
  const mustParse = hasPointers || content !== 'text';
  return (events, now) => {
    const delivered = hecTime(now);
    const lines: string[] = [];
    const positions: number[] = [];
    const failed: number[] = [];
    events.forEach((event, position) => {
      const document = mustParse ? parsedEvent(event) : undefined;
      const isJson = content === 'json' || (content === 'auto' && isObject(document));
      if (event.trim() === '' || (isJson && document === undefined)) {
        failed.push(position);
        return;
      }
      const nanos = readTime === null ? null : nanosOf(readTime(document), zone);
      const at = nanos === null ? delivered : hecTime(nanos);
      lines.push(`{"time":${at}${metadata(document)},"event":${isJson ? event : JSON.stringify(event)}}`);
      positions.push(position);
    });
    return {
      body: Buffer.from(lines.join('\n'), 'utf8'),
      positions: failed.length === 0 ? null : positions,
      failed,
    };
  };
};
