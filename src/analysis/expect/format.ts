import * as E from 'fp-ts/lib/Either.js';
import { isPointer, type Json, type JsonObject } from '../../domain/json.js';
import { parseIso } from '../../domain/time/iso.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import {
  custom,
  type DecodedOf,
  defaulted,
  type EntryOf,
  freeObject,
  integer,
  listOf,
  mapOf,
  number,
  oneKeyOf,
  optional,
  path,
  record,
  required,
  type Shape,
  text,
} from '../../schema/index.js';

const MAX_CHECKED_EVENTS = 10_000_000;
const MAX_CHECKS = 100;
/** Days of a rate check. */
const MAX_HOURS = 24 * 31;
const MAX_SEED_LENGTH = 256;
/** Bits of the set of seen values. */
const MAX_SEQUENCE = 30;

const defect = (message: string) => ({ type: 'bad_format', message });

const seed = custom<string | number, string>({
  base: (value): Shape<string | number> =>
    typeof value === 'number'
      ? (integer() as Shape<string | number>)
      : (text({ minLength: 1, maxLength: MAX_SEED_LENGTH }) as Shape<string | number>),
  label: 'text or integer',
  schema: { type: ['string', 'integer'], minLength: 1, maxLength: MAX_SEED_LENGTH },
  is: (value): value is string => typeof value === 'string',
  decode: (value) => E.right(String(value)),
  encode: (value) => value,
});

const instant = (): Shape<string> =>
  text({
    label: 'ISO 8601 time',
    check: (value) =>
      parseIso(value, utc) === null ? defect('must be an ISO 8601 time such as 2026-03-02T09:00:00Z') : null,
  });

const zone = (): Shape<string> =>
  text({
    label: 'IANA time zone',
    check: (value) =>
      zoneOf(value) === null ? defect('must be an IANA time zone such as Europe/Berlin') : null,
  });

const pointer = (): Shape<string> =>
  text({
    label: 'JSON pointer',
    check: (value) => (isPointer(value) ? null : defect('must be a JSON pointer such as /event/action')),
  });

const regularExpression = (): Shape<string> =>
  text({
    label: 'regular expression',
    minLength: 1,
    check: (value) =>
      E.isLeft(E.tryCatch(() => new RegExp(value, 'u'), String))
        ? defect('must be a JavaScript regular expression for the flag u')
        : null,
  });

const schemaSource = custom<Json, string | JsonObject>({
  base: (value): Shape<Json> => (typeof value === 'string' ? path() : freeObject()) as unknown as Shape<Json>,
  label: 'path or JSON Schema',
  schema: { type: ['string', 'object'] },
  is: (value): value is string | JsonObject => typeof value === 'string' || typeof value === 'object',
  decode: (value) => E.right(value as string | JsonObject),
  encode: (value) => value,
});

const share = number({ min: 0, max: 1 });
const count = integer({ min: 0 });
const scalarText = text({ maxLength: 1_024 });

const ordered = (low: string, high: string) => ({
  at: low,
  type: 'out_of_range',
  message: `must not be more than ${high}`,
});

const minMax = {
  fields: ['min', 'max'] as const,
  check: ({ min, max }: { readonly min: number | null; readonly max: number | null }) => {
    if (min === null && max === null) return null;
    return min !== null && max !== null && min > max ? ordered('min', 'max') : null;
  },
};

const someGiven = (names: readonly string[]) => (value: Readonly<Record<string, unknown>>) =>
  names.every((name) => value[name] === null)
    ? { at: '', type: 'missing', message: `needs ${names.slice(0, -1).join(', ')} or ${names.at(-1)}` }
    : null;

const shares = record({
  field: required(pointer(), { help: 'Field of the events.' }),
  values: required(mapOf(share), { help: 'Expected share of each value among the events with the field.' }),
  tolerance: required(share, { help: 'Largest difference, absolute.' }),
});

