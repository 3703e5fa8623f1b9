import { defaulted, lazily, required } from '../../../schema/index.js';
import { formatterPlugin } from '../../declare.js';
import { eventText } from '../../shared/text/field.js';
import { namesField } from '../shared/namedValues.js';

const headerField = (help: string, example: string) =>
  required(eventText(), { help: `${help}; \`{/event/code}\` stands for a value of the event.`, example });

export const cefFields = lazily(() => ({
  vendor: headerField('Vendor of the device', 'Example Networks'),
  product: headerField('Product', 'Firewall'),
  version: headerField('Version of the product', '1.0'),
  signature_id: headerField('Type of the event', '{/event/code}'),
  name: headerField('Description of the event', '{/event/action}'),
  severity: defaulted(eventText(), '5', {
    help: 'Severity, 0 to 10; `{/event/severity}` stands for a value of the event.',
  }),
  extension: namesField,
}));

export const cefSpec = formatterPlugin({
  name: 'cef',
  summary: 'Writes each event in the Common Event Format of ArcSight (CEF:0).',
  fields: cefFields,
  notes: [
    'Events are JSON objects. In the header `|` and `\\` are escaped and line ends become spaces; in the extension `=` and `\\` are escaped and line ends become `\\n` and `\\r`. Characters of a name other than letters, digits, `_` and `.` become `_`.',
    'Other events are dropped for this output, counted as `format_failed` and logged.',
  ],
  examples: [
    {
      title: 'A firewall',
      params: {
        vendor: 'Example Networks',
        product: 'Firewall',
        version: '1.0',
        signature_id: '{/event/code}',
        name: '{/event/action}',
        severity: '3',
        extension: { src: '{/source/ip}', dst: '{/destination/ip}', cs1Label: 'Rule', cs1: '{/rule/name}' },
      },
    },
  ],
});
