import type { FieldKind } from '../compare/compare.js';
import type { FormatName } from '../formats/detect.js';
import type { Model } from '../model.js';
import type { PrivateKind } from '../privacy/pseudonyms.js';

export const TITLES: Readonly<Record<FormatName, string>> = {
  json: 'JSON lines',
  access: 'access log of Apache or nginx',
  cef: 'CEF',
  syslog: 'syslog',
  csv: 'CSV with a header',
  pairs: 'key=value',
  lines: 'lines of text',
};

const KINDS: Readonly<Record<FieldKind, string>> = {
  constant: 'constant',
  time: 'time',
  same: 'enumeration',
  counter: 'counter',
  number: 'number',
  fresh: 'new each time',
  pool: 'enumeration',
};

export const kindText = (kind: FieldKind): string => KINDS[kind];

const PRIVATE: Readonly<Record<PrivateKind, string>> = {
  ipv4: 'IPv4 addresses',
  ipv6: 'IPv6 addresses',
  mac: 'MAC addresses',
  uuid: 'UUIDs',
  user: 'names of people',
  host: 'names of machines',
  token: 'tokens',
  digits: 'long numbers',
};

/** `12 IPv4 addresses, 3 UUIDs replaced`. */
export const privateText = (replaced: Model['replaced']): string => {
  if (replaced === null) return 'kept, as asked';
  const parts = (Object.keys(PRIVATE) as PrivateKind[]).flatMap((kind) => {
    const count = replaced[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${PRIVATE[kind]}`];
  });
  return parts.length === 0 ? 'none found' : `${parts.join(', ')} replaced`;
};
