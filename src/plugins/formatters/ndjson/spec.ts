import { formatterPlugin } from '../../declare.js';
import { requiredNames } from '../shared/namedValues.js';

export const ndjsonFields = {
  fields: requiredNames({
    whenMissing:
      '`ndjson` writes chosen fields; for events that are JSON already write `format: json` or `format: plain`.',
  }),
};

export const ndjsonSpec = formatterPlugin({
  name: 'ndjson',
  summary: 'Writes chosen fields of each event as one JSON object on one line.',
  fields: ndjsonFields,
  notes: [
    'Events are JSON objects. A single pointer keeps the type of its value, objects and arrays included; a text with more around it is a string.',
    'Numbers are written as JavaScript writes them: `1.0` becomes `1`, and digits beyond the 17th of a number are lost. `json` keeps every digit.',
    'Other events are dropped for this output, counted as `format_failed` and logged.',
  ],
  examples: [
    {
      title: 'Three fields of each event',
      params: { fields: { time: '{/@timestamp}', user: '{/user/name}', text: 'from {/source/ip}' } },
    },
  ],
});
