import { raise } from '../errors.js';
import { checkItems, checkText } from '../limits.js';
import { inParts, joined } from '../text/pieces.js';
import { splitIn } from '../text/search.js';
import { native } from '../values/methods.js';
import { truthy } from '../values/operations/compare.js';
import { iterate, listFrom } from '../values/operations/iterate.js';
import { str } from '../values/operations/print.js';
import { needBytes } from '../values/types/bytes.js';
import { PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { typeName, type Value } from '../values/value.js';
import { HostModule } from './hostModule.js';
import { joinUrl, parseUrl, splitUrl, unsplitUrl, withoutFragment } from './urlSplit.js';

const needUrl = (value: Value): string =>
  textOf(value) ?? raise('TypeError', `expected str, not ${typeName(value)}`);

const isAlwaysSafe = (character: string): boolean => /^[A-Za-z0-9_.~-]$/.test(character);

const quotePart = (part: string, safe: string): string => {
  let result = '';
  for (const byte of Buffer.from(part)) {
    const character = String.fromCharCode(byte);
    result +=
      isAlwaysSafe(character) || (byte < 128 && safe.includes(character))
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return result;
};

const quote = (value: Value, safe: Value): string => {
  const text = textOf(value) ?? Buffer.from(needBytes(value)).toString('utf8');
  return inParts(text, (part) => quotePart(part, needUrl(safe)));
};

const quotePlus = (value: Value, safe: Value): string => {
  const text = textOf(value);
  if (text === null || !text.includes(' ')) return quote(value, safe);
  return quote(text, `${needUrl(safe)} `).replaceAll(' ', '+');
};

const ESCAPES = /(?:%[0-9a-fA-F]{2})+/g;

const unquote = (text: string): string =>
  text.includes('%')
    ? checkText(text.replace(ESCAPES, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')))
    : text;

const unquotePlus = (text: string): string => unquote(text.replaceAll('+', ' '));

const pairOf = (pair: Value): readonly [Value, Value] => {
  const [key, value, ...more] = listFrom(pair);
  return key === undefined || value === undefined || more.length > 0
    ? raise('TypeError', 'not a valid non-string sequence or mapping object')
    : [key, value];
};

/** A query value: strings and bytes unchanged, others printed. */
const queryText = (value: Value, safe: Value): string => {
  const isText = textOf(value) !== null || typeName(value) === 'bytes';
  return quotePlus(isText ? value : str(value), safe);
};

const urlencode = (query: Value, doSeq: Value, safe: Value): string => {
  if (textOf(query) !== null || (query !== null && typeof query !== 'object'))
    return raise('TypeError', 'not a valid non-string sequence or mapping object');
  const pairs = query instanceof PyDict ? query.pairList() : [...iterate(query)].map(pairOf);
  const parts: Value[] = [];
  for (const [key, value] of pairs) {
    const isMany = truthy(doSeq) && (Array.isArray(value) || value instanceof PyTuple);
    for (const each of isMany ? iterate(value) : [value])
      parts.push(`${queryText(key, safe)}=${queryText(each, safe)}`);
  }
  return joined(parts, '&', str);
};

const parsedPairs = (query: Value, keepsBlank: Value, separator: Value): PyTuple[] => {
  const between = needUrl(separator);
  if (between === '') return raise('ValueError', 'Separator must be of type string or bytes.');
  const pairs: PyTuple[] = [];
  for (const part of splitIn(needUrl(query), between)) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const [key, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    if (value !== '' || truthy(keepsBlank)) pairs.push(new PyTuple([unquotePlus(key), unquotePlus(value)]));
  }
  checkItems(pairs.length);
  return pairs;
};

const parsedQuery = (query: Value, keepsBlank: Value, separator: Value): PyDict => {
  const dict = new PyDict();
  for (const { items } of parsedPairs(query, keepsBlank, separator)) {
    const [key = '', value = ''] = items;
    const known = dict.get(key);
    if (Array.isArray(known)) known.push(value);
    else dict.set(key, [value]);
  }
  return dict;
};

export const urllibModule = (): HostModule =>
  new HostModule('urllib', {
    parse: new HostModule('urllib.parse', {
      quote: native("quote(string, safe='/', encoding=None, errors=None)", (value = null, safe = '/') =>
        quote(value, safe),
      ),
      quote_plus: native(
        "quote_plus(string, safe='', encoding=None, errors=None)",
        (value = null, safe = '') => quotePlus(value, safe),
      ),
      unquote: native("unquote(string, encoding='utf-8', errors='replace')", (text = null) =>
        unquote(needUrl(text)),
      ),
      unquote_plus: native("unquote_plus(string, encoding='utf-8', errors='replace')", (text = null) =>
        unquotePlus(needUrl(text)),
      ),
      urlencode: native("urlencode(query, doseq=False, safe='')", (query = null, doSeq = false, safe = '') =>
        urlencode(query, doSeq, safe),
      ),
      parse_qs: native(
        "parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None, separator='&')",
        (query = null, blank = false, _strict, _encoding, _errors, _most, separator = '&') =>
          parsedQuery(query, blank, separator),
      ),
      parse_qsl: native(
        "parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None, separator='&')",
        (query = null, blank = false, _strict, _encoding, _errors, _most, separator = '&') =>
          parsedPairs(query, blank, separator),
      ),
      urlparse: native(
        "urlparse(url, scheme='', allow_fragments=True)",
        (url = null, scheme = '', fragments = true) =>
          parseUrl(needUrl(url), needUrl(scheme), truthy(fragments)),
      ),
      urlsplit: native(
        "urlsplit(url, scheme='', allow_fragments=True)",
        (url = null, scheme = '', fragments = true) =>
          splitUrl(needUrl(url), needUrl(scheme), truthy(fragments)),
      ),
      urlunparse: native('urlunparse(components)', (parts = null) => unsplitUrl(listFrom(parts).map(str), 6)),
      urlunsplit: native('urlunsplit(components)', (parts = null) => unsplitUrl(listFrom(parts).map(str), 5)),
      urljoin: native('urljoin(base, url, allow_fragments=True)', (base = null, url = null) =>
        joinUrl(needUrl(base), needUrl(url)),
      ),
      urldefrag: native('urldefrag(url)', (url = null) => withoutFragment(needUrl(url))),
    }),
  });
