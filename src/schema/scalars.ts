import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../domain/json.js';
import { didYouMean } from '../domain/text/shown.js';
import { type Defect, defect, kindOf } from './issues.js';
import { isLongerText, isPlainObject, MAX_TEXT_LENGTH, scalar } from './reader.js';
import type { JsonSchema, Shape } from './shape.js';

const isString = (value: unknown): value is string => typeof value === 'string';
const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

export interface TextOptions {
  /** In code points, as JSON Schema counts; at most `MAX_TEXT_LENGTH` by default. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Matches anywhere in the text unless anchored. */
  readonly pattern?: RegExp;
  /** Returns a defect or `null`; its message must not contain the text. */
  readonly check?: (text: string) => Defect | null;
  /** Shown instead of `text`. */
  readonly label?: string;
  readonly format?: string;
}

const textLabel = ({ label, minLength, maxLength }: TextOptions): string => {
  if (label !== undefined) return label;
  const base = minLength === 1 ? 'non-empty text' : 'text';
  const least = minLength !== undefined && minLength > 1 ? ` of at least ${minLength} characters` : '';
  const most = maxLength !== undefined ? ` of at most ${maxLength} characters` : '';
  return least !== '' && most !== ''
    ? `${base} of ${minLength}..${maxLength} characters`
    : base + least + most;
};

const textDefect = (
  text: string,
  options: TextOptions,
  pattern: RegExp | null,
  label: string,
): Defect | null => {
  const { minLength, maxLength = MAX_TEXT_LENGTH, check } = options;
  // Before checks that take longer on longer texts.
  if (isLongerText(text, maxLength)) {
    return defect('too_long', `must have at most ${maxLength} characters`);
  }
  if (minLength !== undefined && countCharacters(text) < minLength) {
    return defect(
      'too_short',
      minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
    );
  }
  if (pattern !== null && !pattern.test(text)) {
    return defect(
      'bad_format',
      options.label === undefined ? `must match ${pattern.source}` : `must be ${label}`,
    );
  }
  return check === undefined ? null : check(text);
};

/** How a value that YAML does not read as text becomes text. */
const quoteHint = (value: unknown): string | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return 'Put it in quotes.';
  const [key, ...others] = isPlainObject(value) ? Object.keys(value) : [];
  // `{/a}` without quotes is an object with an empty key.
  const isBraced = key !== undefined && others.length === 0 && (value as JsonObject)[key] === null;
  return isBraced ? `Put it in quotes: '{${key}}'.` : undefined;
};

/** Text. Numbers and booleans are a `wrong_type`. */
export const text = (options: TextOptions = {}): Shape<string> => {
  const label = textLabel(options);
  // `g` and `y` keep a position between calls.
  const pattern = options.pattern
    ? new RegExp(options.pattern.source, options.pattern.flags.replace(/[gy]/g, ''))
    : null;
  const isSchemaPattern = pattern !== null && /^[du]*$/.test(pattern.flags);
  const schema: JsonSchema = {
    type: 'string',
    ...(options.minLength === undefined ? {} : { minLength: options.minLength }),
    maxLength: options.maxLength ?? MAX_TEXT_LENGTH,
    ...(isSchemaPattern ? { pattern: pattern.source } : {}),
    ...(options.format === undefined ? {} : { format: options.format }),
  };
  const read = (value: unknown): E.Either<Defect, string> => {
    if (typeof value !== 'string') {
      return E.left(defect('wrong_type', `must be text, not ${kindOf(value)}`, quoteHint(value)));
    }
    const problem = textDefect(value, options, pattern, label);
    return problem === null ? E.right(value) : E.left(problem);
  };
  return scalar(label, schema, isString, read, options.maxLength);
};

/** A path as written: not empty, no NUL; it need not exist. */
export const path = (): Shape<string> =>
  text({
    label: 'path',
    minLength: 1,
    check: (value) =>
      value.includes('\0') ? defect('not_allowed', 'must not contain a NUL character') : null,
  });

/** An absolute URL as written. `protocols` has no colons; default: http and https. */
export const url = ({
  protocols = ['http', 'https'],
}: {
  readonly protocols?: readonly string[];
} = {}): Shape<string> => {
  const label = `URL (${protocols.join(', ')})`;
  const isAccepted = (value: string): boolean =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1).toLowerCase());
  return text({
    label,
    minLength: 1,
    format: 'uri',
    check: (value) => (isAccepted(value) ? null : defect('bad_format', `must be a ${label}`)),
  });
};

export interface NumberOptions {
  readonly min?: number;
  readonly max?: number;
}

interface Range extends NumberOptions {
  readonly exclusiveMin?: number;
}

const numberLabel = (base: string, { min, max, exclusiveMin }: Range): string => {
  if (min !== undefined && max !== undefined) return `${base} ${min}..${max}`;
  const low = min !== undefined ? ` >= ${min}` : exclusiveMin !== undefined ? ` > ${exclusiveMin}` : '';
  const high = max === undefined ? '' : `${low === '' ? '' : ' and'} <= ${max}`;
  return base + low + high;
};

