import type { Random } from '../../../../../../domain/random.js';
import { count, flag, textOrNone, textsOrNone, wholeOrNone } from '../args.js';
import { asciiName } from '../ascii.js';
import * as browsers from '../browsers.js';
import { digits, pick, pickMany } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import type { Group } from '../providers.js';
import {
  companyEmail,
  domainName,
  domainWord,
  emailAt,
  FREE_MAIL,
  freeEmail,
  SAFE_DOMAINS,
  safeEmail,
  topLevel,
  userName,
} from './names.js';

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

export const hostName = (locale: LoadedLocale, levels = 1): string => {
  const host = `${pick(locale.random, HOST_PREFIXES)}-${digits(locale.random, 2)}`;
  return levels === 0 ? host : `${host}.${domainName(locale, levels)}`;
};

const scheme = (random: Random, schemes: readonly string[] | null): string =>
  pick(random, schemes ?? ['http', 'https']);

export const url = (locale: LoadedLocale, schemes: readonly string[] | null = null): string => {
  const www = pick(locale.random, ['', 'www.']);
  return `${scheme(locale.random, schemes)}://${www}${domainName(locale)}/`;
};

export const uriPath = (random: Random, deep: number | null = null): string =>
  pickMany(random, FOLDERS, deep ?? random.integer(1, 3)).join('/');

export const uri = (
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