const order = record({
  key: required(pointer(), { help: 'Field with the key: each value has an order of its own.' }),
  field: required(pointer(), { help: 'Field with the values in order.' }),
  sequence: required(listOf(scalarText, { min: 2, max: MAX_SEQUENCE }), {
    help: 'A later value appears only after all earlier ones.',
  }),
});

const sizeFields = {
  min: optional(count, { help: 'Smallest event.', unit: 'bytes' }),
  max: optional(count, { help: 'Largest event.', unit: 'bytes' }),
  median: optional(listOf(count, { min: 2, max: 2 }), { help: 'Range of the median.', unit: 'bytes' }),
};

const size = record(sizeFields, {
  rules: [
    minMax,
    { fields: ['min', 'max', 'median'], check: someGiven(['min', 'max', 'median']) },
    {
      fields: ['median'],
      check: ({ median }) =>
        median !== null && (median[0] ?? 0) > (median[1] ?? 0)
          ? { at: 'median', type: 'out_of_range', message: 'must be [low, high]' }
          : null,
    },
  ],
});

const distinct = record(
  {
    field: required(pointer(), { help: 'Field of the events.' }),
    min: optional(count, { help: 'Fewest different values.' }),
    max: optional(count, { help: 'Most different values.' }),
  },
  { rules: [minMax, { fields: ['min', 'max'], check: someGiven(['min', 'max']) }] },
);

const tells = record({
  label: defaulted(pointer(), '/labels/anomaly', { help: 'Field with the attack that an event belongs to.' }),
  indicators: defaulted(listOf(pointer(), { max: 50 }), [], {
    help: 'Fields that may tell an attack, such as the address of the attacker; those below them, too.',
  }),
});

const isHour = (key: string): boolean => /^(?:\d|1\d|2[0-3])$/.test(key);

const rate = record(
  {
    from: required(instant(), { help: 'Start of the range; the clock of the inputs stands there.' }),
    hours: required(integer({ min: 1, max: MAX_HOURS }), { help: 'Length of the range.', unit: 'hours' }),
    per_hour: required(mapOf(count, { max: 24 }), {
      help: 'Hour of the day, 0 to 23: number of timestamps.',
    }),
    tolerance: defaulted(share, 0, { help: 'Largest difference, relative.' }),
  },
  {
    rules: [
      {
        fields: ['per_hour'],
        check: ({ per_hour }) => {
          const wrong = Object.keys(per_hour).find((key) => !isHour(key));
          if (wrong !== undefined)
            return { at: 'per_hour', type: 'out_of_range', message: 'must have hours from 0 to 23 as keys' };
          return Object.keys(per_hour).length === 0
            ? { at: 'per_hour', type: 'too_short', message: 'must have at least one hour' }
            : null;
        },
      },
    ],
  },
);

const fingerprint = text({ label: 'SHA-256 as 64 lower-case hex digits', pattern: /^[0-9a-f]{64}$/u });

export const CHECKS = {
  schema: schemaSource,
  pattern: regularExpression(),
  shares,
  order,
  size,
  distinct,
  rate,
  tells,
  fingerprint,
};

export type Check = EntryOf<typeof CHECKS>;
export type CheckKind = Check['kind'];
export type ParamsOf<K extends CheckKind> = Extract<Check, { readonly kind: K }>['params'];

/** A file `tests/*.yml` beside a generator. */
export const testFileShape = record({
  seed: required(seed, { help: 'Seed of all random values.' }),
  now: required(instant(), { help: 'The clock stands here.' }),
  events: required(integer({ min: 1, max: MAX_CHECKED_EVENTS }), { help: 'Number of events.' }),
  params: defaulted(freeObject(), {}, { help: 'Values for the placeholders ${params.name} of the config.' }),
  globals: defaulted(freeObject(), {}, { help: 'Globals of the scenario at the start.' }),
  timezone: defaulted(zone(), 'UTC', { help: 'Time zone of the generator.' }),
  checks: required(listOf(oneKeyOf(CHECKS), { min: 1, max: MAX_CHECKS }), {
    help: 'Checks of the events as the first output writes them.',
  }),
});

export type TestFile = DecodedOf<typeof testFileShape>;
