import type { Random } from '../../../../../../domain/random.js';
import { raise } from '../../../../../../template/index.js';
import {
  chance,
  characters,
  DIGITS,
  hex,
  LOWER_LETTERS,
  pick,
  shuffled,
  UPPER_LETTERS,
  uuid4,
} from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import { flag, type Group, length, real } from '../providers.js';

/** Web-safe colors since HTML 3.2. */
const SAFE_COLORS: readonly (readonly [name: string, code: string])[] = [
  ['aqua', '#00ffff'],
  ['black', '#000000'],
  ['blue', '#0000ff'],
  ['fuchsia', '#ff00ff'],
  ['gray', '#808080'],
  ['green', '#008000'],
  ['lime', '#00ff00'],
  ['maroon', '#800000'],
  ['navy', '#000080'],
  ['olive', '#808000'],
  ['purple', '#800080'],
  ['red', '#ff0000'],
  ['silver', '#c0c0c0'],
  ['teal', '#008080'],
  ['white', '#ffffff'],
  ['yellow', '#ffff00'],
];

const SPECIAL_CHARACTERS = '!@#$%^&*()_+';

/** At least one character of each alphabet. */
export const password = (random: Random, size: number, alphabets: readonly string[]): string => {
  if (alphabets.length === 0) return raise('ValueError', 'a password needs one kind of characters at least');
  if (size < alphabets.length)
    return raise(
      'ValueError',
      `a password of ${alphabets.length} kinds of characters needs a length of that`,
    );
  const needed = alphabets.map((alphabet) => characters(random, alphabet, 1));
  const rest = characters(random, alphabets.join(''), size - needed.length);
  return shuffled(random, [...needed, ...rest]).join('');
};

export const rgb = (random: Random): readonly [number, number, number] => [
  random.integer(0, 255),
  random.integer(0, 255),
  random.integer(0, 255),
];

export const colorName = ({ of }: LoadedLocale): string => of((faker) => faker.color.human());
export const safeHexColor = (random: Random): string => pick(random, SAFE_COLORS)[1];

const language = ({ of }: LoadedLocale): { readonly name: string; readonly alpha2: string } =>
  of((faker) => faker.location.language());

export const localeCode = (locale: LoadedLocale, separator = '_'): string =>
  `${language(locale).alpha2}${separator}${locale.of((faker) => faker.location.countryCode())}`;

export const languageName = (locale: LoadedLocale): string => language(locale).name;
export const emoji = ({ of }: LoadedLocale): string => of((faker) => faker.internet.emoji());

const digest = (random: Random, size: number, isRaw: boolean): string =>
  isRaw
    ? raise('ValueError', 'raw_output is not supported; the digest is given in hexadecimal')
    : hex(random, size);

export const misc: Group = (locale) => {
  const { random } = locale;
  return {
    'boolean(chance_of_getting_true=50)': (percent) =>
      chance(random, real(percent, 'chance_of_getting_true') / 100),
    'null_boolean()': () => pick(random, [true, false, null]),
    'uuid4(cast_to=None)': () => uuid4(random),
    'md5(raw_output=False)': (isRaw) => digest(random, 32, flag(isRaw)),
    'sha1(raw_output=False)': (isRaw) => digest(random, 40, flag(isRaw)),
    'sha256(raw_output=False)': (isRaw) => digest(random, 64, flag(isRaw)),
    'password(length=10, special_chars=True, digits=True, upper_case=True, lower_case=True)': (
      size,
      ...kinds
    ) => {
      const alphabets = [SPECIAL_CHARACTERS, DIGITS, UPPER_LETTERS, LOWER_LETTERS];
      return password(
        random,
        length(size, 'length'),
        alphabets.filter((_, index) => flag(kinds[index])),
      );
    },
    'color_name()': () => colorName(locale),
    'safe_color_name()': () => pick(random, SAFE_COLORS)[0],
    'hex_color()': () => `#${hex(random, 6)}`,
    'safe_hex_color()': () => safeHexColor(random),
    'rgb_color()': () => rgb(random).join(','),
    'rgb_css_color()': () => `rgb(${rgb(random).join(',')})`,
    'color()': () => `#${hex(random, 6)}`,
    'emoji()': () => emoji(locale),
    'language_code()': () => language(locale).alpha2,
    'language_name()': () => languageName(locale),
    'locale()': () => localeCode(locale),
  };
};
