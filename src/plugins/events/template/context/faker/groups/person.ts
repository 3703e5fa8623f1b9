import type { Random } from '../../../../../../domain/random.js';
import { chance, pick } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import type { Group } from '../providers.js';

type Sex = 'female' | 'male' | undefined;

const sexes = (random: Random): Sex => pick(random, ['female', 'male'] as const);

export const firstName = ({ of }: LoadedLocale, sex?: Sex): string =>
  of((faker) => faker.person.firstName(sex));
export const lastName = ({ of }: LoadedLocale, sex?: Sex): string =>
  of((faker) => faker.person.lastName(sex));
export const prefix = ({ of }: LoadedLocale, sex?: Sex): string => of((faker) => faker.person.prefix(sex));
export const suffix = ({ of }: LoadedLocale): string => of((faker) => faker.person.suffix());
export const fullName = ({ of }: LoadedLocale, sex?: Sex): string =>
  of((faker) => faker.person.fullName(sex === undefined ? {} : { sex }));
export const jobTitle = ({ of }: LoadedLocale): string => of((faker) => faker.person.jobTitle());
export const phoneNumber = ({ of }: LoadedLocale): string => of((faker) => faker.phone.number());

export const person: Group = (locale) => {
  const { random, of } = locale;
  return {
    'name()': () => fullName(locale, sexes(random)),
    'name_female()': () => fullName(locale, 'female'),
    'name_male()': () => fullName(locale, 'male'),
    'name_nonbinary()': () => fullName(locale),
    'first_name()': () => firstName(locale),
    'first_name_female()': () => firstName(locale, 'female'),
    'first_name_male()': () => firstName(locale, 'male'),
    'first_name_nonbinary()': () => firstName(locale),
    'middle_name()': () => of((faker) => faker.person.middleName()),
    'last_name()': () => lastName(locale),
    'last_name_female()': () => lastName(locale, 'female'),
    'last_name_male()': () => lastName(locale, 'male'),
    'last_name_nonbinary()': () => lastName(locale),
    'prefix()': () => prefix(locale),
    'prefix_female()': () => prefix(locale, 'female'),
    'prefix_male()': () => prefix(locale, 'male'),
    'prefix_nonbinary()': () => prefix(locale),
    'suffix()': () => suffix(locale),
    'suffix_female()': () => suffix(locale),
    'suffix_male()': () => suffix(locale),
    'suffix_nonbinary()': () => suffix(locale),
    'job()': () => jobTitle(locale),
    'job_female()': () => jobTitle(locale),
    'job_male()': () => jobTitle(locale),
    'phone_number()': () => phoneNumber(locale),
    'basic_phone_number()': () => phoneNumber(locale),
    'msisdn()': () => of((faker) => faker.string.numeric({ length: 13, allowLeadingZeros: false })),
    'country_calling_code()': () =>
      `+${chance(random, 0.1) ? pick(random, ['1', '7']) : random.integer(20, 99)}`,
  };
};
