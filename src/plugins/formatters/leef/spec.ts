import { defaulted, lazily, required, text } from '../../../schema/index.js';
import { formatterPlugin } from '../../declare.js';
import { eventText } from '../../shared/text/field.js';
import { namesField } from '../shared/namedValues.js';

const headerField = (help: string, example: string) =>
  required(eventText(), { help: `${help}; \`{/event/code}\` stands for a value of the event.`, example });

export const leefFields = lazily(() => ({
  vendor: headerField('Vendor of the device', 'Example Networks'),
  product: headerField('Product', 'VPN'),
  version: headerField('Version of the product', '1.0'),
  event_id: headerField('Type of the event', '{/event/code}'),
  delimiter: defaulted(
    text({
      label: 'one character except `|`, `=`, a letter, a digit or a line end',
      pattern: /^[^|=\p{L}\p{N}\r\n]$/u,
    }),
    '\t',
    { help: 'Character between attributes.', example: '^' },
  ),
  attributes: namesField,
}));

export const leefSpec = formatterPlugin({
  name: 'leef',
  summary: 'Writes each event in the Log Event Extended Format of QRadar (LEEF:2.0).',
  fields: leefFields,
  notes: [
    'Events are JSON objects. LEEF has no escapes: line ends and the delimiter in values, and `|` in the header, become spaces. Characters of a name other than letters, digits, `_`, `.` and `-` become `_`.',
    'Other events are dropped for this output, counted as `format_failed` and logged.',
  ],
  examples: [
    {
      title: 'A VPN gateway',
      params: {
        vendor: 'Example Networks',
        product: 'VPN',
        version: '1.0',
        event_id: '{/event/code}',
        attributes: { devTime: '{/@timestamp}', usrName: '{/user/name}', src: '{/source/ip}' },
      },
    },
  ],
});
