import * as E from 'fp-ts/lib/Either.js';
import { isPointer } from '../../../domain/json.js';
import { compileRegex } from '../../../regex/regex.js';
import {
  anyJson,
  boolean,
  custom,
  defaulted,
  freeObject,
  integer,
  isLongerText,
  lazily,
  listOf,
  mapOf,
  number,
  oneOf,
  optional,
  record,
  recursive,
  refined,
  required,
  text,
} from '../../../schema/index.js';
import { defect } from '../../../schema/issues.js';
import type { Shape, ValueOf } from '../../../schema/shape.js';
import { imperfectionsShape } from './imperfectionsShape.js';

const MAX_ATTEMPTS = 1_000;
const MAX_PAUSE = 3_600;

const pause = number({ min: 0.001, max: MAX_PAUSE });

const retry = record(
  {
    attempts: optional(integer({ min: 1, max: MAX_ATTEMPTS }), {
      help: 'Maximum number of attempts, including the first.',
    }),
    base_delay: optional(pause, { help: 'Delay before the second attempt.', unit: 'seconds' }),
    max_delay: optional(pause, { help: 'Maximum delay between two attempts.', unit: 'seconds' }),
  },
  {
    rules: [
      {
        fields: ['base_delay', 'max_delay'],
        check: ({ base_delay, max_delay }) =>
          base_delay !== null && max_delay !== null && base_delay > max_delay
            ? { at: 'max_delay', type: 'out_of_range', message: 'must not be less than base_delay' }
            : null,
      },
    ],
  },
);

/** Fields of every output that the pipeline applies. */
export const DELIVERY_FIELDS = lazily(() => ({
  delivery: optional(oneOf(['at_least_once', 'best_effort']), {
    help: 'Guarantee; `best_effort`: one attempt, no dead letters. Default: `at_least_once`.',
    extension: true,
  }),
  retry: optional(retry, {
    help: 'Retries; absent parts are those of the generator.',
    extension: true,
    example: { attempts: 10 },
  }),
  write_timeout: optional(integer({ min: 1 }), {
    help: 'Maximum time of one attempt to write. Default: that of the generator.',
    unit: 'seconds',
    extension: true,
  }),
  when: optional(whenShape, {
    help: 'Condition on the events of this output. Default: all events.',
    extension: true,
    example: { pointer: '/event/action', equals: 'login' },
  }),
  sample: optional(number({ min: 0, max: 1 }), {
    help: 'Share of the events, chosen by the seed, after `when`. Default: 1.',
    extension: true,
    example: 0.01,
  }),
  ground_truth_of: optional(mapOf(freeObject()), {
    help: 'Writes ground truth in place of events: a JSON line for each event of a timestamp with one of these tags, with the members given here.',
    extension: true,
    example: { attack: { incident: 'theft' } },
  }),
  imperfections: optional(imperfectionsShape, {
    help: 'Errors made on purpose: shares of the events of this output that are dropped, doubled, truncated, malformed, late or out of order, a wrong clock, silences.',
    extension: true,
    example: { dropped: { share: 0.01 }, ground_truth: 'out/truth.jsonl' },
  }),
}));

export type DeliveryParams = ValueOf<typeof DELIVERY_FIELDS>;

type Scalar = string | number | boolean | null;

/** A condition over an event and the tags of its timestamp. */
export type When =
  | { readonly tag: string }
  | { readonly pointer: string; readonly equals: Scalar }
  | { readonly pointer: string; readonly in: readonly Scalar[] }
  | { readonly pointer: string; readonly matches: string }
  | { readonly pointer: string; readonly exists: boolean }
  | { readonly any: readonly When[] }
  | { readonly all: readonly When[] }
  | { readonly not: When };

const MAX_CONDITIONS = 100;

const MAX_VALUES = 1_000;
const MAX_VALUE_LENGTH = 4_096;

const scalar = refined(
  anyJson() as Shape<Scalar>,
  (value: unknown) => {
    if (typeof value === 'object' && value !== null) {
      return defect('wrong_type', 'must be text, a number, a boolean or null');
    }
    return typeof value === 'string' && isLongerText(value, MAX_VALUE_LENGTH)
      ? defect('too_long', `must have at most ${MAX_VALUE_LENGTH} characters`)
      : null;
  },
  { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX_VALUE_LENGTH },
);

const pointer = required(
  text({
    label: 'JSON pointer',
    check: (given) =>
      isPointer(given) ? null : defect('bad_format', 'must be a JSON pointer such as /event/action'),
  }),
  { help: 'Member of the event.' },
);

const pattern = text({
  label: 'regular expression',
  minLength: 1,
  check: (source) => {
    const compiled = compileRegex(source);
    return typeof compiled === 'string'
      ? defect('bad_format', `is not a regular expression: ${compiled}`)
      : null;
  },
});

const LEAVES = {
  tag: { type: 'string', minLength: 1, maxLength: MAX_VALUE_LENGTH },
  pointer: { type: 'string', maxLength: MAX_VALUE_LENGTH },
  equals: scalar.schema,
  in: { type: 'array', items: scalar.schema, minItems: 1, maxItems: MAX_VALUES },
  matches: { type: 'string', maxLength: MAX_VALUE_LENGTH },
  exists: { type: 'boolean' },
};

const inner: Shape<When> = recursive(
  'condition',
  { type: 'object', properties: LEAVES, minProperties: 1, examples: [{ tag: 'eu' }] },
  () => whenShape,
);
const several = listOf(inner, { min: 1, max: MAX_CONDITIONS });

/** By the key that tells the kind. */
const KINDS = {
  tag: record({
    tag: required(text({ minLength: 1 }), { help: 'A tag of the timestamp.' }),
  }),
  any: record({ any: required(several, { help: 'One condition holds.' }) }),
  all: record({ all: required(several, { help: 'All conditions hold.' }) }),
  not: record({ not: required(inner, { help: 'The condition does not hold.' }) }),
  equals: record({ pointer, equals: required(scalar, { help: 'The member is this value.' }) }),
  in: record({
    pointer,
    in: required(listOf(scalar, { min: 1, max: MAX_VALUES }), { help: 'The member is one of these.' }),
  }),
  matches: record({
    pointer,
    matches: required(pattern, { help: 'The member contains a match.' }),
  }),
  pointer: record({
    pointer,
    exists: defaulted(boolean(), true, { help: 'The event has the member.' }),
  }),
} as const;

const NAMES = Object.keys(KINDS) as readonly (keyof typeof KINDS)[];

/** The shape of a condition with these keys; without a known one, that of `pointer`, which names what is missing. */
const kindOf = (value: unknown): Shape<When> => {
  const isGiven = (name: string): boolean =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return KINDS[NAMES.find(isGiven) ?? 'pointer'] as Shape<unknown> as Shape<When>;
};

/** One object for all kinds: each output has it, and one per kind would make documents several times as long. */
const SCHEMA = {
  type: 'object',
  properties: { ...LEAVES, any: several.schema, all: several.schema, not: inner.schema },
  additionalProperties: false,
  minProperties: 1,
};

export const whenShape: Shape<When> = custom<When, When>({
  base: kindOf,
  label: 'condition',
  schema: SCHEMA,
  is: (value): value is When => kindOf(value).codec.is(value),
  decode: E.right,
  encode: (value) => value,
});
