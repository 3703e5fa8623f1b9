import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { lengthSize, makeMovedBody } from '../shared/batchBytes.js';
import { FIXED64, LENGTH, makeProtobufWriter, type ProtobufWriter, VARINT } from './protobufWriter.js';
import type { LogRecord } from './record.js';

/** Fields of opentelemetry-proto, logs/v1/logs.proto, common/v1/common.proto and resource/v1/resource.proto. */
const REQUEST = { resource_logs: 1 };
const RESOURCE_LOGS = { resource: 1, scope_logs: 2 };
const RESOURCE = { attributes: 1 };
const SCOPE_LOGS = { scope: 1, log_records: 2 };
const SCOPE = { name: 1, version: 2 };
const RECORD = {
  time_unix_nano: 1,
  severity_number: 2,
  severity_text: 3,
  body: 5,
  attributes: 6,
  trace_id: 9,
  span_id: 10,
  observed_time_unix_nano: 11,
};
const KEY_VALUE = { key: 1, value: 2 };
const ANY = { string: 1, bool: 2, int: 3, double: 4, array: 5, kvlist: 6 };
const LIST = { values: 1 };

/** The content of an AnyValue; `null` is an empty one. */
const writeAny = (out: ProtobufWriter, value: unknown, level: number): void => {
  switch (typeof value) {
    case 'string':
      return out.text(ANY.string, value);
    case 'boolean':
      out.varint(value ? 1 : 0);
      return out.tag(ANY.bool, VARINT);
    case 'number':
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
        out.double(value);
        return out.tag(ANY.double, FIXED64);
      }
      out.int64(value);
      return out.tag(ANY.int, VARINT);
    case 'object':
      if (value === null) return undefined;
      if (level >= MAX_LEVELS) return out.text(ANY.string, JSON.stringify(value));
      return writeNested(out, value, level);
    default:
      return undefined;
  }
};

const writeNested = (out: ProtobufWriter, value: object, level: number): void => {
  const before = out.size();
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index--) {
      const start = out.size();
      writeAny(out, value[index], level + 1);
      out.message(LIST.values, start);
    }
    return out.message(ANY.array, before);
  }
  writePairs(out, LIST.values, Object.entries(value), level + 1);
  return out.message(ANY.kvlist, before);
};

const writePairs = (
  out: ProtobufWriter,
  field: number,
  pairs: readonly (readonly [string, unknown])[],
  level: number,
): void => {
  for (let index = pairs.length - 1; index >= 0; index--) {
    const [key, value] = pairs[index] as readonly [string, unknown];
    const start = out.size();
    writeAny(out, value, level);
    out.message(KEY_VALUE.value, start);
    out.text(KEY_VALUE.key, key);
    out.message(field, start);
  }
};

/** Fields that stand behind the body. */
const writeAfterBody = (out: ProtobufWriter, record: LogRecord): void => {
  out.fixed64(record.observed);
  out.tag(RECORD.observed_time_unix_nano, FIXED64);
  if (record.spanId !== null) out.hex(RECORD.span_id, record.spanId);
  if (record.traceId !== null) out.hex(RECORD.trace_id, record.traceId);
  writePairs(out, RECORD.attributes, record.attributes, 0);
};

/** Fields that stand in front of the body. */
const writeBeforeBody = (out: ProtobufWriter, record: LogRecord): void => {
  if (record.severityText !== null) out.text(RECORD.severity_text, record.severityText);
  if (record.severity > 0) {
    out.varint(record.severity);
    out.tag(RECORD.severity_number, VARINT);
  }
  out.fixed64(record.time);
  out.tag(RECORD.time_unix_nano, FIXED64);
};

const writeRecord = (out: ProtobufWriter, record: LogRecord): void => {
  writeAfterBody(out, record);
  const body = out.size();
  writeAny(out, record.body, 0);
  out.message(RECORD.body, body);
  writeBeforeBody(out, record);
};

/** Writes a request whose records `writeRecords` writes. */
const requestWriter = ({ resource, scope_name, scope_version }: Origin) => {
  const out = makeProtobufWriter();
  const attributes = Object.entries(resource);
  return (writeRecords: (out: ProtobufWriter) => void): Buffer => {
    const start = out.size();
    writeRecords(out);
    const scope = out.size();
    if (scope_version !== null) out.text(SCOPE.version, scope_version);
    out.text(SCOPE.name, scope_name);
    out.message(SCOPE_LOGS.scope, scope);
    out.message(RESOURCE_LOGS.scope_logs, start);
    const before = out.size();
    writePairs(out, RESOURCE.attributes, attributes, 0);
    out.message(RESOURCE_LOGS.resource, before);
    out.message(REQUEST.resource_logs, start);
    return out.take();
  };
};

export const protobufRequest = (origin: Origin): EncodeRequest => {
  const write = requestWriter(origin);
  return (records) =>
    write((out) => {
      for (let index = records.length - 1; index >= 0; index--) {
        const before = out.size();
        writeRecord(out, records[index] as LogRecord);
        out.message(SCOPE_LOGS.log_records, before);
      }
    });
};

