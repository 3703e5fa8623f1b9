import type { Random } from '../../../../../../domain/random.js';
import { raise } from '../../../../../../template/index.js';
import { shown } from '../calls/arguments.js';
import { bounded } from '../calls/bounded.js';
import { below } from '../draws/below.js';

/** Unsigned 32-bit. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

const OCTETS: readonly string[] = Array.from({ length: 256 }, (_, i) => String(i));
const DOTTED: readonly string[] = OCTETS.map((octet) => `${octet}.`);

const dotted = (octet: number): string => DOTTED[octet] ?? '';

export const addressText = (address: number): string =>
  dotted(address >>> 24) +
  dotted((address >>> 16) & 255) +
  dotted((address >>> 8) & 255) +
  (OCTETS[address & 255] ?? '');

const OCTET = '(0|[1-9][0-9]{0,2})';
const CIDR = new RegExp(`^${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}/(0|[1-9][0-9]?)$`);

/** Host bits are ignored; `null` if invalid. */
export const networkOf = (cidr: string): Range | null => {
  const parts = CIDR.exec(cidr)?.slice(1).map(Number);
  if (parts === undefined) return null;
  const [a = 0, b = 0, c = 0, d = 0, prefix = 0] = parts;
  if (Math.max(a, b, c, d) > 255 || prefix > 32) return null;
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  // Doubles: 2 ** 32 overflows shifts.
  const size = 2 ** (32 - prefix);
  const first = address - (address % size);
  return { first, last: first + size - 1 };
};

/** Without the first and last address; all in networks of one or two (RFC 3021). */
const hostsOf = (cidr: string): Range => {
  const network = networkOf(cidr);
  if (network === null) {
    const kind = cidr.includes(':') ? 'IPv6, but only IPv4 is supported' : 'not an IPv4 network';
    return raise(
      'ValueError',
      `rand.network.ip_v4_in_subnet: ${shown(cidr)} is ${kind}: give an address and a prefix length from 0 to 32, such as '10.1.0.0/16'`,
    );
  }
  const { first, last } = network;
  return last - first < 2 ? network : { first: first + 1, last: last - 1 };
};

/** Caches parsed networks. */
export const subnets = (random: Random): ((cidr: string) => string) => {
  const known = bounded(hostsOf);
  return (cidr) => {
    const { first, last } = known(cidr);
    return addressText(first + below(random, last - first + 1));
  };
};

/** Not public, below 224.0.0.0 (IANA IPv4 Special-Purpose Address Registry, RFC 6890). */
export const SPECIAL_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
] as const;

const LAST_PUBLIC = 0xdf_ff_ff_ff;

/** By first octet; none spans more. */
const SPECIAL: readonly (readonly Range[] | undefined)[] = Array.from({ length: 256 }, (_, octet) => {
  const ranges = SPECIAL_NETWORKS.flatMap((cidr) => networkOf(cidr) ?? []).filter(
    ({ first }) => first >>> 24 === octet,
  );
  return ranges.length === 0 ? undefined : ranges;
});

export const isPublic = (address: number): boolean => {
  if (address > LAST_PUBLIC) return false;
  const ranges = SPECIAL[address >>> 24];
  if (ranges === undefined) return true;
  for (const { first, last } of ranges) if (address >= first && address <= last) return false;
  return true;
};

/** One draw in seven is repeated. */
export const publicAddress = (random: Random): string => {
  let address = random.uint32();
  while (!isPublic(address)) address = random.uint32();
  return addressText(address);
};

export const anyAddress = (random: Random): string => addressText(random.uint32());

/** 10.0.0.0/8 */
export const privateA = (random: Random): string => addressText(0x0a_00_00_00 + (random.uint32() >>> 8));
/** 172.16.0.0/12 */
export const privateB = (random: Random): string => addressText(0xac_10_00_00 + (random.uint32() >>> 12));
/** 192.168.0.0/16 */
export const privateC = (random: Random): string => addressText(0xc0_a8_00_00 + (random.uint32() >>> 16));

/** Weighted 5:2:5. */
export const privateAddress = (random: Random): string => {
  const drawn = below(random, 12);
  if (drawn < 5) return privateA(random);
  return drawn < 7 ? privateB(random) : privateC(random);
};
