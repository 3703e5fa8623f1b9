import { formatterPlugin } from '../../declare.js';

export const httpInputFields = {};

export const httpInputSpec = formatterPlugin({
  name: 'spate-http-input',
  aliases: ['eventum-http-input'],
  joins: true,
  summary: 'Number of events in a batch, as a request body for the `http` input of another generator.',
  fields: httpInputFields,
  notes: [
    'One text per batch: `{"count": N}` with the number of its events. The events are not sent, and an empty batch sends nothing.',
    'Spate collects events up to `batch.size` or `batch.delay` before it counts them.',
  ],
  examples: [{ title: 'One timestamp of another generator per event', params: {} }],
});
