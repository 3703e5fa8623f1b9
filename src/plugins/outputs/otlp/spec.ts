import { defaulted, lazily, oneOf, optional, required, text, url } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { eventText, eventValueMap, eventValueShape } from '../../shared/text/field.js';
import { httpFields, httpRules } from '../shared/http/fields.js';

const ofEvent = eventText({ isOfEvent: true });

export const otlpFields = lazily(() => ({
  url: required(url(), {
    help: 'Address of the collector. Without a path, `/v1/logs` is added.',
    example: 'http://localhost:4318',
  }),
  encoding: defaulted(oneOf(['protobuf', 'json']), 'protobuf', { help: 'Encoding of requests.' }),
  resource: defaulted(
    eventValueMap(['generator']),
    {},
    {
      help: 'Attributes of the resource. `{generator}` is replaced in values.',
      example: { 'service.name': '{generator}' },
    },
  ),
  scope_name: defaulted(text(), 'spate', { help: 'Name of the instrumentation scope.' }),
  scope_version: optional(text(), { help: 'Version of the instrumentation scope.' }),
  content: defaulted(oneOf(['auto', 'json', 'text']), 'text', {
    help: 'Body of a record: the event as `text`, or its structure (`json`); `auto`: the structure of JSON objects.',
  }),
  body: optional(ofEvent, {
    help: 'Body, as a text with `{/json/pointer}`. Default: the whole event.',
    example: '{/message}',
  }),
  severity: optional(eventValueShape(), {
    help: 'Severity, such as `warn`, or 1 to 24. `{/json/pointer}` is replaced.',
    example: '{/level}',
  }),
  attributes: defaulted(
    eventValueMap(),
    {},
    {
      help: 'Attributes of records by name. `{/json/pointer}` and `{generator}` are replaced in values.',
      example: { 'http.route': '{/route}' },
    },
  ),
  time: optional(ofEvent, {
    help: 'Time, as a text with `{/json/pointer}`. Default: time of delivery.',
    example: '{/time}',
  }),
  trace_id: optional(ofEvent, {
    help: 'Trace id, 32 hex digits, as a text with `{/json/pointer}`.',
    example: '{/trace_id}',
  }),
  span_id: optional(ofEvent, {
    help: 'Span id, 16 hex digits, as a text with `{/json/pointer}`.',
    example: '{/span_id}',
  }),
  ...httpFields,
}));

export const otlpSpec = outputPlugin({
  name: 'otlp',
  summary: 'Sends events as log records to an OpenTelemetry collector (OTLP over HTTP).',
  notes: [
    'Opening sends a request without records, to check address, TLS and credentials. Each batch is one request.',
    'Delivery is at least once: `written` means that the collector has accepted the records, which it may hold in memory. If the reply is lost, the batch is sent again.',
    'Retried: network errors and the statuses 429, 502, 503 and 504, as the protocol says; `Retry-After` is respected for up to 60 seconds. All other statuses are rejected.',
    'When a collector accepts a request but rejects some records (`partial_success`), these count as failed, and its message is logged. The protocol does not tell which ones, so they have no dead letters.',
    'Times are ISO 8601 or Unix times in seconds, milliseconds, microseconds or nanoseconds. Records without a valid time get the time of delivery. The observed time is the time of delivery.',
    'A text that is a single `{/json/pointer}` keeps the type of the value; attributes without one are left out. Whole numbers are integers, objects and lists are nested up to 30 levels; deeper ones are JSON text. Severity names become numbers: trace 1, debug 5, info 9, notice 10, warn 13, error 17, critical 18, alert 19, fatal 21; others have only their text.',
    'With `content: json`, events that are not JSON count as failed.',
  ],
  fields: otlpFields,
  rules: [...httpRules],
  examples: [
    {
      title: 'JSON events with attributes',
      params: {
        url: 'http://localhost:4318',
        resource: { 'service.name': 'web', 'deployment.environment.name': 'lab' },
        body: '{/message}',
        severity: '{/level}',
        attributes: { 'http.response.status_code': '{/status}' },
        time: '{/timestamp}',
        compression: 'gzip',
      },
    },
    {
      title: 'Lines of text as JSON over TLS, with a key',
      params: {
        url: 'https://otlp.example.org/v1/logs',
        encoding: 'json',
        headers: { 'api-key': '${secrets.otlp_key}' },
        severity: 'info',
      },
    },
  ],
});
