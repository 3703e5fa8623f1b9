import { anyJson, defaulted, integer, lazily, oneOf, optional, path } from '../../../schema/index.js';
import { formatterPlugin } from '../../declare.js';

const ENCODINGS = ['single_object', 'confluent', 'raw', 'container'] as const;

export const avroFields = lazily(() => ({
  schema: optional(anyJson(), {
    help: 'Avro schema; either this or `schema_file`.',
    example: { type: 'record', name: 'Visit', fields: [{ name: 'user', type: 'string' }] },
  }),
  schema_file: optional(path(), {
    help: 'File with the schema in JSON, relative to the folder of the generator; either this or `schema`.',
    example: 'visit.avsc',
    reads: 'file',
  }),
  encoding: defaulted(oneOf(ENCODINGS), 'single_object', {
    help: 'What stands around an event: its schema fingerprint, the ID of a schema registry, nothing, or a file with the schema for all events of a write.',
  }),
  schema_id: optional(integer({ min: 0, max: 0x7fff_ffff }), {
    help: 'ID of the schema in the registry; `confluent` only.',
    example: 42,
  }),
  codec: defaulted(oneOf(['null', 'deflate']), 'null', {
    help: 'Compression; `container` only.',
  }),
}));

const VISIT = {
  type: 'record',
  name: 'Visit',
  namespace: 'org.example',
  fields: [
    { name: 'user', type: 'string' },
    { name: 'time', type: { type: 'long', logicalType: 'timestamp-millis' } },
    { name: 'referrer', type: ['null', 'string'], default: null },
  ],
};

export const avroSpec = formatterPlugin({
  name: 'avro',
  summary: 'Encodes each event in Apache Avro with a schema.',
  fields: avroFields,
  bytes: ({ encoding }) => (encoding === 'container' ? 'whole' : 'items'),
  rules: [
    {
      fields: ['schema', 'schema_file'],
      check: ({ schema, schema_file }) => {
        if (schema === null && schema_file === null) {
          return {
            at: 'schema',
            type: 'missing',
            message: 'is required without `schema_file`',
            hint: 'Write the schema here, or set `schema_file` to its file.',
          };
        }
        return schema === null || schema_file === null
          ? null
          : {
              at: 'schema_file',
              type: 'not_allowed',
              message: 'must not be set together with `schema`',
              hint: 'Keep one of them.',
            };
      },
    },
    {
      fields: ['encoding', 'schema_id', 'codec'],
      check: ({ encoding, schema_id, codec }) => {
        if (encoding === 'confluent' && schema_id === null) {
          return { at: 'schema_id', type: 'missing', message: 'is required with `encoding: confluent`' };
        }
        if (encoding !== 'confluent' && schema_id !== null) {
          return { at: 'schema_id', type: 'not_allowed', message: 'needs `encoding: confluent`' };
        }
        return encoding !== 'container' && codec !== 'null'
          ? { at: 'codec', type: 'not_allowed', message: 'needs `encoding: container`' }
          : null;
      },
    },
  ],
  notes: [
    'The items are bytes. Outputs that send items unchanged take them: `kafka`, `nats`, `mqtt`, `redis`, `http`, `udp` with `separator: ""`, `tcp` with `framing: octet_counting`, `file` with `encoding: container` and `separator: ""`, `clickhouse` with `input_format: Avro` and `encoding: container`. Other outputs write text and refuse them. Keys, topics and subjects with JSON pointers read the event itself, except with `container`. Dead letters keep events as JSON, so a redelivery sends the same bytes. Previews show Base64.',
    '`single_object` puts `C3 01` and the CRC-64-AVRO fingerprint of the schema before each event; `confluent` a zero and `schema_id` (4 bytes), as serializers of Confluent do. `container` makes one Object Container File of all events of a write. The output `file` joins them into one; it sets a file of another schema, or with an interrupted write, aside as a rotation does.',
    'An event is a JSON value of the schema. Members that a record does not have are left out. A missing member takes its default. A union takes the first branch of the JSON type of the value; `{"branch": value}` names one.',
    'Texts stand for numbers where JSON has none: digits for a `long` beyond 9007199254740991, `"NaN"` and `"Infinity"` for `float` and `double`. `bytes` and `fixed` are texts with a character up to U+00FF for each byte.',
    'Logical types: `date`, `time-millis`, `time-micros`, `timestamp-millis`, `timestamp-micros` and their `local-` forms from ISO 8601 (in the time zone of the generator if it has no offset) or from a number; `decimal` from a number or a text, never rounded; `uuid`. Others count as their plain type.',
    'An event that does not fit is dropped for this output, counted as `format_failed` and logged with the place of the value. A schema that is not valid fails the start of the generator.',
  ],
  examples: [
    { title: 'A schema in the config', params: { schema: VISIT } },
    {
      title: 'Messages for consumers with a schema registry',
      params: { schema_file: 'visit.avsc', encoding: 'confluent', schema_id: 42 },
    },
    {
      title: 'A compressed file for each write',
      params: { schema_file: 'visit.avsc', encoding: 'container', codec: 'deflate' },
    },
  ],
});
