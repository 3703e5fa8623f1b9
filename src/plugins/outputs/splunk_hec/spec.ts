import {
  boolean,
  defaulted,
  integer,
  lazily,
  number,
  oneOf,
  optional,
  required,
  text,
  url,
} from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { type ConfigValue, eventText, eventValueMap, eventValueShape } from '../../shared/text/field.js';
import { isOfEvent } from '../../shared/text/placeholders.js';
import { certificateWithKey } from '../shared/fields.js';
import { httpFields } from '../shared/http/fields.js';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const metadata = (what: string) =>
  optional(eventValueShape(), {
    help: `${what}. \`{/json/pointer}\` and \`{generator}\` are replaced. Default: that of the token.`,
  });

const differs = (value: ConfigValue | null): boolean => typeof value === 'string' && isOfEvent(value);

const EVENT_ONLY = ['fields', 'time'] as const;
const NAMES = ['host', 'source', 'sourcetype', 'index'] as const;

export const hecFields = lazily(() => {
  const { username: _user, password: _password, bearer_token: _bearer, ...transportFields } = httpFields;
  return {
    url: required(url(), {
      help: 'Address of the collector. The path `/services/collector` is added.',
      example: 'https://splunk.example.org:8088',
    }),
    token: required(text({ minLength: 1, pattern: /^[\x21-\x7e]+$/, label: 'token' }), {
      help: 'HEC token.',
      secret: true,
    }),
    endpoint: defaulted(oneOf(['event', 'raw']), 'event', {
      help: '`event`: each event in an envelope of JSON; `raw`: events as lines, split by the rules of the source type.',
    }),
    content: defaulted(oneOf(['auto', 'json', 'text']), 'auto', {
      help: '`json`: events are JSON; `text`: they are text; `auto`: objects are JSON, the rest is text.',
    }),
    index: metadata('Index'),
    source: metadata('Source'),
    sourcetype: metadata('Source type'),
    host: metadata('Host'),
    fields: defaulted(
      eventValueMap(),
      {},
      {
        help: 'Indexed fields by name. `{/json/pointer}` and `{generator}` are replaced in values.',
        example: { env: 'lab', status: '{/http/status}' },
      },
    ),
    time: optional(eventText({ isOfEvent: true }), {
      help: 'Time of an event, as a text with `{/json/pointer}`. Default: time of delivery.',
      example: '{/timestamp}',
    }),
    acknowledge: defaulted(boolean(), false, {
      help: 'Wait until the indexers have confirmed each batch.',
    }),
    ack_interval: defaulted(number({ min: 0.01, max: 60 }), 0.5, {
      help: 'Pause between questions for confirmation.',
      unit: 'seconds',
    }),
    ack_timeout: defaulted(integer({ min: 1 }), 60, {
      help: 'Unconfirmed batches are sent again after this time.',
      unit: 'seconds',
    }),
    channel: optional(text({ label: 'GUID', pattern: GUID }), {
      help: 'Fixed channel, for one request at a time. Default: as many as needed.',
    }),
    ...transportFields,
  };
});

export const hecSpec = outputPlugin({
  name: 'splunk_hec',
  summary: 'Sends events to the HTTP Event Collector (HEC) of Splunk.',
  notes: [
    'Opening sends an empty request, to check address, TLS and token. Each batch is one request.',
    'Without `acknowledge`, `written` means that Splunk has received the events: it can still lose them when it crashes. With `acknowledge: true` it means indexed, at least once. The token needs indexer acknowledgement, and `write_timeout` of the generator must be longer than indexing takes, often 30 seconds and more. Behind a load balancer, questions must reach the indexer that has the batch: use sticky sessions.',
    'When Splunk rejects one event of a batch, the events before it are written, the event alone is rejected, and the rest is sent again. With `acknowledge`, the events before it are sent again, too, because nothing confirms them.',
    'Retried: network errors, HEC codes 8, 9, 18 to 20 and 23 to 27, and HTTP statuses 408, 425, 429 and 5xx of proxies; `Retry-After` is respected for up to 60 seconds. Rejected: codes of tokens, data, index and channel.',
    'Times are ISO 8601 or Unix times in seconds, milliseconds, microseconds or nanoseconds. Events without a valid time get the time of delivery. A batch is sent again with the new time of delivery.',
    'Fields, and `host`, `source`, `sourcetype` and `index`, are left out of events that lack a value. A field that is a single `{/json/pointer}` keeps the type of the value. Events whose `index` is no name of one are `unroutable`.',
    'Empty events, and events that are not JSON with `content: json`, count as failed.',
  ],
  fields: hecFields,
  rules: [
    certificateWithKey,
    {
      fields: ['endpoint', ...EVENT_ONLY, ...NAMES],
      check: (params) => {
        if (params.endpoint === 'event') return null;
        const breach = (at: string, message: string) => ({ at, type: 'not_allowed', message });
        if (params.time !== null) return breach('time', 'needs `endpoint: event`');
        if (Object.keys(params.fields).length > 0) return breach('fields', 'needs `endpoint: event`');
        const pointed = NAMES.find((name) => differs(params[name]));
        return pointed === undefined ? null : breach(pointed, 'must be a constant with `endpoint: raw`');
      },
    },
  ],
  examples: [
    {
      title: 'JSON events, confirmed by the indexers',
      params: {
        url: 'https://splunk.example.org:8088',
        token: '${secrets.hec_token}',
        acknowledge: true,
        index: 'lab',
        sourcetype: '_json',
        host: '{/host/name}',
        fields: { env: 'lab' },
        time: '{/timestamp}',
      },
    },
    {
      title: 'Lines of text',
      params: {
        url: 'https://splunk.example.org:8088',
        token: '${secrets.hec_token}',
        endpoint: 'raw',
        sourcetype: 'access_combined',
        compression: 'gzip',
      },
    },
  ],
});
