import { asciiName } from '../ascii.js';
import { chance, digits, pick, pickWeighted } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import { firstName, lastName } from './person.js';

/** Free mail services, and the example domains of RFC 2606. */
export const FREE_MAIL = ['gmail.com', 'hotmail.com', 'yahoo.com', 'outlook.com'];
export const SAFE_DOMAINS = ['example.com', 'example.net', 'example.org'];

const asciiFirst = (locale: LoadedLocale): string =>
  asciiName(firstName(locale)) ?? asciiName(locale.english((faker) => faker.person.firstName())) ?? 'alex';

const asciiLast = (locale: LoadedLocale): string =>
  asciiName(lastName(locale)) ?? asciiName(locale.english((faker) => faker.person.lastName())) ?? 'smith';

/** Lowercase ASCII: `jsmith`, `anna47`, `millerjoe`. */
export const userName = (locale: LoadedLocale): string =>
  pickWeighted(locale.random, [
    [() => `${asciiFirst(locale).charAt(0)}${asciiLast(locale)}`, 4],
    [() => `${asciiFirst(locale)}${digits(locale.random, 2)}`, 4],
    [() => `${asciiFirst(locale)}${asciiLast(locale)}`, 3],
    [() => `${asciiLast(locale)}${asciiFirst(locale)}`, 2],
  ])();

/** The part below the top level: `miller`, `cole-hall`. */
export const domainWord = (locale: LoadedLocale): string =>
  chance(locale.random, 0.7) ? asciiLast(locale) : `${asciiLast(locale)}-${asciiLast(locale)}`;

/** ASCII top-level domains only. */
export const topLevel = ({ of, english }: LoadedLocale): string => {
  const suffix = of((faker) => faker.internet.domainSuffix());
  return /^[a-z0-9.-]+$/.test(suffix) ? suffix : english((faker) => faker.internet.domainSuffix());
};

/** `levels`: words below the top level. */
export const domainName = (locale: LoadedLocale, levels = 1): string =>
  [...Array.from({ length: levels }, () => domainWord(locale)), topLevel(locale)].join('.');

export const emailAt = (locale: LoadedLocale, domain: string): string => `${userName(locale)}@${domain}`;
export const safeEmail = (locale: LoadedLocale): string => emailAt(locale, pick(locale.random, SAFE_DOMAINS));
export const freeEmail = (locale: LoadedLocale): string => emailAt(locale, pick(locale.random, FREE_MAIL));
export const companyEmail = (locale: LoadedLocale): string => emailAt(locale, domainName(locale));
