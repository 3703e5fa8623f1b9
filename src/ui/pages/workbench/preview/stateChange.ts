import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';

export interface StateChange {
  /** Keys with new values. */
  readonly values: JsonObject;
  readonly removed: readonly string[];
}

/** What turns one state into another; each top-level key is replaced whole. */
export const stateChange = (before: JsonObject, after: JsonObject): StateChange => ({
  values: Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value)),
  ),
  removed: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
});

/** The state that a text holds; a sentence if it holds none. */
export const parsedState = (text: string): JsonObject | string => {
  try {
    const value = JSON.parse(text.trim() === '' ? '{}' : text) as Json;
    return isJsonObject(value) ? value : 'Write a JSON object: {"key": value}.';
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
};

/** The aliases of the templates of an event plugin, each with a state of its own. */
export const stateAliasesOf = (event: Json | null): readonly string[] => {
  const template = isJsonObject(event) ? event['template'] : null;
  const templates = isJsonObject(template) ? template['templates'] : null;
  return Array.isArray(templates)
    ? templates.flatMap((item: unknown) => (isJsonObject(item) ? Object.keys(item).slice(0, 1) : []))
    : [];
};
