import { formatterPlugin } from '../../declare.js';
import { indentField } from '../shared/indentField.js';

export const jsonFields = { indent: indentField };

export const jsonSpec = formatterPlugin({
  name: 'json',
  summary: 'Each event checked to be one JSON value and laid out anew.',
  fields: jsonFields,
  notes: [
    'Only white space outside strings changes: the order of keys, repeated keys, the spelling of numbers (`1.0`, `1e400`, long integers) and escapes stay as they are. Empty arrays and objects stay `[]` and `{}`.',
    'An event must be exactly one JSON value (RFC 8259), with white space around it or not. One that is not is left out for this output, counted as `format_failed` and logged with its place and reason; the others go on.',
    'Events nested deeper than 10,000 levels, and events that would grow beyond 268,435,456 characters, are left out likewise.',
    'An event that is laid out so already costs only the check.',
  ],
  examples: [
    { title: 'One line for each event', params: {} },
    { title: 'Indented for people', params: { indent: 2 } },
  ],
});
