import { defaulted, integer } from '../../../schema/index.js';

/** The `indent` field of JSON formatters. */
export const indentField = defaulted(integer({ min: 0 }), 0, {
  help: 'Spaces per level; 0 writes one line with `, ` and `: ` as separators.',
  example: 2,
});
