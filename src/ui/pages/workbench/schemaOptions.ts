import { isJsonObject, type Json } from '../../../domain/json.js';
import type { JsonSchema } from '../../../schema/index.js';
import type { YamlPlace } from './yamlPlace.js';

export interface Option {
  readonly label: string;
  readonly help: string;
}

const objectsIn = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? value.filter((one: unknown): one is JsonSchema => isJsonObject(one)) : [];

/** A schema and all its alternatives. */
const alternatives = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...[...objectsIn(schema['anyOf']), ...objectsIn(schema['oneOf'])].flatMap(alternatives),
];

const step = (schemas: readonly JsonSchema[], part: string | 0): readonly JsonSchema[] =>
  schemas.flatMap((schema) => {
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const next = part === 0 ? schema['items'] : (properties[part] ?? schema['additionalProperties']);
    return isJsonObject(next) ? alternatives(next) : [];
  });

const helpOf = (schema: unknown): string =>
  isJsonObject(schema) && typeof schema['description'] === 'string' ? schema['description'] : '';

const unique = (options: readonly Option[]): readonly Option[] => [
  ...new Map(options.map((option) => [option.label, option])).values(),
];

const keysOf = (schemas: readonly JsonSchema[]): readonly Option[] =>
  schemas.flatMap(({ properties }) =>
    isJsonObject(properties)
      ? Object.entries(properties).map(([label, schema]) => ({ label, help: helpOf(schema) }))
      : [],
  );

const valuesOf = (schemas: readonly JsonSchema[]): readonly Option[] =>
  schemas.flatMap((schema): readonly Option[] => {
    const { type, enum: names, const: only } = schema as Readonly<Record<string, Json | undefined>>;
    const isBoolean = type === 'boolean' || (Array.isArray(type) && type.includes('boolean'));
    const given = [
      ...(Array.isArray(names) ? (names as readonly Json[]) : []),
      ...(only === undefined ? [] : [only]),
    ];
    return [...given.filter((one) => one !== null), ...(isBoolean ? [true, false] : [])].map((one) => ({
      label: String(one),
      help: '',
    }));
  });

/** The keys or values that a schema knows for a place. */
export const schemaOptions = (schema: JsonSchema, { kind, path }: YamlPlace): readonly Option[] => {
  const schemas = path.reduce(step, alternatives(schema));
  return unique(kind === 'key' ? keysOf(schemas) : valuesOf(schemas));
};
