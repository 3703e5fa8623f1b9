import { defaulted, integer, lazily, optional, refined, required, text, url } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { eventText, eventValueMap } from '../../shared/text/field.js';
import { httpFields, httpRules } from '../shared/http/fields.js';

const LABEL = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

const labelMap = refined(eventValueMap(), (labels) => {
  const names = Object.keys(labels);
  if (names.length === 0) return { type: 'too_short', message: 'must have at least one label' };
  const wrong = names.find((name) => !LABEL.test(name));
  return wrong === undefined
    ? null
    : {
        type: 'bad_format',
        message: `must not have ${JSON.stringify(wrong)} as the name of a label`,
        hint: 'Use letters, digits and underscores; two underscores in front are reserved.',
      };
});

export const lokiFields = lazily(() => ({
  url: required(url(), {
    help: 'Address of Loki. Without a path, `/loki/api/v1/push` is added.',
    example: 'http://localhost:3100',
  }),
  labels: defaulted(
    labelMap,
    { job: 'spate' },
    {
      help: 'Labels by name. `{/json/pointer}` and `{generator}` are replaced in values.',
      example: { job: '{generator}', level: '{/level}' },
    },
  ),
  max_streams: defaulted(integer({ min: 1, max: 1_000_000 }), 1_000, {
    help: 'Most streams (combinations of label values). Events of further ones are `unroutable`.',
  }),
  structured_metadata: defaulted(
    eventValueMap(),
    {},
    {
      help: 'Structured metadata of entries by name. `{/json/pointer}` and `{generator}` are replaced in values.',
      example: { trace_id: '{/trace_id}' },
    },
  ),
  time: optional(eventText({ isOfEvent: true }), {
    help: 'Time of an event, as a text with `{/json/pointer}`. Default: time of delivery.',
    example: '{/timestamp}',
  }),
  tenant_id: optional(text({ minLength: 1, pattern: /^[\x21-\x7e]+$/, label: 'tenant' }), {
    help: 'Tenant, for the header `X-Scope-OrgID`.',
  }),
  ...httpFields,
}));

export const lokiSpec = outputPlugin({
  name: 'loki',
  summary: 'Pushes events to Grafana Loki.',
  notes: [
    'Opening sends a request without streams, to check address, TLS and credentials. Each batch is one request of JSON, with an entry per event, grouped by labels.',
    'Delivery is at least once: `written` means that Loki has acknowledged the entries. A batch that is sent again keeps its timestamps, so Loki drops the entries that it already has.',
    'Timestamps of delivery are unique and ascend by at least one nanosecond, so the order of events is kept. Times of events are ISO 8601 or Unix times in seconds, milliseconds, microseconds or nanoseconds; events without a valid time get the time of delivery. Entries of a stream are sorted by time within a batch. If Loki accepts only ordered writes, set `keep_order: true` in the generator.',
    'Loki rejects single entries, such as those that are too old or out of order, with status 400, and takes the rest. Spate finds them by sending halves of the batch again, in up to 64 requests per batch; if these are not enough, it rejects halves as a whole.',
    'Each combination of label values is a stream, which costs Loki memory: keep values few, and use `structured_metadata` for the rest. Labels and metadata that lack a value are left out; events without any label are `unroutable`, as are those with a label over 2,048 bytes.',
    'Retried: network errors and the statuses 408, 425, 429 and 5xx; `Retry-After` is respected for up to 60 seconds. Others are rejected.',
  ],
  fields: lokiFields,
  rules: [...httpRules],
  examples: [
    {
      title: 'JSON events with labels of their own',
      params: {
        url: 'http://localhost:3100',
        labels: { job: 'web', level: '{/level}' },
        structured_metadata: { trace_id: '{/trace_id}' },
        time: '{/timestamp}',
      },
    },
    {
      title: 'A tenant behind a gateway with TLS',
      params: {
        url: 'https://logs.example.org',
        tenant_id: 'lab',
        username: 'writer',
        password: '${secrets.loki_password}',
        compression: 'gzip',
      },
    },
  ],
});
