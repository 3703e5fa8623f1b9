import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Json } from '../domain/json.js';
import { hasPlaceholder } from '../domain/placeholder.js';
import { didYouMean, nearest } from '../domain/text/shown.js';
import { defect, type Finding, issueError, kindOf } from './issues.js';
import { recordSchema } from './jsonSchema.js';
import { collectErrors, isPlainObject, own, type Read, refuse, storedType } from './reader.js';
import { type Field, type Fields, once, type Rule, type Shape, type ValueOf } from './shape.js';

type AnyField = Fields[string];
type PickType = (field: AnyField) => t.Type<unknown, Json, unknown>;

/** Longer keys are cut in messages. */
const MAX_PRINTED_KEY = 64;
/** Hints list at most this many keys. */
const MAX_PRINTED_KEYS = 20;

const printKey = (key: string): string =>
  key.length > MAX_PRINTED_KEY ? `${key.slice(0, MAX_PRINTED_KEY)}...` : key;

/** `unknown_key` or `unknown_kind`, with the nearest known name. */
export const unknownName = (
  type: 'unknown_key' | 'unknown_kind',
  noun: string,
  name: string,
  known: readonly string[],
): Finding => ({
  type,
  message: `unknown ${noun} '${printKey(name)}'`,
  suggest: () => {
    const meant = didYouMean(name, known);
    if (meant !== null) return meant;
    if (known.length === 0) return 'No key is known here.';
    return known.length > MAX_PRINTED_KEYS ? undefined : `Known: ${known.join(', ')}.`;
  },
});

/** Whether a text inside of a value of limited depth has a placeholder. */
const holdsPlaceholder = (value: unknown): boolean => {
  if (typeof value === 'string') return hasPlaceholder(value);
  if (Array.isArray(value)) return value.some(holdsPlaceholder);
  return isPlainObject(value) && Object.values(value).some(holdsPlaceholder);
};

/** Unknown keys compared with the known ones, to find those they stand for. */
const MAX_COMPARED = 20;

/** The absent fields that unknown keys probably stand for: their absence is no second problem. */
const meantBy = (present: readonly string[], names: readonly string[]): ReadonlySet<string | null> => {
  const unknown = present.filter((key) => !names.includes(key));
  if (unknown.length === 0) return new Set();
  const absent = names.filter((name) => !present.includes(name));
  return new Set(unknown.slice(0, MAX_COMPARED).map((key) => nearest(key, absent)));
};

/** Reads present fields in the order of the document, then absent ones as declared. */
const readFields = (
  fields: Fields,
  pick: PickType,
  value: Readonly<Record<string, unknown>>,
  context: t.Context,
): { readonly errors: t.ValidationError[]; readonly decoded: ReadonlyMap<string, unknown> } => {
  const errors: t.ValidationError[] = [];
  const decoded = new Map<string, unknown>();
  const names = Object.keys(fields);
  const present = Object.keys(value);
  const misspelt = meantBy(present, names);
  for (const key of [
    ...present,
    ...names.filter((name) => !Object.hasOwn(value, name) && !misspelt.has(name)),
  ]) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const given = own(value, key);
    if (field === undefined) {
      const at = t.appendContext(context, key, t.unknown, given);
      errors.push(issueError(given, at, unknownName('unknown_key', 'key', key, names)));
      continue;
    }
    const type = pick(field);
    const result = type.validate(given, t.appendContext(context, key, type, given));
    if (E.isRight(result)) decoded.set(key, result.right);
    else collectErrors(errors, result);
  }
  return { errors, decoded };
};

/** Checks rules whose fields were read. A rule sees only its own fields, free of placeholders. */
const breachesOf = <F extends Fields>(
  rules: readonly Rule<F>[],
  decoded: ReadonlyMap<string, unknown>,
  value: unknown,
  context: t.Context,
): t.ValidationError[] =>
  rules.flatMap((rule) => {
    if (!rule.fields.every((name) => decoded.has(name))) return [];
    const seen = Object.fromEntries(rule.fields.map((name) => [name, decoded.get(name)]));
    const breach = rule.check(seen as ValueOf<F>);
    if (breach === null) return [];
    const { at, ...what } = breach;
    const path = typeof at !== 'string' ? at : at === '' ? [] : [at];
    return [issueError(value, contextWithin(context, path, value), what)];
  });

const contextWithin = (context: t.Context, [key, ...rest]: readonly string[], value: unknown): t.Context => {
  if (key === undefined) return context;
  const inner = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  return contextWithin(t.appendContext(context, key, t.unknown, inner), rest, inner);
};

/** The fields of a stored object without placeholders, decoded. */
const resolvedOf = (
  fields: Fields,
  stored: ReadonlyMap<string, unknown>,
  context: t.Context,
): ReadonlyMap<string, unknown> => {
  const resolved = new Map<string, unknown>();
  for (const [name, value] of stored) {
    const result = holdsPlaceholder(value) ? null : fields[name]?.codec.validate(value, context);
    if (result && E.isRight(result)) resolved.set(name, result.right);
  }
  return resolved;
};

const asObject = (
  read: (value: Readonly<Record<string, unknown>>, context: t.Context) => t.Validation<unknown>,
) =>
  ((value, context) =>
    isPlainObject(value)
      ? read(value, context)
      : refuse(
          value,
          context,
          defect(
            'wrong_type',
            `must be an object, not ${kindOf(value)}`,
            value === null ? 'Write {} for no keys.' : undefined,
          ),
        )) satisfies Read<unknown>;

/**
 * A strict object: unknown keys are errors that suggest the nearest known key, and all problems are reported. A
 * rule runs if all its fields were read without placeholders. Encodes in the order of the declaration.
 */
export const record = <F extends Fields>(
  fields: F,
  { rules = [] }: { readonly rules?: readonly Rule<NoInfer<F>>[] } = {},
): Shape<ValueOf<F>> => {
  const namesOf = once(() => Object.keys(fields));
  const schema = once(() => recordSchema(fields));
  const label = 'object';
  const inOrder = (decoded: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(namesOf().map((name) => [name, decoded.get(name)]));

  const readCodec = asObject((value, context) => {
    const { errors, decoded } = readFields(fields, (field) => field.codec, value, context);
    for (const breach of breachesOf(rules, decoded, value, context)) errors.push(breach);
    return errors.length > 0 ? E.left(errors) : E.right(inOrder(decoded));
  });
  const readStored = asObject((value, context) => {
    const { errors, decoded } = readFields(fields, (field) => field.stored, value, context);
    if (rules.length > 0) {
      const resolved = resolvedOf(fields, decoded, context);
      for (const breach of breachesOf(rules, resolved, value, context)) errors.push(breach);
    }
    return errors.length > 0 ? E.left(errors) : E.right(inOrder(decoded));
  });
  return {
    label,
    codec: new t.Type<ValueOf<F>, Json, unknown>(
      label,
      (value): value is ValueOf<F> =>
        isPlainObject(value) && namesOf().every((name) => fields[name]?.codec.is(own(value, name)) === true),
      (value, context) => readCodec(value, context) as t.Validation<ValueOf<F>>,
      (value) => Object.fromEntries(namesOf().map((name) => [name, encodeField(fields[name], value[name])])),
    ),
    stored: storedType(label, (value, context) => readStored(value, context) as t.Validation<Json>),
    get schema() {
      return schema();
    },
    fields,
    child: (_, key) => (typeof key === 'string' && Object.hasOwn(fields, key) ? fields[key] : undefined),
  };
};

const encodeField = <A>(field: Field<A> | undefined, value: A): Json => field?.codec.encode(value) ?? null;
