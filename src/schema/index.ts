export * from './builders.js';
export * from './decode.js';
export { givenTogether, mapSecrets, maskSecrets, SECRET_MASK, unmask } from './decode.js';
export * from './dottedKeys.js';
export { ISSUE_TYPES, type IssueType, issuesOf, MAX_ISSUES, showPath } from './issues.js';
export { schemaDocument, schemaWithPlaceholders, schemaWithSpellings } from './jsonSchema.js';
export { optionTable } from './optionTable.js';
export type * from './shape.js';
export { lazily, once } from './shape.js';
