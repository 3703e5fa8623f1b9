import { formatterPlugin } from '../../declare.js';
import { indentField } from '../shared/indentField.js';

export const jsonBatchFields = { indent: indentField };

export const jsonBatchSpec = formatterPlugin({
  name: 'json-batch',
  summary: 'One JSON array of all events of a batch.',
  fields: jsonBatchFields,
  notes: [
    'Events are checked and laid out as by `json`; `indent` applies to the array. An event that is not one JSON value is left out for this output, counted as `format_failed` and logged with its place and reason.',
    'When no event of a batch is valid, nothing is sent.',
    'Events are collected up to `batch.size` or `batch.delay` before they are written. An event that would make the array longer than 268,435,456 characters is left out with that reason.',
  ],
  examples: [
    { title: 'An array on one line', params: {} },
    { title: 'An indented array', params: { indent: 2 } },
  ],
});
