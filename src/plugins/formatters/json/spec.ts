import { defaulted, integer } from '../../../schema/index.js';
import { formatterPlugin } from '../../declare.js';

export const indentField = defaulted(integer({ min: 0 }), 0, {
  help: 'Spaces per level; 0 writes one line with `, ` and `: ` as separators.',
  example: 2,
});

export const jsonFields = { indent: indentField };

export const jsonSpec = formatterPlugin({
  name: 'json',
  summary: 'Validates each event as one JSON value and formats it.',
  fields: jsonFields,
  notes: [
    'Only white space outside strings changes. Key order, repeated keys, number spelling (`1.0`, `1e400`, long integers) and escapes stay. Empty arrays and objects stay `[]` and `{}`.',
    'An event must be exactly one JSON value (RFC 8259), optionally surrounded by white space. Other events are dropped for this output, counted as `format_failed` and logged with position and reason; the rest continue.',
    'Events nested deeper than 10,000 levels or longer than 268,435,456 characters after formatting are dropped too.',
    'An event that already has this format is only validated.',
  ],
  examples: [
    { title: 'One line for each event', params: {} },
    { title: 'Indented', params: { indent: 2 } },
  ],
});
