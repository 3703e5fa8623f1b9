import { isJsonObject, type Json } from '../../domain/json.js';
import { hasPlaceholder } from '../../domain/placeholder.js';
import type { AnyShape, Field, Fields, JsonSchema } from '../../schema/index.js';
import { type FieldLocation, valueAt } from './document.js';

/** What edits a value of a shape. */
export type Control =
  | { readonly kind: 'group'; readonly fields: Fields }
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly names: readonly string[] }
  | { readonly kind: 'number' }
  | { readonly kind: 'text' }
  /** A text or a number, by how it is written. */
  | { readonly kind: 'loose' }
  | { readonly kind: 'list'; readonly item: AnyShape }
  | { readonly kind: 'map'; readonly item: AnyShape }
  /** An object whose only key names the kind of its value. */
  | { readonly kind: 'oneKey'; readonly kinds: readonly string[]; readonly shapeOf: ShapeOfKind }
  /** An object whose key `tag` names its kind. */
  | {
      readonly kind: 'tagged';
      readonly tag: string;
      readonly kinds: readonly string[];
      readonly shapeOf: ShapeOfKind;
    }
  | { readonly kind: 'json' };

type ShapeOfKind = (kind: string) => AnyShape | undefined;

const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

const isNullSchema = (schema: Json): boolean => isJsonObject(schema) && schema['type'] === 'null';

/** The schema without `null`, which a field that is not required accepts. */
const withoutNull = (schema: JsonSchema): JsonSchema => {
  const { anyOf, type, enum: names, ...rest } = schema;
  const branches = listOf(anyOf).filter((branch) => !isNullSchema(branch));
  const [only] = branches;
  if (branches.length === 1 && isJsonObject(only)) return withoutNull({ ...rest, ...only });
  const types = Array.isArray(type) ? listOf(type).filter((one) => one !== 'null') : type;
  return {
    ...rest,
    ...(branches.length > 0 ? { anyOf: branches } : {}),
    ...(types === undefined
      ? {}
      : { type: Array.isArray(types) && types.length === 1 ? (types[0] as Json) : types }),
    ...(names === undefined ? {} : { enum: listOf(names).filter((name) => name !== null) }),
  };
};

const isText = (value: Json): value is string => typeof value === 'string';

const SCALARS: ReadonlySet<Json | undefined> = new Set(['string', 'integer', 'number', 'boolean']);

/** Whether every branch is a scalar. */
const isScalarUnion = ({ type, anyOf }: JsonSchema): boolean =>
  Array.isArray(type)
    ? listOf(type).every((one) => SCALARS.has(one))
    : Array.isArray(anyOf) &&
      listOf(anyOf).every((branch) => isJsonObject(branch) && SCALARS.has(branch['type']));

const propertiesOf = (schema: Json | undefined): JsonSchema => {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? properties : {};
};

/** The key that tells the branches of a union apart, and its values. */
const tagOf = (schema: JsonSchema): { readonly tag: string; readonly kinds: readonly string[] } | null => {
  const branches = listOf(schema['oneOf']).map(propertiesOf);
  const constOf = (branch: JsonSchema, key: string): Json | undefined => {
    const property = branch[key];
    return isJsonObject(property) ? property['const'] : undefined;
  };
  const tag = Object.keys(branches[0] ?? {}).find((key) => constOf(branches[0] ?? {}, key) !== undefined);
  if (tag === undefined) return null;
  return { tag, kinds: branches.map((branch) => constOf(branch, tag) ?? null).filter(isText) };
};

const objectControl = (shape: AnyShape, schema: JsonSchema): Control => {
  const tagged = tagOf(schema);
  if (tagged !== null) {
    return { kind: 'tagged', ...tagged, shapeOf: (kind) => shape.kindOf?.({ [tagged.tag]: kind }) };
  }
  if (schema['maxProperties'] === 1 && shape.kindOf !== undefined) {
    const kinds = Object.keys(propertiesOf(schema));
    return { kind: 'oneKey', kinds, shapeOf: (kind) => shape.kindOf?.({ [kind]: {} }) };
  }
  const item = shape.free === true ? shape.child?.({}, '*') : undefined;
  return item === undefined ? { kind: 'json' } : { kind: 'map', item };
};

/** The control of a shape, by its declaration. */
export const controlOf = (shape: AnyShape): Control => {
  if (shape.fields !== undefined) return { kind: 'group', fields: shape.fields };
  const schema = withoutNull(shape.schema);
  if (isScalarUnion(schema)) return { kind: 'loose' };
  const names = listOf(schema['enum']);
  if (names.length > 0 && names.every(isText)) return { kind: 'choice', names };
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'switch' };
    case 'integer':
    case 'number':
      return { kind: 'number' };
    case 'string':
      return { kind: 'text' };
    case 'array': {
      const item = shape.child?.([], 0);
      return item === undefined ? { kind: 'json' } : { kind: 'list', item };
    }
    case 'object':
      return objectControl(shape, schema);
    default:
      return { kind: 'json' };
  }
};

/** As `controlOf`, for a value that may be a placeholder, or of another type than the control's. */
export const controlFor = (shape: AnyShape, value: Json | undefined): Control => {
  const control = controlOf(shape);
  if (value === undefined || value === null) return control;
  if (typeof value === 'string' && hasPlaceholder(value)) return { kind: 'text' };
  switch (control.kind) {
    case 'switch':
      return typeof value === 'boolean' ? control : { kind: 'loose' };
    case 'choice':
      return typeof value === 'string' ? control : { kind: 'loose' };
    case 'text':
      return typeof value === 'string' ? control : { kind: 'json' };
    case 'number':
    case 'loose':
      return typeof value === 'object' ? { kind: 'json' } : control;
    case 'list':
      return Array.isArray(value) ? control : { kind: 'json' };
    case 'json':
      return control;
    default:
      return isJsonObject(value) ? control : { kind: 'json' };
  }
};

/** Whether the shape is a field with docs, not an item of a list. */
export const isField = (shape: AnyShape): shape is Field<unknown> => 'presence' in shape;

/** The value that a new item begins with. */
export const initialOf = (shape: AnyShape): Json => {
  switch (controlOf(shape).kind) {
    case 'switch':
      return false;
    case 'list':
      return [];
    case 'group':
    case 'map':
    case 'oneKey':
    case 'tagged':
      return {};
    case 'json':
      return null;
    default:
      return '';
  }
};

interface Surroundings {
  /** The whole document. */
  readonly value: Json;
  /** Defaults of the form, such as the settings under a startup entry. */
  readonly defaults: Json;
  /** The default of the object around the field. */
  readonly around: Json | undefined;
}

/** What holds while a field has no value. */
export const fallbackOf = (
  shape: AnyShape,
  location: FieldLocation,
  { value, defaults, around }: Surroundings,
): Json => {
  const given = valueAt(defaults, location);
  if (given !== undefined) return given;
  const own = isField(shape) ? shape.fallback : null;
  const parent = valueAt(value, location.slice(0, -1));
  // An object with a default of its own, such as a batch: once one field is given, the others take theirs.
  if (isJsonObject(parent) && Object.keys(parent).length > 0) return own;
  return valueAt(around, location.slice(-1)) ?? own;
};
