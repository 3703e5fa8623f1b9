import { freeObject, optional, record, required, respelled, text } from '../schema/index.js';

/** A name or a placeholder: names are checked when a config is loaded. */
const destinationName = text({ minLength: 1 });

const useFields = record({
  name: required(destinationName, {
    help: 'Name of the destination: its file in the folder `destinations`, without .yml.',
    example: 'siem',
  }),
  with: optional(freeObject(), {
    help: 'Parameters of the output that replace those of the destination.',
    example: { index: 'web' },
  }),
});

/** An output whose kind and parameters are in the file of a destination; it is replaced by them when a config is loaded. */
export const useShape = respelled(
  useFields,
  (value) => (typeof value === 'string' ? { name: value } : value),
  {
    label: 'name of a destination, or object with `name` and `with`',
    schema: {
      anyOf: [destinationName.schema, useFields.schema],
    },
  },
);
