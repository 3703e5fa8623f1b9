import type { Json, JsonObject } from '../json.js';

const PLACEHOLDER = /\$\{([A-Za-z_][\w-]*)(?:\.([A-Za-z_][\w-]*))?\}/g;

/** `undefined`: there is no such entity or property. */
const drawnAt = (drawn: JsonObject, entity: string, property: string | undefined): Json | undefined => {
  const value = Object.hasOwn(drawn, entity) ? drawn[entity] : undefined;
  if (property === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, property) ? (value as JsonObject)[property] : undefined;
};

/** `${entity}` and `${entity.property}` in texts, that are unknown. */
export const unknownEntities = (value: Json, drawn: JsonObject): readonly string[] => {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].flatMap(([whole, entity = '', property]) =>
      drawnAt(drawn, entity, property) === undefined ? [whole] : [],
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => unknownEntities(one, drawn));
};

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** With what was drawn in place of `${entity.property}`; a text that is nothing else keeps the type. */
export const withEntities = (value: Json, drawn: JsonObject): Json => {
  if (typeof value === 'string') {
    const [first] = value.matchAll(PLACEHOLDER);
    if (first !== undefined && first[0] === value)
      return drawnAt(drawn, first[1] as string, first[2]) ?? value;
    return value.replaceAll(PLACEHOLDER, (_, entity: string, property: string | undefined) =>
      textOf(drawnAt(drawn, entity, property)),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => withEntities(one, drawn));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withEntities(one, drawn)]));
};

/** The entities that values name, each with what was drawn. */
export const entitiesIn = (value: Json, drawn: JsonObject): JsonObject => {
  const names = new Set<string>();
  const visit = (one: Json): void => {
    if (typeof one === 'string') for (const [, entity = ''] of one.matchAll(PLACEHOLDER)) names.add(entity);
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) visit(inner);
  };
  visit(value);
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => names.has(name)));
};
