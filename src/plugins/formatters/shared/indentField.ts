import { defaulted, integer } from '../../../schema/index.js';

export const indentField = defaulted(integer({ min: 0 }), 0, {
  help: 'Spaces per level; 0 writes one line with `, ` and `: ` as separators.',
  example: 2,
});
