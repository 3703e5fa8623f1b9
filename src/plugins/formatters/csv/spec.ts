import { defaulted, lazily, listOf, oneOf, required, text } from '../../../schema/index.js';
import { formatterPlugin } from '../../declare.js';
import { eventText } from '../../shared/text/field.js';

export const csvFields = lazily(() => ({
  columns: required(listOf(eventText(), { min: 1 }), {
    help: 'Texts of the columns; `{/user/name}` stands for the value at this JSON pointer of the event.',
    example: ['{/@timestamp}', '{/user/name}'],
  }),
  delimiter: defaulted(
    text({ label: 'one character except a quote or a line end', pattern: /^[^"\r\n]$/u }),
    ',',
    { help: 'Character between columns.', example: ';' },
  ),
  quote: defaulted(oneOf(['needed', 'all']), 'needed', {
    help: 'Which columns are quoted: those that need it, or all.',
  }),
  null_text: defaulted(text(), '', {
    help: 'Text of a missing value or null, never quoted.',
    example: '\\N',
  }),
}));

export const csvSpec = formatterPlugin({
  name: 'csv',
  summary: 'Writes chosen fields of each event as one line of CSV (RFC 4180).',
  fields: csvFields,
  notes: [
    'Events are JSON objects. Arrays and objects are written as JSON. A column with the delimiter, a quote or a line end is quoted; quotes inside are doubled.',
    'No header is written: the `header` of an output, or `INSERT ... FORMAT CSV`, says what the columns are.',
    'Other events are dropped for this output, counted as `format_failed` and logged.',
  ],
  examples: [
    { title: 'Two columns', params: { columns: ['{/@timestamp}', '{/user/name}'] } },
    {
      title: 'Semicolons and nulls, for a database',
      params: { columns: ['{/id}', '{/price}'], delimiter: ';', null_text: '\\N' },
    },
  ],
});
