import {
  assumed,
  boolean,
  defaulted,
  integer,
  lazily,
  mapOf,
  oneOf,
  optional,
  text,
} from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { outputPlugin } from '../../declare.js';
import { FACILITIES, SEVERITIES, structuredDataRule } from '../../shared/syslogFields.js';
import { certificateWithKey, tlsFields } from '../shared/fields.js';
import {
  DATAGRAM_NOTES,
  hostField,
  onRefusedField,
  portNumber,
  STREAM_NOTES,
  streamFields,
} from '../shared/socket/fields.js';

const TLS_FIELDS = ['ca_cert', 'client_cert', 'server_host_name'] as const;

/** Certificates make no sense without TLS. */
const tlsOnly = {
  fields: ['transport', ...TLS_FIELDS] as const,
  check: (
    value: Readonly<Record<(typeof TLS_FIELDS)[number] | 'transport', string | null>>,
  ): RuleBreach | null => {
    const given = TLS_FIELDS.find((name) => value[name] !== null);
    return value.transport === 'tls' || given === undefined
      ? null
      : {
          at: given,
          type: 'not_allowed',
          message: 'needs `transport: tls`',
          hint: 'Set it, or remove this.',
        };
  },
};

/** TAG of RFC 3164; receivers end it at the first other character. */
const TAG = /^[\w./-]{1,32}$/;

const tagRule = {
  fields: ['format', 'app_name'] as const,
  check: ({
    format,
    app_name,
  }: {
    readonly format: string;
    readonly app_name: string | null;
  }): RuleBreach | null =>
    format !== 'rfc3164' || app_name === null || TAG.test(app_name)
      ? null
      : {
          at: 'app_name',
          type: 'bad_format',
          message: 'must be up to 32 letters, digits and `_`, `.`, `/`, `-` in `format: rfc3164`',
        },
};

/** Printable ASCII without spaces, as the fields of an RFC 5424 header. */
const word = (maxLength: number) =>
  text({ minLength: 1, maxLength, pattern: /^[!-~]*$/, label: 'printable ASCII without spaces' });

export const syslogOutputFields = lazily(() => ({
  host: hostField(),
  port: optional(portNumber, { help: 'Port of the server. Default: 514, with `transport: tls` 6514.' }),
  transport: defaulted(oneOf(['tcp', 'tls', 'udp']), 'tcp', { help: 'How messages travel.' }),
  format: defaulted(oneOf(['rfc5424', 'rfc3164', 'raw']), 'rfc5424', {
    help: 'Header before each event. `raw`: none, events are whole syslog messages.',
  }),
  framing: defaulted(oneOf(['octet_counting', 'newline']), 'octet_counting', {
    help: 'How messages are told apart on a connection (RFC 6587): by their length, or by a line end.',
  }),
  facility: defaulted(oneOf(FACILITIES), 'user', { help: 'Facility of every message.' }),
  severity: defaulted(oneOf(SEVERITIES), 'info', { help: 'Severity of every message.' }),
  hostname: optional(word(255), { help: 'Host of every message. Default: the name of this host.' }),
  app_name: assumed(word(48), 'spate', { help: 'Application of every message; the tag in `rfc3164`.' }),
  procid: optional(word(128), { help: 'Process of every message.' }),
  msgid: optional(word(32), { help: 'Message type, `rfc5424` only.' }),
  structured_data: optional(mapOf(mapOf(text())), {
    help: 'Structured data by its ID, `rfc5424` only.',
    example: { 'origin@32473': { site: 'lab' } },
  }),
  bom: defaulted(boolean(), true, {
    help: 'Byte order mark before an event that is not ASCII, as RFC 5424 requires of UTF-8; `rfc5424` only.',
  }),
  max_message_bytes: optional(integer({ min: 480 }), {
    help: 'Longer messages are `unroutable`. Default: no limit but that of a datagram.',
    unit: 'bytes',
  }),
  on_refused: onRefusedField(),
  ...tlsFields,
  ...streamFields,
}));

export const syslogOutputSpec = outputPlugin({
  name: 'syslog',
  summary: 'Sends events as syslog messages over TCP, TLS or UDP.',
  notes: [
    'Every message has the same header but for its time. For severities, hosts and times of events, use the formatter `syslog` with `format: raw`.',
    'Messages carry the wall clock of their delivery in the time zone of the generator. Events keep their own timestamps in their text.',
    'A listener that knows no framing, such as `nc`, shows octet-counted messages in one row, each after its length: use `framing: newline` to look at them. With `framing: newline`, a line end within an event is sent as `#012`. With `octet_counting` and over UDP, events may contain any character.',
    'rsyslog accepts 8 KiB by default and cuts longer messages; set its `maxMessageSize`, or `max_message_bytes` here.',
    ...STREAM_NOTES,
    ...DATAGRAM_NOTES,
  ],
  fields: syslogOutputFields,
  rules: [certificateWithKey, tlsOnly, structuredDataRule('format'), tagRule],
  examples: [
    { title: 'RFC 5424 over TCP', params: { host: 'localhost' } },
    {
      title: 'RFC 5424 over TLS',
      params: {
        host: 'logs.example.org',
        transport: 'tls',
        ca_cert: 'ca.pem',
        facility: 'local0',
        app_name: 'shop',
      },
    },
    {
      title: 'RFC 3164 over UDP',
      params: {
        host: '10.0.0.5',
        transport: 'udp',
        format: 'rfc3164',
        facility: 'auth',
        app_name: 'sshd',
        procid: '812',
      },
    },
  ],
});
