import type { Random } from '../../../../../domain/random.js';
import { iterate, PyDict, PyTuple, raise, type Value } from '../../../../../template/index.js';
import { userAgent } from '../faker/browsers.js';
import { pick, wholeBetween } from '../faker/draws.js';
import { MIME_TYPES, ofKind } from '../faker/groups/files.js';
import { domainWord, slug, uriPath, words } from '../faker/groups/internet.js';
import { HTTP_STATUS_CODES, httpMethod, ipv4Any, ipv6, macAddress } from '../faker/groups/network.js';
import type { LoadedLocale } from '../faker/locales.js';
import {
  count,
  drawnOneOf,
  fakeText,
  type Group,
  textsOrNone,
  whole,
  wholeOrNone,
} from '../faker/providers.js';
import { plainOf } from './enums.js';
import { PUBLIC_DNS, STATUS_MESSAGES, TOP_LEVELS } from './tables.js';

/** From a member of PortRange, or a list of two. */
const portRange = (value: Value | undefined): readonly [number, number] => {
  const given = plainOf(value);
  if (given === null) return [1, 65_535];
  if (!Array.isArray(given) && !(given instanceof PyTuple))
    return raise('TypeError', 'port_range must be a member of PortRange or a list of two numbers');
  const [low, high] = [...iterate(given)].map((each) => whole(each, 'port_range'));
  return low === undefined || high === undefined || low < 0 || high > 65_535
    ? raise('ValueError', 'port_range must be two numbers from 0 to 65535')
    : [low, high];
};

export const port = (random: Random, range?: Value): number => {
  const [low, high] = portRange(range);
  return wholeBetween(random, low, high, 'port_range');
};

const topLevel = (random: Random, kind?: Value): string =>
  ofKind(random, TOP_LEVELS, drawnOneOf(plainOf(kind), 'tld_type', Object.keys(TOP_LEVELS)));

const hostName = (locale: LoadedLocale, kind: Value | undefined, subdomains: Value | undefined): string => {
  const known = textsOrNone(subdomains, 'subdomains');
  const below = known === null ? '' : `${pick(locale.random, known)}.`;
  return `${below}${domainWord(locale)}${topLevel(locale.random, kind)}`;
};

const query = (locale: LoadedLocale, amount: number): string =>
  Array.from({ length: amount }, () => {
    const [key, value] = [slug(locale, words(locale, 1)), slug(locale, words(locale, 1))];
    return `${key}=${value}`;
  }).join('&');

const pages: Group = (locale) => {
  const { random } = locale;
  const amount = (value: Value | undefined): number =>
    wholeOrNone(value, 'length') === null ? random.integer(1, 10) : count(value, 'length');
  const scheme = (value: Value | undefined): string => fakeText(plainOf(value), 'scheme');
  const tld = (kind: Value | undefined): string => topLevel(random, kind);
  return {
    'hostname(tld_type=None, subdomains=None)': (kind, subdomains) => hostName(locale, kind, subdomains),
    "url(scheme='https', port_range=None, tld_type=None, subdomains=None)": (
      given,
      range,
      kind,
      subdomains,
    ) => {
      const host = `${scheme(given)}://${hostName(locale, kind, subdomains)}`;
      return (range ?? null) === null ? `${host}/` : `${host}:${port(random, range)}/`;
    },
    "uri(scheme='https', tld_type=None, subdomains=None, query_params_count=None)": (
      given,
      kind,
      subdomains,
      parameters,
    ) => {
      const host = `${scheme(given)}://${hostName(locale, kind, subdomains)}`;
      const many =
        wholeOrNone(parameters, 'query_params_count') === null ? 0 : count(parameters, 'query_params_count');
      return `${host}/${uriPath(random)}${many === 0 ? '' : `?${query(locale, many)}`}`;
    },
    'path(parts_count=None)': (parts) =>
      uriPath(random, wholeOrNone(parts, 'parts_count') === null ? null : count(parts, 'parts_count')),
    'slug(parts_count=None)': (parts) =>
      slug(
        locale,
        words(
          locale,
          wholeOrNone(parts, 'parts_count') === null ? random.integer(2, 5) : count(parts, 'parts_count'),
        ),
      ),
    'query_string(length=None)': (size) => query(locale, amount(size)),
    'query_parameters(length=None)': (size) => {
      const dict = new PyDict();
      for (let left = amount(size); left > 0; left--)
        dict.set(slug(locale, words(locale, 1)), slug(locale, words(locale, 1)));
      return dict;
    },
    'tld(tld_type=None)': tld,
    'top_level_domain(tld_type=None)': tld,
  };
};

export const internetProvider: Group = (locale) => {
  const { random } = locale;
  return {
    'ip_v4()': () => ipv4Any(random),
    'ip_v4_with_port(port_range=None)': (range) => `${ipv4Any(random)}:${port(random, range)}`,
    'ip_v6()': () => ipv6(random),
    'mac_address()': () => macAddress(random),
    'asn()': () => `AS${random.integer(1, 4_199_999_999)}`,
    'user_agent()': () => userAgent(random),
    'port(port_range=None)': (range) => port(random, range),
    'http_method()': () => httpMethod(random),
    'http_status_code()': () => pick(random, HTTP_STATUS_CODES),
    'http_status_message()': () => pick(random, STATUS_MESSAGES),
    'content_type(mime_type=None)': (kind) =>
      ofKind(random, MIME_TYPES, drawnOneOf(plainOf(kind), 'mime_type', Object.keys(MIME_TYPES))),
    'public_dns()': () => pick(random, PUBLIC_DNS),
    ...pages(locale),
  };
};
