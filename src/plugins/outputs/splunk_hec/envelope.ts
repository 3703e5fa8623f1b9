import { parsedJson } from '../../../domain/json.js';
import { givenText } from '../../../domain/pointer.js';
import type { Zone } from '../../../domain/time/zone.js';
import { eventTime } from '../../shared/eventTime.js';
import {
  type CompiledValue,
  type ConfigValue,
  compileValue,
  compileValues,
} from '../../shared/text/values.js';

/** Fields of the envelope that a config sets, in their order. */
const METADATA = ['host', 'source', 'sourcetype', 'index'] as const;

export type Metadata = Readonly<Record<(typeof METADATA)[number], ConfigValue | null>>;

export interface EnvelopeOptions extends Metadata {
  readonly content: 'auto' | 'json' | 'text';
  readonly fields: Readonly<Record<string, ConfigValue>>;
  /** Text of the time; `null`: time of delivery. */
  readonly time: string | null;
  readonly zone: Zone;
  readonly generator: string;
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

const member = (name: string, { value }: CompiledValue, encode: (value: unknown) => string): Part => {
  const key = `${JSON.stringify(name)}:`;
  return (document) => {
    const found = value(document);
    return found === undefined || found === null ? '' : key + encode(found);
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

/** Encodes events for the endpoint `event`: one JSON object each, with a line end between them. */
export const envelopeMaker = (
  options: EnvelopeOptions,
): ((events: readonly string[], now: bigint) => Envelopes) => {
  const { content } = options;
  const metadata = metadataPart(options);
  const time = eventTime(options.time, options.zone);
  const mustParse = content !== 'text' || metadata.readsJson || time.readsJson;
  return (events, now) => {
    const delivered = hecTime(now);
    const lines: string[] = [];
    const positions: number[] = [];
    const failed: number[] = [];
    events.forEach((event, position) => {
      const document = mustParse ? parsedJson(event) : undefined;
      const isJson = content === 'json' || (content === 'auto' && isObject(document));
      if (event.trim() === '' || (isJson && document === undefined)) {
        failed.push(position);
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
      positions: failed.length === 0 ? null : positions,
      failed,
    };
  };
};
