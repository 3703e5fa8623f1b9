import type { Random } from '../../../../../domain/random.js';
import { PyDict, raise, type Value } from '../../../../../template/index.js';
import { between, pick } from '../faker/draws.js';
import * as places from '../faker/groups/address.js';
import type { LoadedLocale } from '../faker/locales.js';
import { flag, type Group, whole } from '../faker/providers.js';
import { plainOf } from './enums.js';
import { CONTINENT_CODES, IATA_CODES, ICAO_CODES } from './tables.js';

/** `52º31'12.000"N`. */
const dms = (degrees: number, positive: string, negative: string): string => {
  const size = Math.abs(degrees);
  const minutes = (size % 1) * 60;
  const seconds = ((minutes % 1) * 60).toFixed(3);
  return `${Math.floor(size)}º${Math.floor(minutes)}'${seconds}"${degrees < 0 ? negative : positive}`;
};

const latitude = (random: Random, isDms: boolean): Value => {
  const degrees = between(random, -90, 90);
  return isDms ? dms(degrees, 'N', 'S') : places.coordinate(degrees);
};

const longitude = (random: Random, isDms: boolean): Value => {
  const degrees = between(random, -180, 180);
  return isDms ? dms(degrees, 'E', 'W') : places.coordinate(degrees);
};

const countryCode = ({ of }: LoadedLocale, form: Value | undefined): string => {
  switch (plainOf(form)) {
    case 'a2':
    case null:
      return of((faker) => faker.location.countryCode('alpha-2'));
    case 'a3':
      return of((faker) => faker.location.countryCode('alpha-3'));
    case 'numeric':
      return of((faker) => faker.location.countryCode('numeric'));
    default:
      return raise('ValueError', 'code_format must be CountryCode.A2, A3 or NUMERIC');
  }
};

/** Regional indicator symbols (Unicode 6.0). */
const flagOf = (code: string): string =>
  String.fromCodePoint(...[...code].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));

export const addressProvider: Group = (locale) => {
  const { random, of } = locale;
  const state = (isShort: Value | undefined): string =>
    flag(isShort) ? places.stateCode(locale) : places.state(locale);
  const zip = (): string => places.zipCode(locale);
  return {
    'address()': () => of((faker) => faker.location.streetAddress()),
    'city()': () => places.city(locale),
    'country()': () => places.country(locale),
    'country_code(code_format=None)': (form) => countryCode(locale, form),
    'country_emoji_flag()': () => flagOf(countryCode(locale, null)),
    'default_country()': () => places.countryName(locale.country),
    'state(abbr=False)': state,
    'region(abbr=False)': state,
    'province(abbr=False)': state,
    'federal_subject(abbr=False)': state,
    'prefecture(abbr=False)': state,
    'street_name()': () => places.streetName(locale),
    'street_number(maximum=1400)': (most) => String(random.integer(1, Math.max(1, whole(most, 'maximum')))),
    'street_suffix()': () => places.namePart(locale, 'street_suffix'),
    'zip_code()': zip,
    'postal_code()': zip,
    'latitude(dms=False)': (isDms) => latitude(random, flag(isDms)),
    'longitude(dms=False)': (isDms) => longitude(random, flag(isDms)),
    'coordinates(dms=False)': (isDms) =>
      new PyDict()
        .set('longitude', longitude(random, flag(isDms)))
        .set('latitude', latitude(random, flag(isDms))),
    'continent(code=False)': (isCode) =>
      flag(isCode) ? pick(random, CONTINENT_CODES) : of((faker) => faker.location.continent()),
    'calling_code()': () => `+${random.integer(20, 998)}`,
    'isd_code()': () => `+${random.integer(20, 998)}`,
    'iata_code()': () => pick(random, IATA_CODES),
    'icao_code()': () => pick(random, ICAO_CODES),
  };
};
