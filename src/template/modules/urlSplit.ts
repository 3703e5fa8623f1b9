import { raise } from '../errors.js';
import { checkText } from '../limits.js';
import { native } from '../values/methods.js';
import { intOf, type Value } from '../values/value.js';
import { NamedTuple } from './datetime/date.js';

const SPLIT_NAMES = ['scheme', 'netloc', 'path', 'query', 'fragment'];
const PARSE_NAMES = ['scheme', 'netloc', 'path', 'params', 'query', 'fragment'];
const USES_PARAMS = new Set([
  '',
  'ftp',
  'hdl',
  'prospero',
  'http',
  'https',
  'shttp',
  'rtsp',
  'rtspu',
  'sip',
  'sips',
  'mms',
  'sftp',
  'tel',
]);
const USES_NETLOC = new Set([
  '',
  'ftp',
  'http',
  'gopher',
  'nntp',
  'telnet',
  'imap',
  'wais',
  'file',
  'mms',
  'https',
  'shttp',
  'snews',
  'prospero',
  'rtsp',
  'rtspu',
  'rsync',
  'svn',
  'svn+ssh',
  'sftp',
  'nfs',
  'git',
  'git+ssh',
  'ws',
  'wss',
]);
const USES_RELATIVE = new Set([
  '',
  'ftp',
  'http',
  'gopher',
  'nntp',
  'imap',
  'wais',
  'file',
  'https',
  'shttp',
  'mms',
  'prospero',
  'rtsp',
  'rtspu',
  'sftp',
  'svn',
  'svn+ssh',
  'ws',
  'wss',
]);

/** Result of `urlsplit` and `urlparse`: a named tuple, plus the parts of `netloc`. */
class SplitResult extends NamedTuple {
  private get netloc(): string {
    return String(this.items[1] ?? '');
  }
  private get user(): readonly [string | null, string | null] {
    const at = this.netloc.lastIndexOf('@');
    if (at < 0) return [null, null];
    const [name = '', ...password] = this.netloc.slice(0, at).split(':');
    return [name, password.length === 0 ? null : password.join(':')];
  }
  private get host(): readonly [string | null, string | null] {
    const text = this.netloc.slice(this.netloc.lastIndexOf('@') + 1);
    const bracketed = /^\[([^\]]*)\](?::(.*))?$/s.exec(text);
    const [name = '', port = ''] = bracketed === null ? partition(text, ':') : [bracketed[1], bracketed[2]];
    return [name === '' ? null : name.toLowerCase(), port === '' ? null : port];
  }
  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'username':
        return this.user[0];
      case 'password':
        return this.user[1];
      case 'hostname':
        return this.host[0];
      case 'port':
        return portOf(this.host[1]);
      case 'geturl':
        return native('geturl()', () => unsplitUrl(this.items.map(String), this.items.length));
      default:
        return super.attribute(name);
    }
  }
}

const portOf = (text: string | null): Value => {
  if (text === null) return null;
  if (!/^[0-9]+$/.test(text))
    return raise('ValueError', `Port could not be cast to integer value as '${text}'`);
  return text.length <= 5 && Number(text) <= 65_535
    ? intOf(BigInt(text))
    : raise('ValueError', 'Port out of range 0-65535');
};

const partition = (text: string, separator: string): readonly [string, string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
};

type Five = readonly [scheme: string, netloc: string, path: string, query: string, fragment: string];

const withoutBlanks = (text: string): string => {
  let from = 0;
  while (from < text.length && text.charCodeAt(from) <= 0x20) from++;
  return text.slice(from);
};

