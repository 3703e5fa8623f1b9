import { formatterPlugin } from '../../declare.js';

export const plainFields = {};

export const plainSpec = formatterPlugin({
  name: 'plain',
  summary: 'Events unchanged.',
  notes: ['Costs nothing: bytes that an event plugin made reach the output without being looked at.'],
  fields: plainFields,
  examples: [{ title: 'Events as they are', params: {} }],
});
