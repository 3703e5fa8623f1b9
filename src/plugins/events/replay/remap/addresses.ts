import { createHmac } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { addressText6 } from '../../template/context/rand/network/ipv6.js';

/** Bytes of an address: 4 or 16. */
type Address = readonly number[];

interface Network {
  readonly bytes: Address;
  /** Bits of its prefix. */
  readonly length: number;
}

const bytes4 = (text: string): Address => text.split('.').map(Number);

const groupsOf = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

/** Bytes of a valid IPv6 address. */
const bytes6 = (text: string): Address => {
  const tail = /[\d.]+$/.exec(text)?.[0] ?? '';
  if (tail.includes('.')) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes4(tail);
    const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    return bytes6(text.slice(0, -tail.length) + groups);
  }
  const [before = '', after] = text.split('::');
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')];
  const zeros = new Array<number>(8 - first.length - last.length).fill(0);
  return [...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]);
};

const network = (text: string): Network => {
  const [address = '', length = ''] = text.split('/');
  return { bytes: isIPv4(address) ? bytes4(address) : bytes6(address), length: Number(length) };
};

/**
 * Networks that keep their prefix, so that a private address stays a private one (RFC 6890, RFC 4291), and single addresses
 * that name no machine.
 */
const SPECIAL_4 = [
  '0.0.0.0/32',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '127.0.0.1/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
].map(network);
const SPECIAL_6 = [
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
].map(network);

const commonBits = (a: Address, b: Address, most: number): number => {
  for (let bit = 0; bit < most; bit++) {
    const shift = 7 - (bit & 7);
    if ((((a[bit >> 3] as number) ^ (b[bit >> 3] as number)) >> shift) & 1) return bit;
  }
  return most;
};

/** Bits of an address that lie on the way to a special network: they stay. */
const keptBits = (address: Address, special: readonly Network[]): number =>
  special.reduce((most, { bytes, length }) => {
    const common = commonBits(address, bytes, length);
    return Math.max(most, Math.min(common + 1, length));
  }, 0);

/**
 * Maps an address so that two of them share exactly as many leading bits after as before: each bit is flipped or not by a
 * keyed function of the bits before it (Xu, Fan, Ammar, Moon: Prefix-Preserving IP Address Anonymization, ICNP 2002). One
 * HMAC-SHA256 of the bytes before gives the 255 bits that the tree of a byte needs.
 */
const mapped = (address: Address, key: string, special: readonly Network[]): Address => {
  const kept = keptBits(address, special);
  return address.map((byte, index) => {
    if (index * 8 + 8 <= kept) return byte;
    const bits = createHmac('sha256', key)
      .update(`address/${address.length}/${address.slice(0, index).join('.')}`)
      .digest();
    let result = 0;
    for (let bit = 0; bit < 8; bit++) {
      const node = (1 << bit) - 1 + (byte >> (8 - bit));
      const flip = index * 8 + bit < kept ? 0 : ((bits[node >> 3] as number) >> (node & 7)) & 1;
      result = (result << 1) | (((byte >> (7 - bit)) & 1) ^ flip);
    }
    return result;
  });
};

const text6 = (bytes: Address): string => {
  const word = (at: number): number =>
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0;
  return addressText6(word(0), word(4), word(8), word(12));
};

const isMapped4 = (bytes: Address): boolean =>
  bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;

/** The address that stands for a valid IPv4 or IPv6 address under a key. IPv4-mapped IPv6 addresses go by their IPv4 address. */
export const remapAddress = (address: string, key: string): string => {
  if (isIPv4(address)) return mapped(bytes4(address), key, SPECIAL_4).join('.');
  const bytes = bytes6(address);
  return isMapped4(bytes)
    ? `::ffff:${mapped(bytes.slice(12), key, SPECIAL_4).join('.')}`
    : text6(mapped(bytes, key, SPECIAL_6));
};
