import { raise } from '../../errors.js';

export type Version = 4 | 6;

export const bitsOf = (version: Version): number => (version === 4 ? 32 : 128);
export const allOnes = (version: Version): bigint => (1n << BigInt(bitsOf(version))) - 1n;

/** Returns the error as text. */
const parse4 = (text: string): bigint | string => {
  const parts = text.split('.');
  if (parts.length !== 4) return `Expected 4 octets in '${text}'`;
  let value = 0n;
  for (const part of parts) {
    if (part === '') return `Empty octet not permitted in '${text}'`;
    if (!/^[0-9]+$/.test(part)) return `Only decimal digits permitted in '${part}' in '${text}'`;
    if (part.length > 3) return `At most 3 characters permitted in '${part}' in '${text}'`;
    if (part.length > 1 && part.startsWith('0'))
      return `Leading zeros are not permitted in '${part}' in '${text}'`;
    if (Number(part) > 255) return `Octet ${Number(part)} (> 255) not permitted in '${text}'`;
    value = (value << 8n) | BigInt(part);
  }
  return value;
};

const HEXTETS = 8;

const parse6 = (given: string): bigint | string => {
  let text = given;
  const tail = /^(.*:)([^:]*\.[^:]*)$/.exec(text);
  if (tail !== null) {
    const low = parse4(tail[2] ?? '');
    if (typeof low === 'string') return `${low} in '${given}'`;
    text = `${tail[1]}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
  }
  const parts = text.split(':');
  if (parts.length < 3) return `At least 3 parts expected in '${given}'`;
  if (parts.length > HEXTETS + 1) return `At most 8 colons permitted in '${given}'`;
  const gaps = text.split('::').length - 1;
  if (gaps > 1 || text.includes(':::')) return `At most one '::' permitted in '${given}'`;
  if (gaps === 0 && text.startsWith(':')) return `Leading ':' only permitted as part of '::' in '${given}'`;
  if (gaps === 0 && text.endsWith(':')) return `Trailing ':' only permitted as part of '::' in '${given}'`;
  if (
    gaps === 1 &&
    ((text.startsWith(':') && !text.startsWith('::')) || (text.endsWith(':') && !text.endsWith('::')))
  )
    return `Leading or trailing ':' only permitted as part of '::' in '${given}'`;
  const [head = '', rest] = text.split('::');
  const before = head === '' ? [] : head.split(':');
  const behind = rest === undefined || rest === '' ? [] : rest.split(':');
  const missing = HEXTETS - before.length - behind.length;
  if (gaps === 0 && missing !== 0) return `Exactly 8 parts expected without '::' in '${given}'`;
  if (gaps === 1 && missing < 1) return `Expected at most 7 other parts with '::' in '${given}'`;
  let value = 0n;
  for (const part of [...before, ...Array.from({ length: missing }, () => '0'), ...behind]) {
    if (!/^[0-9a-fA-F]+$/.test(part)) return `Only hex digits permitted in '${part}' in '${given}'`;
    if (part.length > 4) return `At most 4 characters permitted in '${part}' in '${given}'`;
    value = (value << 16n) | BigInt(`0x${part}`);
  }
  return value;
};

/** AddressValueError as in Python. */
export const parseAddress = (version: Version, text: string): bigint => {
  const value = version === 4 ? parse4(text) : parse6(text);
  return typeof value === 'bigint' ? value : raise('AddressValueError', value);
};

const tryAddress = (version: Version, text: string): bigint | null => {
  const value = version === 4 ? parse4(text) : parse6(text);
  return typeof value === 'bigint' ? value : null;
};

const hextets = (value: bigint): readonly string[] =>
  Array.from({ length: HEXTETS }, (_, i) =>
    ((value >> BigInt(16 * (HEXTETS - 1 - i))) & 0xffffn).toString(16),
  );

export const exploded = (version: Version, value: bigint): string =>
  version === 4
    ? [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
    : hextets(value)
        .map((part) => part.padStart(4, '0'))
        .join(':');

/** IPv6: `::` replaces the longest run of zeros, the first of equal ones. */
export const compressedAddress = (version: Version, value: bigint): string => {
  if (version === 4) return exploded(4, value);
  const parts = hextets(value);
  let best = { start: -1, length: 1 };
  for (let start = 0; start < HEXTETS; ) {
    let end = start;
    while (end < HEXTETS && parts[end] === '0') end++;
    if (end - start > best.length) best = { start, length: end - start };
    start = end + 1;
  }
  if (best.start < 0) return parts.join(':');
  return `${parts.slice(0, best.start).join(':')}::${parts.slice(best.start + best.length).join(':')}`;
};

export const maskOf = (version: Version, prefix: number): bigint =>
  allOnes(version) ^ (allOnes(version) >> BigInt(prefix));

/** From a net mask or host mask; `null` if neither. */
const prefixOfMask = (version: Version, mask: bigint): number | null => {
  for (let prefix = 0; prefix <= bitsOf(version); prefix++) {
    if (maskOf(version, prefix) === mask) return prefix;
    if (prefix > 0 && (maskOf(version, prefix) ^ allOnes(version)) === mask) return prefix;
  }
  return null;
};

/** A prefix length; for IPv4 also a net mask or host mask. */
export const parsePrefix = (version: Version, text: string): number => {
  const wrong = (): never => raise('NetmaskValueError', `'${text}' is not a valid netmask`);
  if (/^[0-9]+$/.test(text)) return Number(text) <= bitsOf(version) ? Number(text) : wrong();
  const mask = version === 4 ? tryAddress(4, text) : null;
  return mask === null ? wrong() : (prefixOfMask(4, mask) ?? wrong());
};
