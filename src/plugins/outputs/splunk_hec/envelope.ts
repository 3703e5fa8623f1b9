import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { givenText, parsedJson } from '../../../domain/json.js';
import type { Zone } from '../../../domain/time/zone.js';
import { eventTime } from '../../shared/eventTime.js';
import {
  type CompiledValue,
  type ConfigValue,
  compileValue,
  compileValues,
} from '../../shared/text/field.js';
import { LIMITS, limitBreach } from '../../shared/text/limits.js';
import { makeBodyWriter, mayBeDocument } from '../shared/batchBytes.js';

/** Fields of the envelope that a config sets, in their order. */
const METADATA = ['host', 'source', 'sourcetype', 'index'] as const;

export type Metadata = Readonly<Record<(typeof METADATA)[number], ConfigValue | null>>;

export interface EnvelopeOptions extends Metadata {
  readonly content: 'auto' | 'json' | 'text';
  readonly fields: Readonly<Record<string, ConfigValue>>;
  /** Text of the time. Null when it is the time of delivery. */
  readonly time: string | null;
  readonly zone: Zone;
  readonly generator: string;
}

export interface Envelopes {
  readonly body: Buffer;
  /** Positions of the encoded events in the batch. Null when all are encoded. */
  readonly positions: readonly number[] | null;
  /** Positions of events that have no envelope. */
  readonly failed: readonly number[];
  /** Positions of events with an index that Splunk does not take. */
  readonly unroutable: readonly number[];
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

const member = (name: string, { value }: CompiledValue, encode: (value: unknown) => string): Part => {
  const key = `${JSON.stringify(name)}:`;
  return (document) => {
    const found = value(document);
    // There is no index without a name: the event goes to that of the token.
    const isLeftOut = found === undefined || found === null || (found === '' && name === 'index');
    return isLeftOut ? '' : key + encode(found);
  };
};

const asText = (value: unknown): string => JSON.stringify(givenText(value));

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(',');

/** Everything but time and event, with a comma in front. Constants are encoded once. */
const metadataPart = (options: EnvelopeOptions): { readonly readsJson: boolean; readonly json: Part } => {
  const { generator } = options;
  const named = METADATA.flatMap((name) => {
    const written = options[name];
    return written === null ? [] : [{ name, ...compileValue(written, { generator }) }];
  });
  const indexed = compileValues(options.fields, { generator });
  const parts = named.map((one) => member(one.name, one, asText));
  const fields = indexed.map((one) => member(one.name, one, flat));
  const json: Part = (document) => {
    const inner = joined(fields.map((part) => part(document)));
    const all = joined([...parts.map((part) => part(document)), inner === '' ? '' : `"fields":{${inner}}`]);
    return all === '' ? '' : `,${all}`;
  };
  if ([...named, ...indexed].some(({ readsJson }) => readsJson)) return { readsJson: true, json };
  const constant = json(undefined);
  return { readsJson: false, json: () => constant };
};

const isObject = (document: unknown): boolean => typeof document === 'object' && document !== null;

/** The body of a batch whose envelopes differ in their events only: events go from bytes to bytes. */
const uniformEnvelopes = (
  batch: EventBatch,
  content: EnvelopeOptions['content'],
  head: string,
): Envelopes => {
  const { bytes, ends } = batch.encoded();
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = Buffer.from(`${head}"event":`);
  const textStart = Buffer.from(`${head}"event":"`);
  const [textEnd, end] = [Buffer.from('"}\n'), Buffer.from('}\n')];
  const body = makeBodyWriter(Math.ceil(bytes.length * 1.2) + (textStart.length + 3) * batch.count);
  const positions: number[] = [];
  const failed: number[] = [];
  let to = 0;
  for (let item = 0; item < batch.count; item++) {
    const from = to;
    to = ends[item] as number;
    const last = to - 1;
    const kind = kindOf(source, from, last, content);
    if (kind === 'none') {
      failed.push(item);
      continue;
    }
    if (kind === 'json') {
      body.put(start);
      body.copy(source, from, last);
      body.put(end);
    } else {
      body.put(textStart);
      body.putJson(source, from, last);
      body.put(textEnd);
    }
    positions.push(item);
  }
  // No line end behind the last one.
  const whole = body.take();
  return {
    body: whole.subarray(0, Math.max(0, whole.length - 1)),
    positions: failed.length === 0 ? null : positions,
    failed,
    unroutable: [],
  };
};

const SPACE = 0x20;
const FIRST_TWO_BYTES = 0x80;

/** How an event goes into its envelope; `none`: it is empty, or must be JSON and is not. */
const kindOf = (
  source: Buffer,
  start: number,
  end: number,
  content: EnvelopeOptions['content'],
): 'text' | 'json' | 'none' => {
  const first = start < end ? (source[start] as number) : 0;
  const isPlain = first > SPACE && first < FIRST_TWO_BYTES;
  if (isPlain && (content === 'text' || (content === 'auto' && !mayBeDocument(source, start, end)))) {
    return 'text';
  }
  const event = source.toString('utf8', start, end);
  if (event.trim() === '') return 'none';
  if (content === 'text') return 'text';
  const document = parsedJson(event);
  if (content === 'json') return document === undefined ? 'none' : 'json';
  return isObject(document) ? 'json' : 'text';
};

/** Encodes events for the endpoint `event`: one JSON object each, with a line end between them. */
export const envelopeMaker = (options: EnvelopeOptions): ((batch: EventBatch, now: bigint) => Envelopes) => {
  const { content, generator } = options;
  const metadata = metadataPart(options);
  const index = options.index === null ? null : compileValue(options.index, { generator });
  const time = eventTime(options.time, options.zone);
  if (!metadata.readsJson && !time.readsJson) {
    const constant = metadata.json(undefined);
    return (batch, now) => uniformEnvelopes(batch, content, `{"time":${hecTime(now)}${constant},`);
  }
  return (batch, now) => {
    const delivered = hecTime(now);
    const lines: string[] = [];
    const positions: number[] = [];
    const failed: number[] = [];
    const unroutable: number[] = [];
    batch.texts().forEach((event, position) => {
      const document = parsedJson(event);
      const isJson = content === 'json' || (content === 'auto' && isObject(document));
      if (event.trim() === '' || (isJson && document === undefined)) {
        failed.push(position);
        return;
      }
      const name = index === null ? null : givenText(index.value(document));
      if (name !== null && limitBreach(LIMITS['splunk_hec.index'], name) !== null) {
        unroutable.push(position);
        return;
      }
      const nanos = time.nanos(document);
      const at = nanos === null ? delivered : hecTime(nanos);
      lines.push(
        `{"time":${at}${metadata.json(document)},"event":${isJson ? event : JSON.stringify(event)}}`,
      );
      positions.push(position);
    });
    return {
      body: Buffer.from(lines.join('\n'), 'utf8'),
      positions: positions.length === batch.count ? null : positions,
      failed,
      unroutable,
    };
  };
};
