import { formatterPlugin } from '../../declare.js';

export const plainFields = {};

export const plainSpec = formatterPlugin({
  name: 'plain',
  summary: 'Writes events unchanged.',
  notes: ['It adds no work: bytes of an event plugin reach the output untouched.'],
  fields: plainFields,
  examples: [{ title: 'Unchanged events', params: {} }],
});
