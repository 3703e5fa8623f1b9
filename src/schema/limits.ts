/** Limits of a field whose declaration names no other: a new field is bounded without a thought. */

/** Characters of a text; also of a placeholder that stands for any value. */
export const MAX_TEXT_LENGTH = 4_096;
/** Items of a list. */
export const MAX_LIST_ITEMS = 1_000;
/** Keys of an object with free keys. */
export const MAX_MAP_KEYS = 1_000;
/** Characters of a free key. */
export const MAX_KEY_LENGTH = 4_096;
/** Values of free JSON, those inside it included. */
export const MAX_FREE_VALUES = 10_000;

/** Characters of what holds whole documents: templates in a config, events to preview. */
export const MAX_LONG_TEXT_LENGTH = 262_144;
/** Characters of a text in free JSON, whose whole has a limit by where it comes from. */
export const MAX_FREE_TEXT_LENGTH = 1_048_576;

/** Whether a text has more characters (code points, as JSON Schema counts) than a limit; linear only near it. */
export const isLongerText = (text: string, limit: number): boolean => {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  let count = 0;
  for (const _ of text) count++;
  return count > limit;
};
