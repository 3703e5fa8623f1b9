import { isJsonObject, type Json, type JsonObject } from '../json.js';

/** `${entity}`, `${entity.property}`, and so on. */
const PLACEHOLDER = /\$\{([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\}/g;

/** Returns undefined when there is no such entity or property. */
const drawnAt = (drawn: JsonObject, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>(
      (value, key) =>
        value !== undefined && isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined,
      drawn,
    );

/** Placeholders in texts that name nothing that was drawn. */
export const unknownEntities = (value: Json, drawn: JsonObject): readonly string[] => {
  if (typeof value === 'string')
    return [...value.matchAll(PLACEHOLDER)].flatMap(([whole, path = '']) =>
      drawnAt(drawn, path) === undefined ? [whole] : [],
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => unknownEntities(one, drawn));
};

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** With what was drawn in place of placeholders; a text that is nothing else keeps the type. */
export const withEntities = (value: Json, drawn: JsonObject): Json => {
  if (typeof value === 'string') {
    const [first] = value.matchAll(PLACEHOLDER);
    if (first !== undefined && first[0] === value) return drawnAt(drawn, first[1] as string) ?? value;
    return value.replaceAll(PLACEHOLDER, (_, path: string) => textOf(drawnAt(drawn, path)));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => withEntities(one, drawn));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withEntities(one, drawn)]));
};

/** The entities that values name, each with what was drawn. */
export const entitiesIn = (value: Json, drawn: JsonObject): JsonObject => {
  const names = new Set<string>();
  const visit = (one: Json): void => {
    if (typeof one === 'string')
      for (const [, path = ''] of one.matchAll(PLACEHOLDER)) names.add(path.split('.')[0] as string);
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) visit(inner);
  };
  visit(value);
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => names.has(name)));
};
