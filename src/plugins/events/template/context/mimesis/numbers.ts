import type { Random } from '../../../../../domain/random.js';
import { floatOf, raise, type Value } from '../../../../../template/index.js';
import { between, characters, digits, hex, LETTERS, repeated, uuid4, wholeBetween } from '../faker/draws.js';
import { ean, isbn10, isbn13, issnDigit, luhnDigit } from '../faker/groups/codes.js';
import { localeCode } from '../faker/groups/misc.js';
import { count, drawnOneOf, fakeText, flag, type Group, real, whole } from '../faker/providers.js';
import { maskedName } from './choice.js';
import { plainOf } from './enums.js';

/** Decimal places of a double. */
const MAX_PRECISION = 15;

const float = (
  random: Random,
  low: Value | undefined,
  high: Value | undefined,
  precision: Value | undefined,
): Value => {
  const behind = whole(precision, 'precision');
  if (behind < 0 || behind > MAX_PRECISION)
    return raise('ValueError', `precision must be 0 to ${MAX_PRECISION}`);
  return floatOf(Number(between(random, real(low, 'start'), real(high, 'end')).toFixed(behind)));
};

const integer = (random: Random, low: Value | undefined, high: Value | undefined): number =>
  wholeBetween(random, whole(low, 'start'), whole(high, 'end'), 'integer_number');

export const numeric: Group = ({ random }) => ({
  'integer_number(start=-1000, end=1000)': (low, high) => integer(random, low, high),
  'integers(start=0, end=10, n=10)': (low, high, amount) =>
    repeated(count(amount, 'n'), () => integer(random, low, high)),
  'float_number(start=-1000, end=1000, precision=15)': (low, high, precision) =>
    float(random, low, high, precision),
  'floats(start=0, end=1, n=10, precision=15)': (low, high, amount, precision) =>
    repeated(count(amount, 'n'), () => float(random, low, high, precision)),
  "matrix(m=10, n=10, num_type='floats', start=0, end=1, precision=15)": (
    rows,
    columns,
    type,
    low,
    high,
    precision,
  ) => {
    const isWhole = drawnOneOf(plainOf(type), 'num_type', ['floats', 'integers']) === 'integers';
    const [height, width] = [count(rows, 'm'), count(columns, 'n')];
    count(height * width, 'm times n');
    return repeated(height, () =>
      repeated(width, () => (isWhole ? integer(random, low, high) : float(random, low, high, precision))),
    );
  },
});

const DIGEST_DIGITS: Readonly<Record<string, number>> = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  blake2b: 128,
  blake2s: 64,
};

export const cryptographic: Group = ({ random, english }) => ({
  'uuid()': () => uuid4(random),
  'hash(algorithm=None)': (algorithm) => {
    const wanted = drawnOneOf(plainOf(algorithm), 'algorithm', Object.keys(DIGEST_DIGITS)) ?? 'sha256';
    return hex(random, DIGEST_DIGITS[wanted] ?? 64);
  },
  'token_hex(entropy=32)': (bytes) => hex(random, 2 * count(bytes, 'entropy')),
  'token_urlsafe(entropy=32)': (bytes) =>
    characters(random, `${LETTERS}0123456789-_`, Math.ceil((count(bytes, 'entropy') * 4) / 3)),
  'mnemonic_phrase()': () => english((faker) => faker.word.words(12)),
});

export const code: Group = (locale) => {
  const { random } = locale;
  return {
    'locale_code()': () => localeCode(locale, '-'),
    "issn(mask='####-####')": (mask) => {
      const shape = fakeText(mask, 'mask');
      if (shape !== '####-####') return maskedName(random, shape, '@', '#');
      const body = digits(random, 7);
      return `${body.slice(0, 4)}-${body.slice(4)}${issnDigit(body)}`;
    },
    'isbn(fmt=None, locale=None)': (form) =>
      drawnOneOf(plainOf(form), 'fmt', ['isbn-10', 'isbn-13']) === 'isbn-13'
        ? isbn13(random)
        : isbn10(random),
    'ean(fmt=None)': (form) =>
      ean(random, drawnOneOf(plainOf(form), 'fmt', ['ean-8', 'ean-13']) === 'ean-8' ? 8 : 13),
    'imei()': () => {
      const body = `35${digits(random, 12)}`;
      return body + luhnDigit(body);
    },
    "pin(mask='####')": (mask) => maskedName(random, fakeText(mask, 'mask'), '@', '#'),
  };
};

/** SI prefixes with powers of ten (BIPM, 2022). */
const METRIC_PREFIXES: readonly (readonly [name: string, symbol: string, power: number])[] = [
  ['quetta', 'Q', 30],
  ['ronna', 'R', 27],
  ['yotta', 'Y', 24],
  ['zetta', 'Z', 21],
  ['exa', 'E', 18],
  ['peta', 'P', 15],
  ['tera', 'T', 12],
  ['giga', 'G', 9],
  ['mega', 'M', 6],
  ['kilo', 'k', 3],
  ['deci', 'd', -1],
  ['centi', 'c', -2],
  ['milli', 'm', -3],
  ['micro', 'μ', -6],
  ['nano', 'n', -9],
  ['pico', 'p', -12],
  ['femto', 'f', -15],
  ['atto', 'a', -18],
];

export const science: Group = ({ random, of }) => ({
  'dna_sequence(length=10)': (size) => characters(random, 'TCGA', count(size, 'length')),
  'rna_sequence(length=10)': (size) => characters(random, 'UCGA', count(size, 'length')),
  'measure_unit(name=None, symbol=False)': (_name, isSymbol) => {
    const unit = of((faker) => faker.science.unit());
    return flag(isSymbol) ? unit.symbol : unit.name;
  },
  'metric_prefix(sign=None, symbol=False)': (sign, isSymbol) => {
    const wanted = drawnOneOf(plainOf(sign), 'sign', ['positive', 'negative']);
    const known = METRIC_PREFIXES.filter(
      ([, , power]) => wanted === null || power > 0 === (wanted === 'positive'),
    );
    const [name, symbol] = known[random.integer(0, known.length - 1)] ?? ['kilo', 'k'];
    return flag(isSymbol) ? symbol : name;
  },
  'chemical_element()': () => of((faker) => faker.science.chemicalElement().name),
});
