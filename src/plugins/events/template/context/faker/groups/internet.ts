import type { Random } from '../../../../../../domain/random.js';
import { asciiName } from '../ascii.js';
import * as browsers from '../browsers.js';
import { chance, digits, pick, pickMany, pickWeighted } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import { count, flag, type Group, textOrNone, textsOrNone, wholeOrNone } from '../providers.js';
import { firstName, lastName } from './person.js';

const HOST_PREFIXES = ['app', 'db', 'desktop', 'email', 'laptop', 'lt', 'srv', 'web'];
const FOLDERS = [
  'app',
  'blog',
  'categories',
  'category',
  'explore',
  'list',
  'main',
  'posts',
  'search',
  'tag',
  'tags',
];
const PAGES = [
  'about',
  'author',
  'category',
  'faq',
  'home',
  'index',
  'login',
  'main',
  'post',
  'privacy',
  'register',
  'search',
  'terms',
];
const EXTENSIONS = ['.html', '.htm', '.php', '.jsp', '.asp'];

const hostName = (locale: LoadedLocale, levels = 1): string => {
  const host = `${pick(locale.random, HOST_PREFIXES)}-${digits(locale.random, 2)}`;
  return levels === 0 ? host : `${host}.${domainName(locale, levels)}`;
};

const scheme = (random: Random, schemes: readonly string[] | null): string =>
  pick(random, schemes ?? ['http', 'https']);

const url = (locale: LoadedLocale, schemes: readonly string[] | null = null): string => {
  const www = pick(locale.random, ['', 'www.']);
  return `${scheme(locale.random, schemes)}://${www}${domainName(locale)}/`;
};

export const uriPath = (random: Random, deep: number | null = null): string =>
  pickMany(random, FOLDERS, deep ?? random.integer(1, 3)).join('/');

const uri = (
  locale: LoadedLocale,
  schemes: readonly string[] | null = null,
  deep: number | null = null,
): string => {
  const { random } = locale;
  const folders = deep === 0 ? '' : `${uriPath(random, deep)}/`;
  return `${url(locale, schemes)}${folders}${pick(random, PAGES)}${pick(random, ['', ...EXTENSIONS])}`;
};

export const words = ({ of }: LoadedLocale, amount: number): string[] =>
  Array.from({ length: amount }, () => of((faker) => faker.lorem.word()));

/** ASCII words joined by hyphens. */
export const slug = (locale: LoadedLocale, source: readonly string[]): string => {
  const written = source.map(asciiName).filter((word) => word !== null);
  return written.length > 0 ? written.join('-') : locale.english((faker) => faker.lorem.slug(3));
};

const mail: Group = (locale) => ({
  'email(safe=True, domain=None)': (isSafe, domain) => {
    const wanted = textOrNone(domain, 'domain');
    if (wanted !== null) return emailAt(locale, wanted);
    return flag(isSafe) ? safeEmail(locale) : pick(locale.random, [freeEmail, companyEmail])(locale);
  },
  'ascii_email()': () => pick(locale.random, [freeEmail, companyEmail])(locale),
  'safe_email()': () => safeEmail(locale),
  'ascii_safe_email()': () => safeEmail(locale),
  'free_email()': () => freeEmail(locale),
  'ascii_free_email()': () => freeEmail(locale),
  'company_email()': () => companyEmail(locale),
  'ascii_company_email()': () => companyEmail(locale),
  'free_email_domain()': () => pick(locale.random, FREE_MAIL),
  'safe_domain_name()': () => pick(locale.random, SAFE_DOMAINS),
});

const agents: Group = ({ random }) => ({
  'user_agent()': () => browsers.userAgent(random),
  'chrome()': () => browsers.chrome(random),
  'firefox()': () => browsers.firefox(random),
  'safari()': () => browsers.safari(random),
  'edge()': () => browsers.edge(random),
  'opera()': () => browsers.opera(random),
  'internet_explorer()': () => browsers.internetExplorer(random),
  'android_platform_token()': () => browsers.androidPlatform(random),
  'ios_platform_token()': () => browsers.iosPlatform(random),
  'linux_platform_token()': () => browsers.linuxPlatform(random),
  'mac_platform_token()': () => browsers.macPlatform(random),
  'windows_platform_token()': () => browsers.windowsPlatform(random),
  'linux_processor()': () => pick(random, ['i686', 'x86_64']),
  'mac_processor()': () => 'Intel',
});

export const internet: Group = (locale) => {
  const { random } = locale;
  return {
    'user_name()': () => userName(locale),
    ...mail(locale),
    'domain_name(levels=1)': (levels) => domainName(locale, Math.max(1, count(levels, 'levels'))),
    'domain_word()': () => domainWord(locale),
    'tld()': () => topLevel(locale),
    'hostname(levels=1)': (levels) => hostName(locale, count(levels, 'levels')),
    'url(schemes=None)': (schemes) => url(locale, textsOrNone(schemes, 'schemes')),
    'uri(schemes=None, deep=None)': (schemes, deep) =>
      uri(
        locale,
        textsOrNone(schemes, 'schemes'),
        wholeOrNone(deep, 'deep') === null ? null : count(deep, 'deep'),
      ),
    'uri_path(deep=None)': (deep) =>
      uriPath(random, wholeOrNone(deep, 'deep') === null ? null : count(deep, 'deep')),
    'uri_page()': () => pick(random, PAGES),
    'uri_extension()': () => pick(random, EXTENSIONS),
    'slug(value=None)': (value) =>
      slug(locale, textOrNone(value, 'value')?.split(/[^\p{L}\p{N}]+/u) ?? words(locale, 3)),
    'image_url(width=None, height=None, placeholder_url=None)': (width, height, pattern) => {
      const [w, h] = [width, height].map(
        (size) => wholeOrNone(size, 'width and height') ?? random.integer(1, 1_024),
      );
      const shown = textOrNone(pattern, 'placeholder_url') ?? 'https://dummyimage.com/{width}x{height}';
      return shown.replaceAll('{width}', String(w)).replaceAll('{height}', String(h));
    },
    ...agents(locale),
  };
};

/** Free mail services, and the example domains of RFC 2606. */
export const FREE_MAIL = ['gmail.com', 'hotmail.com', 'yahoo.com', 'outlook.com'];
const SAFE_DOMAINS = ['example.com', 'example.net', 'example.org'];

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
const topLevel = ({ of, english }: LoadedLocale): string => {
  const suffix = of((faker) => faker.internet.domainSuffix());
  return /^[a-z0-9.-]+$/.test(suffix) ? suffix : english((faker) => faker.internet.domainSuffix());
};

/** `levels`: words below the top level. */
const domainName = (locale: LoadedLocale, levels = 1): string =>
  [...Array.from({ length: levels }, () => domainWord(locale)), topLevel(locale)].join('.');

export const emailAt = (locale: LoadedLocale, domain: string): string => `${userName(locale)}@${domain}`;
const safeEmail = (locale: LoadedLocale): string => emailAt(locale, pick(locale.random, SAFE_DOMAINS));
const freeEmail = (locale: LoadedLocale): string => emailAt(locale, pick(locale.random, FREE_MAIL));
const companyEmail = (locale: LoadedLocale): string => emailAt(locale, domainName(locale));
