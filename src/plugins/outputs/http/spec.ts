import * as E from 'fp-ts/lib/Either.js';
import type { Json } from '../../../domain/json.js';
import {
  anyJson,
  custom,
  defaulted,
  integer,
  lazily,
  oneOf,
  refined,
  required,
  text,
  url,
} from '../../../schema/index.js';
import type { Shape } from '../../../schema/shape.js';
import { outputPlugin } from '../../declare.js';
import { placeholderDefect } from '../../shared/text/field.js';
import { headerMap, httpFields, httpRules } from '../shared/http/fields.js';

/** Status codes and classes such as `2xx`. */
type StatusSet = readonly (number | string)[];

const MAX_ENTRIES = 100;
const CLASS = /^[1-5]xx$/;

const entryOf = (value: Json): number | string | null => {
  if (typeof value === 'string' && CLASS.test(value.toLowerCase())) return value.toLowerCase();
  const code = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof code === 'number' && Number.isInteger(code) && code >= 100 && code <= 599 ? code : null;
};

const one = {
  anyOf: [
    { type: 'integer', minimum: 100, maximum: 599 },
    { type: 'string', pattern: '^[1-5]xx$', maxLength: 3 },
  ],
};

/** A status code from 100 to 599, a class such as `2xx`, or a list of both. */
const statusSet = (): Shape<StatusSet> =>
  custom<Json, StatusSet>({
    base: anyJson(),
    label: 'status code, class such as 2xx, or list of both',
    schema: { anyOf: [...one.anyOf, { type: 'array', items: one, maxItems: MAX_ENTRIES }] },
    is: (value): value is StatusSet =>
      Array.isArray(value) && value.every((entry) => entryOf(entry) === entry),
    decode: (value) => {
      const given: readonly Json[] = Array.isArray(value) ? value : [value];
      const entries = given.map(entryOf).filter((entry) => entry !== null);
      return entries.length === given.length && given.length <= MAX_ENTRIES
        ? E.right(entries)
        : E.left({
            type: 'bad_format',
            message: 'must be a status code from 100 to 599, a class such as 2xx, or a list of both',
          });
    },
    encode: (entries) => (entries.length === 1 ? (entries[0] as Json) : entries),
  });

export const isIn = (set: StatusSet, status: number): boolean =>
  set.includes(status) || set.includes(`${Math.floor(status / 100)}xx`);

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const PLACEHOLDERS = ['generator', 'date'] as const;

const hasCredentials = (address: string): boolean =>
  URL.canParse(address) && /[^/@]*@/.test(address.replace(/^\w+:\/\//, '').replace(/[/?#].*/s, ''));

const address = refined(url(), (written) =>
  hasCredentials(written)
    ? {
        type: 'not_allowed',
        message: 'must not contain credentials',
        hint: 'Set `username` and `password`.',
      }
    : placeholderDefect(written, PLACEHOLDERS),
);

export const outputHttpFields = lazily(() => ({
  url: required(address, {
    help: 'Address of each request. `{generator}`, `{date}` and dates such as `{yyyy.MM.dd}` are replaced.',
    example: 'https://collector.example.org/in/{date}',
  }),
  method: defaulted(oneOf(METHODS), 'POST', { help: 'Method of each request.' }),
  success_code: defaulted(statusSet(), ['2xx'], {
    help: 'Statuses of a delivered request.',
    example: [200, 201],
  }),
  retry_status: defaulted(statusSet(), [408, 425, 429, '5xx'], {
    help: 'Statuses of a request to send again; other failures are rejected at once.',
    extension: true,
  }),
  batching: defaulted(oneOf(['item', 'joined']), 'item', {
    help: 'One request for each formatted item, or for as many as `max_batch_bytes` allows.',
    extension: true,
  }),
  separator: defaulted(text(), '\n', { help: 'Text after each item of a joined request.', extension: true }),
  max_batch_bytes: defaulted(integer({ min: 1 }), 1_000_000, {
    help: 'Largest body of a joined request, before compression; a longer item has a request of its own.',
    unit: 'bytes',
    extension: true,
  }),
  concurrency: defaulted(integer({ min: 1, max: 1_000 }), 10, {
    help: 'Most requests at once, and connections; 1 keeps the order.',
    extension: true,
  }),
  ...httpFields,
  headers: defaulted(
    headerMap(PLACEHOLDERS),
    {},
    {
      help: 'Additional headers. `{generator}`, `{date}` and dates such as `{yyyy.MM.dd}` are replaced.',
      example: { 'X-Source': '{generator}' },
    },
  ),
}));

export const httpSpec = outputPlugin({
  name: 'http',
  summary: 'Sends events in HTTP requests.',
  formatter: 'json-batch',
  takesBytes: {
    fields: ['batching'],
    whyNot: ({ batching }) =>
      batching === 'item' ? null : 'a separator would follow them: set `batching: item`',
  },
  notes: [
    'The default formatter, `json-batch`, makes one JSON array and one request of each batch. Other formatters make an item of each event: `batching: item` sends a request for each, `batching: joined` sends many in one body, each followed by `separator`.',
    'Opening connects to the server, with TLS, and sends nothing. The connection must succeed.',
    'An item is delivered when its request has a status of `success_code`. Network errors, timeouts and statuses of `retry_status` are retried, other statuses are `rejected`. Of a batch with several requests, only the failed ones are sent again.',
    'Delivery is at least once: a request whose reply is lost is sent again.',
    'A `Retry-After` of up to 60 s holds back all requests of the output. Redirects are not followed.',
    'In `url` and in the values of `headers`, `{generator}` is the folder of the generator, `{date}` the day, and `{yyyy.MM.dd}` or any other combination of `yyyy MM dd HH mm ss` the wall clock when the request starts, in the time zone of the generator. Values in the URL are percent-encoded. A brace is written `{{` or `}}`.',
    'No `Content-Type` is sent unless `headers` has one.',
    "The generator's `write_timeout` ends longer attempts, regardless of `request_timeout`: raise both.",
    'Certificates and keys are PEM files, relative to the folder of the generator. `proxy_url` receives absolute addresses for http and CONNECT for https.',
  ],
  fields: outputHttpFields,
  rules: [...httpRules],
  examples: [
    { title: 'A JSON array for each batch', params: { url: 'http://localhost:8080/events' } },
    {
      title: 'Compressed JSON lines, with a token from the keyring',
      params: {
        url: 'https://collector.example.org/in/{generator}',
        headers: { 'Content-Type': 'application/x-ndjson' },
        bearer_token: '${secrets.collector_token}',
        formatter: { format: 'json' },
        batching: 'joined',
        compression: 'gzip',
      },
    },
  ],
});
