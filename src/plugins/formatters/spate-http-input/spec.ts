import { formatterPlugin } from '../../declare.js';

export const httpInputFields = {};

export const httpInputSpec = formatterPlugin({
  name: 'spate-http-input',
  aliases: ['eventum-http-input'],
  summary: 'How many events a batch has, as the body that the `http` input of another generator takes.',
  fields: httpInputFields,
  notes: [
    'One text for each batch: `{"count": N}`, N being the number of its events. The events themselves are not sent; a batch without events sends nothing.',
    'Events are collected up to `batch.size` or `batch.delay` before they are counted.',
  ],
  examples: [{ title: 'As many timestamps for another generator as there are events', params: {} }],
});
