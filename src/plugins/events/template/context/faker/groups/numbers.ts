import type { Random } from '../../../../../../domain/random.js';
import { floatOf, PyDict, raise, type Value } from '../../../../../../template/index.js';
import {
  between,
  chance,
  characters,
  hexify,
  LETTERS,
  LOWER_LETTERS,
  lexify,
  numerify,
  pickMany,
  pickWeighted,
  shuffled,
  UPPER_LETTERS,
  wholeBetween,
} from '../draws.js';
import {
  count,
  elements,
  fakeText,
  flag,
  type Group,
  real,
  realOrNone,
  whole,
  wholeOrNone,
} from '../providers.js';

const stepped = (random: Random, min: number, max: number, step: number): number => {
  if (step < 1) return raise('ValueError', 'step must be 1 or more');
  if (min > max) return raise('ValueError', `no number between ${min} and ${max}`);
  return min + step * random.integer(0, Math.floor((max - min) / step));
};

/** Digits a double always holds. */
const EXACT_DIGITS = 15;

const decimals = (value: Value | undefined, name: string): number | null => {
  const given = wholeOrNone(value, name);
  if (given !== null && (given < 0 || given > EXACT_DIGITS))
    return raise('ValueError', `${name} must be 0 to ${EXACT_DIGITS}`);
  return given;
};

interface FloatShape {
  readonly left: number | null;
  readonly right: number | null;
  readonly isPositive: boolean;
  readonly min: number | null;
  readonly max: number | null;
}

/** With `left` and `right` digits around the point, within bounds. */
const float = (random: Random, { left, right, isPositive, min, max }: FloatShape): Value => {
  const behind = right ?? random.integer(0, Math.max(0, EXACT_DIGITS - (left ?? 9)));
  const reach = 10 ** (left ?? random.integer(1, EXACT_DIGITS - Math.min(behind, EXACT_DIGITS - 1)));
  const high = max ?? Math.max(reach, (min ?? 0) + reach);
  const low = min ?? (isPositive ? 0 : Math.min(-reach, high - reach));
  if (low > high || (isPositive && high <= 0)) {
    return raise('ValueError', `no ${isPositive ? 'positive ' : ''}number between ${low} and ${high}`);
  }
  const drawn = between(random, isPositive ? Math.max(0, low) : low, high);
  // Rounding may cross a bound: use the bound.
  const rounded = Math.min(high, Math.max(low, Number(drawn.toFixed(behind))));
  return floatOf(isPositive && rounded <= 0 ? high : rounded);
};

/** 60 to 140 percent, within bounds. */
const nearly = (random: Random, number: number, isAtMost: boolean, isAtLeast: boolean): number => {
  const low = isAtLeast ? 100 : 60;
  const high = isAtMost ? 100 : 140;
  return Math.floor((number * random.integer(low, high)) / 100);
};

/** Weights of a dict; else equal. */
const weighted = (value: Value | undefined, isWeighted: boolean): (readonly [Value, number])[] =>
  value instanceof PyDict
    ? value.pairList().map(([item, weight]) => [item, isWeighted ? real(weight, 'a weight') : 1])
    : elements(value, 'elements').map((item) => [item, 1]);

/** Functions that return elements of their arguments. */
export const choosing: Group = ({ random }) => {
  const many = (
    items: (readonly [Value, number])[],
    given: Value | undefined,
    isUnique: boolean,
  ): Value[] => {
    if (items.length === 0) return raise('ValueError', 'elements must not be empty');
    const amount =
      wholeOrNone(given, 'length') === null ? random.integer(1, items.length) : count(given, 'length');
    if (isUnique && amount > items.length)
      return raise('ValueError', `cannot pick ${amount} distinct elements from ${items.length}`);
    if (!isUnique) return Array.from({ length: amount }, () => pickWeighted(random, items));
    return shuffled(
      random,
      items.map(([item]) => item),
      amount,
    );
  };
  const choices = (value: Value | undefined): Value => (value === null ? ['a', 'b', 'c'] : (value ?? null));
  return {
    'random_element(elements=None)': (items) => many(weighted(choices(items), true), 1, false)[0] ?? null,
    'random_elements(elements=None, length=None, unique=False, use_weighting=None)': (
      items,
      size,
      isUnique,
      isWeighted = null,
    ) => many(weighted(choices(items), isWeighted === null || flag(isWeighted)), size, flag(isUnique)),
    'random_choices(elements=None, length=None)': (items, size) =>
      many(weighted(choices(items), true), size, false),
    'random_sample(elements=None, length=None)': (items, size) =>
      many(weighted(choices(items), true), size, true),
  };
};

