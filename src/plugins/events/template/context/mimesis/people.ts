import type { Random } from '../../../../../domain/random.js';
import { floatOf, raise, type Value } from '../../../../../template/index.js';
import { characters, DIGITS, hex, LETTERS, pick, wholeBetween } from '../faker/draws.js';
import { emailAt, FREE_MAIL, userName } from '../faker/groups/internet.js';
import { languageName } from '../faker/groups/misc.js';
import { firstName, jobTitle, lastName, phoneNumber, prefix } from '../faker/groups/person.js';
import type { LoadedLocale } from '../faker/locales.js';
import { civilSeconds, dateAt, secondBetween } from '../faker/moments.js';
import {
  fakeText,
  flag,
  type Group,
  length,
  real,
  textsOrNone,
  whole,
  wholeOrNone,
} from '../faker/providers.js';
import { maskedName } from './choice.js';
import { plainOf } from './enums.js';
import { BLOOD_TYPES, DEGREES, NATIONALITIES, UNIVERSITY_WORDS } from './tables.js';

type Gender = 'female' | 'male';

/** From an enum member, text, or None for any. */
export const genderOf = (random: Random, value: Value | undefined): Gender => {
  const given = plainOf(value);
  if (given === null) return pick(random, ['female', 'male'] as const);
  if (given === 'female' || given === 'male') return given;
  return raise('ValueError', 'gender must be Gender.MALE, Gender.FEMALE, male or female');
};

/** Mask: `U` capitalized word, `l` lowercase word, `C` like `U`, `d` number; others copied. */
const maskedUser = (locale: LoadedLocale, mask: string, low: number, high: number): string =>
  [...mask]
    .map((part) => {
      if (part === 'd') return String(wholeBetween(locale.random, low, high, 'drange'));
      const word = locale.english((faker) => faker.word.noun()).replace(/[^a-z]/gi, '');
      if (part === 'l') return word.toLowerCase();
      if (part === 'U') return word.toUpperCase();
      if (part === 'C') return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
      return '_.-'.includes(part)
        ? part
        : raise('ValueError', `mask must consist of C, U, l, d and _ . -, not '${part}'`);
    })
    .join('');

const decimalBetween = (random: Random, low: number, high: number, digits: number): Value =>
  floatOf(Number((low + (high - low) * random.next()).toFixed(digits)));

const drange = (value: Value | undefined): readonly [number, number] => {
  if ((value ?? null) === null) return [1800, 2100];
  const [low, high] = [...(Array.isArray(value) ? value : [])].map((each) => whole(each, 'drange'));
  return low === undefined || high === undefined
    ? raise('ValueError', 'drange must be a list of two whole numbers')
    : [low, high];
};

const names: Group = (locale) => {
  const { random, of } = locale;
  const first = (gender: Value | undefined): string => firstName(locale, genderOf(random, gender));
  const last = (gender: Value | undefined): string => lastName(locale, genderOf(random, gender));
  return {
    'name(gender=None)': (gender) => first(gender),
    'first_name(gender=None)': (gender) => first(gender),
    'last_name(gender=None)': (gender) => last(gender),
    'surname(gender=None)': (gender) => last(gender),
    'full_name(gender=None, reverse=False)': (gender, isReversed) => {
      const sex = genderOf(random, gender);
      const [given, family] = [firstName(locale, sex), lastName(locale, sex)];
      return flag(isReversed) ? `${family} ${given}` : `${given} ${family}`;
    },
    'title(gender=None, title_type=None)': (gender) => prefix(locale, genderOf(random, gender)),
    'gender()': () => of((faker) => faker.person.sex()),
    'sex()': () => of((faker) => faker.person.sex()),
    'gender_symbol()': () => pick(random, ['♂', '♀', '⚲']),
    'gender_code()': () => pick(random, [0, 1, 2, 9]),
  };
};

export const personProvider: Group = (locale) => {
  const { random } = locale;
  const phone = (mask: Value | undefined, placeholder: Value | undefined): string => {
    const shape = fakeText(mask, 'mask');
    return shape === ''
      ? phoneNumber(locale)
      : maskedName(random, shape, '', fakeText(placeholder, 'placeholder'));
  };
  return {
    ...names(locale),
    'username(mask=None, drange=None)': (mask = null, range) =>
      mask === null
        ? `${userName(locale)}${pick(random, ['', '_', '.'])}${random.integer(1800, 2100)}`
        : maskedUser(locale, fakeText(mask, 'mask'), ...drange(range)),
    'email(domains=None, unique=False)': (domains, isUnique) => {
      const domain = pick(random, textsOrNone(domains, 'domains') ?? FREE_MAIL).replace(/^@/, '');
      return flag(isUnique) ? `${hex(random, 32)}@${domain}` : emailAt(locale, domain);
    },
    'password(length=8, hashed=False)': (size, isHashed) =>
      flag(isHashed)
        ? hex(random, 64)
        : characters(random, `${LETTERS}${DIGITS}!"#$%&'()*+,-./:;<=>?@[]^_{|}~`, length(size, 'length')),
    "phone_number(mask='', placeholder='#')": phone,
    "telephone(mask='', placeholder='#')": phone,
    'age(minimum=16, maximum=66)': (low, high) =>
      wholeBetween(random, whole(low, 'minimum'), whole(high, 'maximum'), 'age'),
    'birthdate(min_year=1980, max_year=2023)': (low, high) => {
      const [first, last] = [whole(low, 'min_year'), whole(high, 'max_year')];
      return dateAt(secondBetween(random, civilSeconds(first, 1, 1), civilSeconds(last + 1, 1, 1) - 1));
    },
    'occupation()': () => jobTitle(locale),
    'nationality(gender=None)': () => pick(random, NATIONALITIES),
    'university()': () => `${pick(random, UNIVERSITY_WORDS)} ${locale.of((faker) => faker.location.city())}`,
    'academic_degree()': () => pick(random, DEGREES),
    'language()': () => languageName(locale),
    'blood_type()': () => pick(random, BLOOD_TYPES),
    'height(minimum=None, maximum=None)': (low, high) =>
      decimalBetween(
        random,
        (low ?? null) === null ? 1.5 : real(low, 'minimum'),
        (high ?? null) === null ? 2 : real(high, 'maximum'),
        2,
      ),
    'weight(minimum=38, maximum=90)': (low, high) =>
      wholeBetween(random, wholeOrNone(low, 'minimum') ?? 38, wholeOrNone(high, 'maximum') ?? 90, 'weight'),
    "identifier(mask='##-##/##')": (mask) => maskedName(random, fakeText(mask, 'mask'), '@', '#'),
  };
};
