import { floatOf, PyTuple, type Value } from '../../../../../../template/index.js';
import { between } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import { drawnOneOf, type Group, real, realOrNone } from '../providers.js';

/** As Python's Faker: about 10 cm. */
const COORDINATE_DIGITS = 6;

export const coordinate = (value: number): Value => floatOf(Number(value.toFixed(COORDINATE_DIGITS)));

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

export const countryName = (code: string): string => COUNTRY_NAMES.of(code) ?? code;

export const address = ({ of }: LoadedLocale): string => of((faker) => faker.location.postalAddress());
export const city = ({ of }: LoadedLocale): string => of((faker) => faker.location.city());
export const country = ({ of }: LoadedLocale): string => of((faker) => faker.location.country());
export const state = ({ of }: LoadedLocale): string => of((faker) => faker.location.state());
export const stateCode = ({ of }: LoadedLocale): string =>
  of((faker) => faker.location.state({ abbreviated: true }));
export const zipCode = ({ of }: LoadedLocale): string => of((faker) => faker.location.zipCode());
export const streetName = ({ of }: LoadedLocale): string => of((faker) => faker.location.street());
const buildingNumber = ({ of }: LoadedLocale): string => of((faker) => faker.location.buildingNumber());

/** English if the locale has no such part. */
export const namePart = (
  { of }: LoadedLocale,
  part: 'city_prefix' | 'city_suffix' | 'street_suffix',
): string => of((faker) => faker.helpers.arrayElement(faker.definitions.location[part]));

export const addresses: Group = (locale) => {
  const { random, of } = locale;
  const zip = (): string => zipCode(locale);
  const region = (): string => state(locale);
  return {
    'address()': () => address(locale),
    'street_address()': () => of((faker) => faker.location.streetAddress()),
    'street_name()': () => streetName(locale),
    'street_suffix()': () => namePart(locale, 'street_suffix'),
    'building_number()': () => buildingNumber(locale),
    'secondary_address()': () => of((faker) => faker.location.secondaryAddress()),
    'city()': () => city(locale),
    'city_prefix()': () => namePart(locale, 'city_prefix'),
    'city_suffix()': () => namePart(locale, 'city_suffix'),
    'state()': region,
    'administrative_unit()': region,
    'state_abbr(include_territories=True, include_freely_associated_states=True)': () => stateCode(locale),
    'zipcode()': zip,
    'postcode()': zip,
    'postalcode()': zip,
    'country()': () => country(locale),
    'country_code(representation="alpha-2")': (form) =>
      drawnOneOf(form, 'representation', ['alpha-2', 'alpha-3']) === 'alpha-3'
        ? of((faker) => faker.location.countryCode('alpha-3'))
        : of((faker) => faker.location.countryCode('alpha-2')),
    'current_country()': () => countryName(locale.country),
    'current_country_code()': () => locale.country,
    'latitude()': () => coordinate(between(random, -90, 90)),
    'longitude()': () => coordinate(between(random, -180, 180)),
    'latlng()': () =>
      new PyTuple([coordinate(between(random, -90, 90)), coordinate(between(random, -180, 180))]),
    'coordinate(center=None, radius=0)': (center, given) => {
      const middle = realOrNone(center, 'center');
      if (middle === null) return coordinate(between(random, -180, 180));
      const radius = real(given, 'radius') || 0.001;
      return coordinate(between(random, middle - radius, middle + radius));
    },
  };
};
