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

const PRIVATE: Readonly<Record<PrivateKind, readonly [one: string, several: string]>> = {
  ipv4: ['IPv4 address', 'IPv4 addresses'],
  ipv6: ['IPv6 address', 'IPv6 addresses'],
  mac: ['MAC address', 'MAC addresses'],
  uuid: ['UUID', 'UUIDs'],
  user: ['name of a person', 'names of people'],
  host: ['name of a machine', 'names of machines'],
  token: ['token', 'tokens'],
  digits: ['long number', 'long numbers'],
  sid: ['part of a SID', 'parts of SIDs'],
};

/** `12 IPv4 addresses, 3 UUIDs replaced`. */
export const privateText = (replaced: Model['replaced']): string => {
  if (replaced === null) return 'kept, as asked';
  const parts = (Object.keys(PRIVATE) as PrivateKind[]).flatMap((kind) => {
    const count = replaced[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${PRIVATE[kind][count === 1 ? 0 : 1]}`];
  });
  return parts.length === 0 ? 'none found' : `${parts.join(', ')} replaced`;
};

/** What it means that the time of some records was not found; null when all were. */
export const undatedText = ({
  undated: { count, first },
  records,
}: Pick<Model, 'undated' | 'records'>): string | null =>
  count === 0
    ? null
    : `No time was found in ${count} of ${records} records, the first is record ${first}: if they hold times, generated events repeat these old times.`;
