import { formatterPlugin } from '../../declare.js';
import { indentField } from '../json/spec.js';

export const jsonBatchFields = { indent: indentField };

export const jsonBatchSpec = formatterPlugin({
  name: 'json-batch',
  joins: true,
  summary: 'Joins the events of a batch into one JSON array.',
  fields: jsonBatchFields,
  notes: [
    'Events are validated and formatted as by `json`; `indent` applies to the array. An event that is not one JSON value is dropped for this output, counted as `format_failed` and logged with position and reason.',
    'If no event of a batch is valid, nothing is sent.',
    'Spate collects events up to `batch.size` or `batch.delay` before a write. An event that would make the array longer than 268,435,456 characters is dropped.',
  ],
  examples: [
    { title: 'An array on one line', params: {} },
    { title: 'An indented array', params: { indent: 2 } },
  ],
});