const alphabet = (value: Value): string =>
  fakeText(value, 'letters') === ''
    ? raise('ValueError', 'letters must not be empty')
    : fakeText(value, 'letters');

export const numbers: Group = ({ random }) => ({
  'pybool(truth_probability=50)': (percent) => chance(random, real(percent, 'truth_probability') / 100),
  'pyint(min_value=0, max_value=9999, step=1)': (min, max, step) =>
    stepped(random, whole(min, 'min_value'), whole(max, 'max_value'), whole(step, 'step')),
  'pyfloat(left_digits=None, right_digits=None, positive=None, min_value=None, max_value=None)': (
    left,
    right,
    isPositive,
    min,
    max,
  ) =>
    float(random, {
      left: decimals(left, 'left_digits'),
      right: decimals(right, 'right_digits'),
      isPositive: flag(isPositive),
      min: realOrNone(min, 'min_value'),
      max: realOrNone(max, 'max_value'),
    }),
  "pystr(min_chars=None, max_chars=20, prefix='', suffix='')": (min, max, before, behind) => {
    const most = count(max, 'max_chars');
    const least = wholeOrNone(min, 'min_chars') === null ? most : count(min, 'min_chars');
    const size = wholeBetween(random, least, most, 'pystr');
    return `${fakeText(before, 'prefix')}${characters(random, LETTERS, size)}${fakeText(behind, 'suffix')}`;
  },
  'random_int(min=0, max=9999, step=1)': (min, max, step) =>
    stepped(random, whole(min, 'min'), whole(max, 'max'), whole(step, 'step')),
  'random_digit()': () => random.integer(0, 9),
  'random_digit_not_null()': () => random.integer(1, 9),
  'random_digit_above_two()': () => random.integer(2, 9),
  'random_digit_or_empty()': () => (chance(random, 0.5) ? random.integer(0, 9) : ''),
  'random_digit_not_null_or_empty()': () => (chance(random, 0.5) ? random.integer(1, 9) : ''),
  'random_number(digits=None, fix_len=False)': (size, isFixed) => {
    const given = decimals(size, 'digits') ?? random.integer(1, 9);
    return random.integer(flag(isFixed) && given > 0 ? 10 ** (given - 1) : 0, 10 ** given - 1);
  },
  'randomize_nb_elements(number=10, le=False, ge=False, min=None, max=None)': (number, le, ge, min, max) => {
    const drawn = nearly(random, whole(number, 'number'), flag(le), flag(ge));
    const least = wholeOrNone(min, 'min') ?? drawn;
    return Math.min(wholeOrNone(max, 'max') ?? Infinity, Math.max(least, drawn));
  },
  'random_letter()': () => characters(random, LETTERS, 1),
  'random_letters(length=16)': (size) => pickMany(random, [...LETTERS], count(size, 'length')),
  'random_lowercase_letter()': () => characters(random, LOWER_LETTERS, 1),
  'random_uppercase_letter()': () => characters(random, UPPER_LETTERS, 1),
  "numerify(text='###')": (pattern) => numerify(random, fakeText(pattern, 'text')),
  "lexify(text='????', letters=None)": (pattern, letters = null) =>
    lexify(random, fakeText(pattern, 'text'), letters === null ? LETTERS : alphabet(letters)),
  "bothify(text='## ??', letters=None)": (pattern, letters = null) =>
    lexify(
      random,
      numerify(random, fakeText(pattern, 'text')),
      letters === null ? LETTERS : alphabet(letters),
    ),
  "hexify(text='^^^^', upper=False)": (pattern, isUpper) =>
    hexify(random, fakeText(pattern, 'text'), flag(isUpper)),
});
