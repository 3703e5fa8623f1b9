import { lazily, required } from '../../../schema/index.js';
import { outputPlugin } from '../../declare.js';
import { encodingField } from '../../shared/fields.js';
import { separatorField, withoutSeparator } from '../shared/fields.js';
import { DATAGRAM_NOTES, hostField, onRefusedField, portNumber } from '../shared/socket/fields.js';

export const udpFields = lazily(() => ({
  host: hostField(),
  port: required(portNumber, { help: 'Port of the destination.', example: 9000 }),
  on_refused: onRefusedField(),
  encoding: encodingField('Encoding of the events.'),
  separator: separatorField(),
}));

export const udpSpec = outputPlugin({
  name: 'udp',
  summary: 'Sends each event as a UDP datagram.',
  takesBytes: withoutSeparator,
  notes: [
    ...DATAGRAM_NOTES,
    'An event that the encoding cannot represent is dropped, logged and counted; the rest are sent. In utf_8, a lone surrogate becomes U+FFFD.',
  ],
  fields: udpFields,
  examples: [
    { title: 'Lines', params: { host: 'localhost', port: 9000 } },
    { title: 'No separator', params: { host: '10.0.0.5', port: 514, separator: '' } },
  ],
});
