import { boolean, defaulted, lazily, oneOf, required } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { encodingField } from '../../shared/fields.js';
import { certificateWithKey, separatorField, tlsFields, utf8Only } from '../shared/fields.js';
import { hostField, portNumber, STREAM_NOTES, streamFields } from '../shared/socket/fields.js';

export const tcpFields = lazily(() => ({
  host: hostField(),
  port: required(portNumber, { help: 'Port of the destination.', example: 9000 }),
  framing: defaulted(oneOf(['separator', 'octet_counting']), 'separator', {
    help: '`separator` after each event, or the length of each event before it (RFC 6587).',
    extension: true,
  }),
  encoding: encodingField('Encoding of the events.'),
  separator: separatorField(),
  ssl: defaulted(boolean(), false, { help: 'Whether to use TLS.' }),
  ...tlsFields,
  ...streamFields,
}));

export const tcpSpec = outputPlugin({
  name: 'tcp',
  summary: 'Writes events to a TCP connection, with or without TLS.',
  takesBytes: {
    fields: ['framing', 'encoding'],
    whyNot: (value) =>
      utf8Only(value) ??
      (value['framing'] === 'octet_counting'
        ? null
        : 'they have no separator: set `framing: octet_counting`'),
  },
  notes: [
    ...STREAM_NOTES,
    'An event that the encoding cannot represent is dropped, logged and counted; the rest are written. In utf_8, a lone surrogate becomes U+FFFD.',
    'With `framing: octet_counting`, events may contain any character, and `separator` is not sent. An empty event has no such frame: it counts as failed.',
  ],
  fields: tcpFields,
  rules: [
    certificateWithKey,
    {
      fields: ['ssl', 'ca_cert', 'client_cert', 'server_host_name'] as const,
      check: ({ ssl, ca_cert, client_cert, server_host_name }) => {
        const given = Object.entries({ ca_cert, client_cert, server_host_name }).find(
          ([, one]) => one !== null,
        );
        return ssl || given === undefined
          ? null
          : {
              at: given[0],
              type: 'not_allowed',
              message: 'needs `ssl: true`',
              hint: 'Set it, or remove this.',
            };
      },
    },
  ],
  examples: [
    { title: 'Lines', params: { host: 'localhost', port: 9000 } },
    {
      title: 'TLS with a private authority',
      params: {
        host: 'logs.example.org',
        port: 6514,
        ssl: true,
        ca_cert: 'ca.pem',
        framing: 'octet_counting',
      },
    },
  ],
});
