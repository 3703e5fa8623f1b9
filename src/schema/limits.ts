/** Default limits, so that every new field is bounded. */

/** Characters of a text, also of a placeholder for any value. */
export const MAX_TEXT_LENGTH = 4_096;
export const MAX_LIST_ITEMS = 1_000;
export const MAX_MAP_KEYS = 1_000;
export const MAX_KEY_LENGTH = 4_096;
/** Values of free JSON, including nested ones. */
export const MAX_FREE_VALUES = 10_000;

/** Characters of whole documents: templates in a config, events to preview. */
export const MAX_LONG_TEXT_LENGTH = 262_144;
/** Characters of a text in free JSON; the source of the JSON limits the whole. */
export const MAX_FREE_TEXT_LENGTH = 1_048_576;

/** Whether a text has more code points (as JSON Schema counts) than a limit. Counts only near the limit. */
export const isLongerText = (text: string, limit: number): boolean => {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let count = 0;
  for (const _ of text) count++;
  return count > limit;
};