const rangeSchema = ({ min, max, exclusiveMin }: Range): JsonSchema => ({
  ...(min === undefined ? {} : { minimum: min }),
  ...(max === undefined ? {} : { maximum: max }),
  ...(exclusiveMin === undefined ? {} : { exclusiveMinimum: exclusiveMin }),
});

const inRange = (value: number, { min, max, exclusiveMin }: Range): E.Either<Defect, number> => {
  if (min !== undefined && value < min) return E.left(defect('out_of_range', `must be at least ${min}`));
  if (exclusiveMin !== undefined && value <= exclusiveMin) {
    return E.left(defect('out_of_range', `must be greater than ${exclusiveMin}`));
  }
  if (max !== undefined && value > max) return E.left(defect('out_of_range', `must be at most ${max}`));
  // JSON has no negative zero.
  return E.right(value + 0);
};

/** Texts that decode as numbers, also for the JSON Schema of files. */
export const NUMBER_TEXT = '^\\s*[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?\\s*$';
export const INTEGER_TEXT = '^\\s*[+-]?\\d+(\\.0*)?\\s*$';
const NUMBER = new RegExp(NUMBER_TEXT);
const INTEGER = new RegExp(INTEGER_TEXT);

const toNumber = (value: unknown, spelling: RegExp): number | null => {
  const isSpelt = typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && spelling.test(value);
  const result = isSpelt ? Number(value) : value;
  return isFiniteNumber(result) ? result : null;
};

export const NO_UNIT = 'Write the number without a unit';

/** A number and a unit, such as `5s`: the field has its unit. */
const unitHint = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\s*[+-]?\d[\d._,]*\s*[a-zA-Zµ%]{1,8}\s*$/.test(value) ? NO_UNIT : undefined;

/** A safe integer; accepts `"3"` and `3.0`, not `3.5`. */
export const integer = (options: NumberOptions = {}): Shape<number> => {
  const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
  const label = numberLabel('integer', options);
  return scalar(label, { type: 'integer', ...rangeSchema(options) }, isInteger, (value) => {
    const result = toNumber(value, INTEGER);
    if (result === null || !Number.isInteger(result)) {
      const what = result === null ? kindOf(value) : 'a fraction';
      return E.left(defect('wrong_type', `must be an integer, not ${what}`, unitHint(value)));
    }
    if (!isInteger(result)) return E.left(defect('out_of_range', 'must be within +-9007199254740991'));
    return inRange(result, options);
  });
};

/** A finite number; accepts `"2.5"`. */
export const number = (options: NumberOptions & { readonly exclusiveMin?: number } = {}): Shape<number> => {
  const label = numberLabel('number', options);
  return scalar(label, { type: 'number', ...rangeSchema(options) }, isFiniteNumber, (value) => {
    const result = toNumber(value, NUMBER);
    if (result === null)
      return E.left(defect('wrong_type', `must be a number, not ${kindOf(value)}`, unitHint(value)));
    return inRange(result, options);
  });
};

/** Words that decode as booleans, in any case. */
export const BOOLEAN_WORDS: Readonly<Record<'true' | 'false', readonly string[]>> = {
  true: ['true', 'yes', 'on', '1', 't', 'y'],
  false: ['false', 'no', 'off', '0', 'f', 'n'],
};

/** A boolean; accepts the usual words, 1 and 0. */
export const boolean = (): Shape<boolean> =>
  scalar(
    'boolean',
    { type: 'boolean' },
    (value): value is boolean => typeof value === 'boolean',
    (value) => {
      if (typeof value === 'boolean') return E.right(value);
      const isWord = typeof value === 'string' ? value.length <= MAX_TEXT_LENGTH : value === 1 || value === 0;
      const word = isWord ? String(value).trim().toLowerCase() : '';
      if (BOOLEAN_WORDS.true.includes(word)) return E.right(true);
      if (BOOLEAN_WORDS.false.includes(word)) return E.right(false);
      return E.left(defect('wrong_type', 'must be true or false'));
    },
  );

/** Longer lists of names are not printed in messages. */
const MAX_PRINTED_NAMES = 20;

/** One of several texts; an error suggests the nearest. */
export const oneOf = <const L extends readonly [string, ...string[]]>(
  names: L,
  options: { readonly label?: string } = {},
): Shape<L[number]> => {
  const isPrintable = names.length <= MAX_PRINTED_NAMES;
  const label =
    options.label ?? (isPrintable ? `one of ${names.join(', ')}` : `one of ${names.length} names`);
  const isName = (value: unknown): value is L[number] => typeof value === 'string' && names.includes(value);
  return scalar<L[number]>(label, { type: 'string', enum: names }, isName, (value) => {
    if (isName(value)) return E.right(value);
    if (typeof value !== 'string')
      return E.left(defect('wrong_type', `must be ${label}, not ${kindOf(value)}`));
    return E.left(defect('not_allowed', `must be ${label}`, didYouMean(value, names) ?? undefined));
  });
};
