import { defaulted, lazily, listOf, oneOf, optional, required, text } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { eventText } from '../../shared/text/field.js';
import { LIMITS, limitBreach } from '../../shared/text/limits.js';
import { headerMap, httpFields, httpRules } from '../shared/http/fields.js';

const indexName = eventText({
  allowed: ['pointer', 'generator', 'date'],
  minLength: 1,
  maxLength: LIMITS['opensearch.index'].max_bytes,
  check: (sample) =>
    limitBreach(LIMITS['opensearch.index'], sample) === null
      ? null
      : {
          type: 'bad_format',
          message: 'must be the name of an index',
          hint: 'Lower case, without spaces and \\ / * ? " < > | , # :, and not starting with - _ +.',
        },
});

const hostUrl = text({
  label: 'URL (http, https)',
  minLength: 1,
  format: 'uri',
  check: (host) => {
    const read = URL.canParse(host) ? new URL(host) : null;
    if (read === null || !/^https?:$/.test(read.protocol)) {
      return { type: 'bad_format', message: 'must be a URL (http, https)' };
    }
    return read.username !== '' || read.password !== '' || read.search !== '' || read.hash !== ''
      ? {
          type: 'not_allowed',
          message: 'must not contain credentials, a query or a fragment',
          hint: 'Set `username` and `password`.',
        }
      : null;
  },
});

export const opensearchFields = lazily(() => {
  const { username, password, headers: _headers, ...otherHttpFields } = httpFields;
  return {
    hosts: required(listOf(hostUrl, { min: 1, max: 100 }), {
      help: 'Addresses of the nodes, used in turn; a path is kept.',
      example: ['https://node1:9200', 'https://node2:9200'],
    }),
    index: required(indexName, {
      help:
        'Index, alias or data stream. `{/json/pointer}`, `{generator}`, `{date}` and dates such as `{yyyy.MM.dd}` are ' +
        'replaced.',
      example: 'logs-{yyyy.MM.dd}',
    }),
    op_type: defaulted(oneOf(['index', 'create']), 'index', {
      help: '`create` for data streams.',
      extension: true,
    }),
    document_id: optional(eventText({ allowed: ['pointer', 'generator'], isOfEvent: true }), {
      help: 'ID of each document. `{/json/pointer}` and `{generator}` are replaced. Default: the server makes one.',
      example: '{/event/id}',
      extension: true,
    }),
    pipeline: optional(text({ minLength: 1 }), { help: 'Ingest pipeline for the events.', extension: true }),
    username,
    password,
    api_key: optional(text({ minLength: 1, pattern: /^[\x21-\x7e]+$/, label: 'printable ASCII text' }), {
      help: 'Encoded key for `Authorization: ApiKey`, instead of a user.',
      secret: true,
      extension: true,
    }),
    headers: defaulted(
      headerMap(),
      {},
      {
        help: 'Additional headers.',
        example: { 'X-Source': 'spate' },
        extension: true,
      },
    ),
    ...otherHttpFields,
  };
});

export const opensearchSpec = outputPlugin({
  name: 'opensearch',
  aliases: ['elasticsearch'],
  summary: 'Indexes events in OpenSearch or Elasticsearch with the bulk API.',
  formatter: 'json',
  notes: [
    'Each batch is one request to `_bulk`. Each event must be a JSON object in one line, as the default formatter `json` makes it; an event with a line break is `unroutable`, the others are sent.',
    'Opening reads the address of each host in turn until one replies; it checks the credentials.',
    'Each event has a result of its own. Events with status 429 or 5xx are sent again alone; others, such as mapping errors, are `rejected` with `type: reason`.',
    'Hosts are used in turn. A host without a reply, or with status 502, 503 or 504, is skipped and the batch goes to the next. When all fail, the generator retries.',
    'A `Retry-After` of up to 60 s holds back all requests of the output.',
    'Dates in `index` are the wall clock when the request starts, in the time zone of the generator. Events without a value that `index` names, or with an empty or nested one, are `unroutable`; so are events whose index is no name of one or whose `document_id` is over 512 bytes, for which the server refuses the whole batch. A missing index is created if the server allows it.',
    'Delivery is at least once: a batch whose reply is lost is sent again, and its events are indexed twice, unless they have a `document_id`: then the second copy replaces the first, or is rejected with `op_type: create`. Events without the value of `document_id` get an ID of the server.',
    "The generator's `write_timeout` ends longer attempts, regardless of `request_timeout`: raise both.",
    'Certificates and keys are PEM files, relative to the folder of the generator. `proxy_url` receives absolute addresses for http and CONNECT for https.',
  ],
  fields: opensearchFields,
  rules: [
    ...httpRules,
    {
      fields: ['api_key', 'username', 'bearer_token'],
      check: ({ api_key, username: user, bearer_token }) =>
        api_key !== null && (user !== null || bearer_token !== null)
          ? {
              at: 'api_key',
              type: 'not_allowed',
              message: 'excludes `username` and `bearer_token`',
              hint: 'Keep one of them.',
            }
          : null,
    },
  ],
  examples: [
    {
      title: 'An index for each day',
      params: {
        hosts: ['https://localhost:9200'],
        username: 'admin',
        password: '${secrets.opensearch_password}',
        index: 'logs-{yyyy.MM.dd}',
      },
    },
    {
      title: 'A data stream of Elasticsearch, with an API key',
      params: {
        hosts: ['https://node1:9200', 'https://node2:9200'],
        api_key: '${secrets.api_key}',
        index: 'logs-web-default',
        op_type: 'create',
        compression: 'gzip',
      },
    },
  ],
});