const sizedTag = (field: number): number => field * 8 + LENGTH;
const RECORD_TAG = sizedTag(SCOPE_LOGS.log_records);
const BODY_TAG = sizedTag(RECORD.body);
const STRING_TAG = sizedTag(ANY.string);

/** Bytes of a field of `size` bytes whose tag is one byte. */
const fieldSize = (size: number): number => 1 + lengthSize(size) + size;

/**
 * A request whose records are `shared` with the events as their bodies: what stands around them is encoded once, and the
 * texts go from the bytes of the batch to those of the request, without a string for each.
 */
export const protobufTexts = (origin: Origin): ((batch: EventBatch, shared: LogRecord) => Buffer) => {
  const write = requestWriter(origin);
  const parts = makeProtobufWriter();
  const encoded = (writePart: typeof writeAfterBody, record: LogRecord): Buffer => {
    writePart(parts, record);
    return parts.take();
  };
  return (batch, shared) => {
    const { bytes, ends } = batch.encoded();
    const after = encoded(writeAfterBody, shared);
    const before = encoded(writeBeforeBody, shared);
    const around = before.length + after.length;
    let records = 0;
    let start = 0;
    for (let item = 0; item < batch.count; item++) {
      const end = ends[item] as number;
      records += fieldSize(around + fieldSize(fieldSize(end - 1 - start)));
      start = end;
    }
    const head = write((out) => out.skip(records));
    const body = makeMovedBody(head.length + records, bytes);
    body.put(head);
    start = 0;
    for (let item = 0; item < batch.count; item++) {
      const end = (ends[item] as number) - 1;
      const text = end - start;
      const value = fieldSize(text);
      body.putByte(RECORD_TAG);
      body.putVarint(around + fieldSize(value));
      body.put(before);
      body.putByte(BODY_TAG);
      body.putVarint(value);
      body.putByte(STRING_TAG);
      body.putVarint(text);
      body.move(start, end);
      body.put(after);
      start = end + 1;
    }
    return body.take();
  };
};

/** What all records of an output share. */
interface Origin {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope_name: string;
  readonly scope_version: string | null;
}

/** Encodes an ExportLogsServiceRequest with one resource and one scope. */
type EncodeRequest = (records: readonly LogRecord[]) => Buffer;

/** Decoders of protobuf stop at 100 messages in each other, and a level of JSON is three: deeper values go as JSON text. */
const MAX_LEVELS = 30;

/** AnyValue in the JSON encoding of OTLP: 64-bit integers are texts. */
const anyValue = (value: unknown, level: number): string => {
  switch (typeof value) {
    case 'string':
      return `{"stringValue":${JSON.stringify(value)}}`;
    case 'boolean':
      return `{"boolValue":${value}}`;
    case 'number':
      if (Object.is(value, -0)) return '{"doubleValue":-0.0}';
      return Number.isSafeInteger(value)
        ? `{"intValue":"${value}"}`
        : `{"doubleValue":${JSON.stringify(value)}}`;
    case 'object':
      if (value === null) return '{}';
      if (level >= MAX_LEVELS) return `{"stringValue":${JSON.stringify(JSON.stringify(value))}}`;
      return Array.isArray(value)
        ? `{"arrayValue":{"values":[${value.map((one) => anyValue(one, level + 1)).join(',')}]}}`
        : `{"kvlistValue":{"values":[${pairs(Object.entries(value), level + 1)}]}}`;
    default:
      return '{}';
  }
};

const pairs = (given: readonly (readonly [string, unknown])[], level: number): string =>
  given.map(([key, value]) => `{"key":${JSON.stringify(key)},"value":${anyValue(value, level)}}`).join(',');

const recordText = (record: LogRecord): string => {
  const { time, observed, severity, severityText, body, attributes, traceId, spanId } = record;
  return [
    `{"timeUnixNano":"${time}","observedTimeUnixNano":"${observed}"`,
    severity > 0 ? `,"severityNumber":${severity}` : '',
    severityText === null ? '' : `,"severityText":${JSON.stringify(severityText)}`,
    `,"body":${anyValue(body, 0)}`,
    attributes.length === 0 ? '' : `,"attributes":[${pairs(attributes, 0)}]`,
    traceId === null ? '' : `,"traceId":"${traceId}"`,
    spanId === null ? '' : `,"spanId":"${spanId}"`,
    '}',
  ].join('');
};

export const jsonRequest = ({ resource, scope_name, scope_version }: Origin): EncodeRequest => {
  const scope = JSON.stringify({
    name: scope_name,
    ...(scope_version === null ? {} : { version: scope_version }),
  });
  const head = `{"resourceLogs":[{"resource":{"attributes":[${pairs(Object.entries(resource), 0)}]},"scopeLogs":[{"scope":${scope},"logRecords":[`;
  return (records) => Buffer.from(`${head}${records.map(recordText).join(',')}]}]}]}`, 'utf8');
};
