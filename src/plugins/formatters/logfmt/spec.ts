import { formatterPlugin } from '../../declare.js';
import { optionalNamesField } from '../shared/namedValues.js';

export const logfmtFields = { fields: optionalNamesField };

export const logfmtSpec = formatterPlugin({
  name: 'logfmt',
  summary: 'Writes each event as `name=value` pairs.',
  fields: logfmtFields,
  notes: [
    'Events are JSON objects. Values with spaces, quotes, `=` or control characters are quoted and escaped as in JSON; so are empty strings. Arrays and objects are written as JSON, `null` as an empty value. Characters that a name cannot hold become `_`.',
    'Other events are dropped for this output, counted as `format_failed` and logged.',
  ],
  examples: [
    { title: 'All fields of each event', params: {} },
    { title: 'Chosen fields', params: { fields: { user: '{/user/name}', source: 'vpn' } } },
  ],
});
