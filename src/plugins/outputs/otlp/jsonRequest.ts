import type { LogRecord } from './record.js';
import { type EncodeRequest, MAX_LEVELS, type Origin } from './requests.js';

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