const fiveOf = (given: string, scheme: string, allowsFragments: boolean): Five => {
  let rest = withoutBlanks(given).replace(/[\t\r\n]/g, '');
  let found = scheme;
  const colon = rest.indexOf(':');
  if (colon > 0 && /^[a-zA-Z][a-zA-Z0-9+.-]*$/.test(rest.slice(0, colon))) {
    found = rest.slice(0, colon).toLowerCase();
    rest = rest.slice(colon + 1);
  }
  let netloc = '';
  if (rest.startsWith('//')) {
    const end = rest.slice(2).search(/[/?#]/);
    netloc = end < 0 ? rest.slice(2) : rest.slice(2, end + 2);
    rest = end < 0 ? '' : rest.slice(end + 2);
    if (netloc.includes('[') !== netloc.includes(']')) return raise('ValueError', 'Invalid IPv6 URL');
  }
  let fragment = '';
  let query = '';
  if (allowsFragments) [rest, fragment] = partition(rest, '#');
  [rest, query] = partition(rest, '?');
  return [found, netloc, rest, query, fragment];
};

export const splitUrl = (url: string, scheme: string, allowsFragments: boolean): NamedTuple =>
  new SplitResult('SplitResult', SPLIT_NAMES, fiveOf(url, scheme, allowsFragments));

/** Parameters after the last `;` of the last path segment. */
const paramsOf = (path: string): readonly [string, string] => {
  const at = path.indexOf(';', Math.max(0, path.lastIndexOf('/')));
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
};

export const parseUrl = (url: string, scheme: string, allowsFragments: boolean): NamedTuple => {
  const [found, netloc, whole, query, fragment] = fiveOf(url, scheme, allowsFragments);
  const [path, params] = USES_PARAMS.has(found) ? paramsOf(whole) : [whole, ''];
  return new SplitResult('ParseResult', PARSE_NAMES, [found, netloc, path, params, query, fragment]);
};

const unsplit = ([scheme, netloc, path, query, fragment]: Five): string => {
  let url = path;
  if (netloc !== '' || (scheme !== '' && USES_NETLOC.has(scheme) && !url.startsWith('//'))) {
    if (url !== '' && !url.startsWith('/')) url = `/${url}`;
    url = `//${netloc}${url}`;
  }
  if (scheme !== '') url = `${scheme}:${url}`;
  if (query !== '') url = `${url}?${query}`;
  return checkText(fragment === '' ? url : `${url}#${fragment}`);
};

/** `urlunsplit` takes five parts, `urlunparse` six. */
export const unsplitUrl = (parts: readonly string[], count: number): string => {
  if (parts.length !== count) {
    return raise('ValueError', `not enough values to unpack (expected ${count}, got ${parts.length})`);
  }
  const params = count === 6 ? (parts[3] ?? '') : '';
  const [scheme = '', netloc = '', path = ''] = parts;
  const [query = '', fragment = ''] = parts.slice(-2);
  return unsplit([scheme, netloc, params === '' ? path : `${path};${params}`, query, fragment]);
};

const resolved = (base: string, path: string): string => {
  const before = base.split('/');
  if (before.at(-1) !== '') before.pop();
  let segments = path.startsWith('/') ? path.split('/') : [...before, ...path.split('/')];
  if (!path.startsWith('/'))
    segments = segments.filter((each, index) => each !== '' || index === 0 || index === segments.length - 1);
  const result: string[] = [];
  for (const segment of segments) {
    if (segment === '..') result.pop();
    else if (segment !== '.') result.push(segment);
  }
  const last = segments.at(-1);
  if (last === '.' || last === '..') result.push('');
  const joined = result.join('/');
  return joined === '' ? '/' : joined;
};

export const joinUrl = (base: string, url: string): string => {
  if (base === '') return url;
  if (url === '') return base;
  const [baseScheme, baseNetloc, basePath, baseQuery] = fiveOf(base, '', true);
  const [scheme, givenNetloc, path, query, fragment] = fiveOf(url, baseScheme, true);
  if (scheme !== baseScheme || !USES_RELATIVE.has(scheme)) return url;
  if (USES_NETLOC.has(scheme) && givenNetloc !== '')
    return unsplit([scheme, givenNetloc, path, query, fragment]);
  const netloc = USES_NETLOC.has(scheme) ? baseNetloc : givenNetloc;
  if (path === '') return unsplit([scheme, netloc, basePath, query === '' ? baseQuery : query, fragment]);
  return unsplit([scheme, netloc, resolved(basePath, path), query, fragment]);
};

export const withoutFragment = (url: string): NamedTuple => {
  const [scheme, netloc, path, query, fragment] = fiveOf(url, '', true);
  const bare = fragment === '' && !url.includes('#') ? url : unsplit([scheme, netloc, path, query, '']);
  return new NamedTuple('DefragResult', ['url', 'fragment'], [bare, fragment]);
};
