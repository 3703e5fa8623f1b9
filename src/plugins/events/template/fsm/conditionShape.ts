import { compileRegex, type Meter, pointsOf } from '../../../../regex/regex.js';
import {
  anyJson,
  integer,
  isLongerText,
  listOf,
  MAX_FREE_VALUES,
  MAX_KEY_LENGTH,
  MAX_LONG_TEXT_LENGTH,
  mapOf,
  number,
  oneKeyOf,
  optional,
  record,
  recursive,
  refined,
  respelled,
  text,
} from '../../../../schema/index.js';
import { defect } from '../../../../schema/issues.js';
import type { Shape } from '../../../../schema/shape.js';
import type { EntryOf } from '../../../../schema/unions.js';

/** Matches from the start, as Python's `re.match`. A string: why the expression is invalid. */
export const compileMatch = (source: string): ((value: string, meter: Meter) => boolean) | string => {
  const regex = compileRegex(source);
  if (typeof regex === 'string') return `is not a valid regular expression: ${regex}`;
  return (value, meter) => regex.run(pointsOf(value), 0, 'match', meter) !== null;
};

/** `shared.user.name` is the key `user.name` of `shared`; `activity.host.name` is the name of the host. */
const FIELD = /^(locals|shared|globals|activity)\.([\s\S]+)$/;

export type StateName = 'locals' | 'shared' | 'globals';

interface FieldName {
  readonly scope: StateName | 'activity';
  readonly key: string;
}

export const conditionFieldName = (name: string): FieldName | null => {
  const [, scope, key] = FIELD.exec(name) ?? [];
  return key === undefined ? null : { scope: scope as FieldName['scope'], key };
};

const FIELD_HINT =
  'A field is a scope (locals, shared, globals or activity), a dot and a key, like shared.logins.';

const badField = (name: string) =>
  conditionFieldName(name) === null
    ? defect('bad_format', `'${name.slice(0, 64)}' is not a field`, FIELD_HINT)
    : null;

const comparison = <A>(value: Shape<A>): Shape<Readonly<Record<string, A>>> =>
  refined(
    mapOf(value),
    (given) => {
      const [name, ...others] = Object.keys(given);
      if (name === undefined) return defect('missing', 'must name a field', FIELD_HINT);
      if (others.length > 0) {
        const hint = 'Join conditions with and: or or:.';
        return defect('not_one_key', `must name exactly one field, not ${others.length + 1}`, hint);
      }
      return badField(name);
    },
    {
      minProperties: 1,
      maxProperties: 1,
      propertyNames: { pattern: FIELD.source, maxLength: MAX_KEY_LENGTH },
    },
  );

const pattern = text({
  label: 'regular expression',
  maxLength: 4_096,
  check: (source) => {
    const compiled = compileMatch(source);
    return typeof compiled === 'string' ? { type: 'bad_format', message: compiled } : null;
  },
});

const nothing: Shape<null> = refined(
  anyJson() as Shape<null>,
  (value: unknown) =>
    value === null ? null : defect('not_allowed', 'takes no value', 'Write null or nothing.'),
  { type: 'null' },
);

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const part = (min: number, max: number, what: string) =>
  optional(integer({ min, max }), { help: `Replaces the ${what} of the timestamp.` });

/** At least one part. */
const components = record(
  {
    year: part(0, 10_000, 'year'),
    month: part(1, 12, 'month'),
    day: part(1, 31, 'day of the month'),
    hour: part(0, 23, 'hour'),
    minute: part(0, 59, 'minute'),
    second: part(0, 59, 'second'),
    microsecond: part(0, 999_999, 'microsecond'),
  },
  {
    rules: [
      {
        fields: ['year', 'month', 'day', 'hour', 'minute', 'second', 'microsecond'],
        check: (given) =>
          Object.values(given).every((value) => value === null)
            ? { at: '', type: 'missing', message: 'needs at least one part of a date or time' }
            : null,
      },
      {
        fields: ['month', 'day'],
        check: ({ month, day }) =>
          month !== null && day !== null && day > (DAYS[month - 1] ?? 31)
            ? { at: 'day', type: 'out_of_range', message: `exceeds the last day of month ${month}` }
            : null,
      },
    ],
  },
);

/** Parts of a time. A part that is null is that of the timestamp. */
export type Components = Readonly<
  Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'microsecond', number | null>
>;

const tag = text({ minLength: 1 });

/** One tag, or a list of required tags. */
const tags: Shape<readonly string[]> = (() => {
  const many = listOf(tag, { min: 1 });
  return respelled(many, (value) => (typeof value === 'string' ? [value] : value), {
    label: 'tag, or list of tags',
    schema: { anyOf: [tag.schema, many.schema] },
  });
})();

/** A list of items, or a string. */
const container = refined(
  anyJson(),
  (value) => {
    if (Array.isArray(value)) return null;
    if (typeof value !== 'string') return defect('wrong_type', 'must be a list or string');
    return isLongerText(value, MAX_LONG_TEXT_LENGTH)
      ? defect('too_long', `must have at most ${MAX_LONG_TEXT_LENGTH} characters`)
      : null;
  },
  { type: ['array', 'string'], maxItems: MAX_FREE_VALUES - 1, maxLength: MAX_LONG_TEXT_LENGTH },
);

const field = text({ pattern: FIELD, label: 'field, like shared.logins' });
const numbers = comparison(number());
const lengths = comparison(integer({ min: 0 }));
const values = comparison(anyJson());

const leaves = {
  eq: values,
  gt: numbers,
  ge: numbers,
  lt: numbers,
  le: numbers,
  len_eq: lengths,
  len_gt: lengths,
  len_ge: lengths,
  len_lt: lengths,
  len_le: lengths,
  contains: values,
  in: comparison(container),
  matches: comparison(pattern),
  defined: field,
  has_tags: tags,
  before: components,
  after: components,
  always: nothing,
  never: nothing,
};

export type Condition =
  | EntryOf<typeof leaves>
  | { readonly kind: 'or' | 'and'; readonly alias: string; readonly params: readonly Condition[] }
  | { readonly kind: 'not'; readonly alias: string; readonly params: Condition };

const inner: Shape<Condition> = recursive(
  'condition',
  { type: 'object', minProperties: 1, maxProperties: 1, examples: [{ always: null }] },
  () => conditionShape,
);
const several = listOf(inner, { min: 2 });

export const conditionShape: Shape<Condition> = oneKeyOf({
  ...leaves,
  or: several,
  and: several,
  not: inner,
});
