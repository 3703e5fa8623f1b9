/** Everything a declaration is written with. */
export { anyJson, freeObject, listOf, MAX_FREE_DEPTH, mapOf } from './collections.js';
export { custom, respelled } from './custom.js';
export { assumed, defaulted, optional, required } from './fields.js';
export {
  isLongerText,
  MAX_FREE_VALUES,
  MAX_KEY_LENGTH,
  MAX_LIST_ITEMS,
  MAX_LONG_TEXT_LENGTH,
  MAX_TEXT_LENGTH,
} from './limits.js';
export { record } from './record.js';
export { recursive, refined } from './refine.js';
export {
  boolean,
  integer,
  type NumberOptions,
  number,
  oneOf,
  path,
  type TextOptions,
  text,
  url,
} from './scalars.js';
export { type EntryOf, oneKeyOf, taggedBy, type Variant, type Variants } from './unions.js';
