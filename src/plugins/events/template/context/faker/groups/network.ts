import type { Random } from '../../../../../../domain/random.js';
import type { Value } from '../../../../../../template/index.js';
import { hex, pick, pickWeighted } from '../draws.js';
import { drawnOneOf, flag, type Group } from '../providers.js';

type Block = readonly [first: number, prefix: number];

const blockOf = (text: string): Block => {
  const [address = '', prefix = '32'] = text.split('/');
  return [address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0), Number(prefix)];
};

const lastOf = ([first, prefix]: Block): number => first + 2 ** (32 - prefix) - 1;

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(blockOf);

/** Special-purpose blocks (IANA) besides the private ones. */
const SPECIAL = [
  '0.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
].map(blockOf);

/** Classes by leading bits. */
const CLASSES: Readonly<Record<string, Block>> = {
  a: blockOf('0.0.0.0/1'),
  b: blockOf('128.0.0.0/2'),
  c: blockOf('192.0.0.0/3'),
};

/** Hosts use classes a to c, without 0/8. */
const EVERY_ADDRESS = blockOf('0.0.0.0/0');
const FIRST_HOST = blockOf('1.0.0.0/8')[0];
const LAST_HOST = lastOf(blockOf('192.0.0.0/3'));

const isIn = (address: number, block: Block): boolean => address >= block[0] && address <= lastOf(block);

const isReserved = (address: number): boolean =>
  [...PRIVATE, ...SPECIAL].some((block) => isIn(address, block));

const dotted = (address: number): string => [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.');

const inBlock = (random: Random, block: Block): number =>
  random.integer(Math.max(FIRST_HOST, block[0]), Math.min(LAST_HOST, lastOf(block)));

const anyPublic = (random: Random, block: Block): number => {
  // At least an eighth of each class is public: few draws needed.
  for (;;) {
    const address = inBlock(random, block);
    if (!isReserved(address)) return address;
  }
};

/** Prefix at least as long as the block's. */
const networkText = (random: Random, address: number, shortest: number): string => {
  const prefix = random.integer(Math.max(8, shortest), 30);
  const size = 2 ** (32 - prefix);
  return `${dotted(Math.floor(address / size) * size)}/${prefix}`;
};

/** `isNetwork`: as `address/prefix`. */
const ipv4 = (random: Random, isNetwork: boolean, name: string | null, isPrivate: boolean | null): string => {
  const wanted = CLASSES[name ?? ''] ?? EVERY_ADDRESS;
  const privates = PRIVATE.filter(([first]) => isIn(first, wanted));
  const block = isPrivate === true ? pick(random, privates) : wanted;
  const address = isPrivate === false ? anyPublic(random, block) : inBlock(random, block);
  return isNetwork
    ? networkText(random, address, isPrivate === null ? 8 : Math.max(8, block[1]))
    : dotted(address);
};

export const ipv4Any = (random: Random): string => ipv4(random, false, null, null);

/** RFC 5952: no leading zeros, the longest run of two or more zero groups as `::`. */
const ipv6Text = (groups: readonly number[]): string => {
  const texts = groups.map((group) => group.toString(16));
  let best = { at: -1, size: 1 };
  for (let at = 0; at < groups.length; at++) {
    let size = 0;
    while (groups[at + size] === 0) size++;
    if (size > best.size) best = { at, size };
  }
  if (best.at < 0) return texts.join(':');
  return `${texts.slice(0, best.at).join(':')}::${texts.slice(best.at + best.size).join(':')}`;
};

export const ipv6 = (random: Random, isNetwork = false): string => {
  const prefix = isNetwork ? random.integer(2, 8) * 16 : 128;
  const groups = Array.from({ length: 8 }, (_, i) => (i * 16 < prefix ? random.integer(0, 0xffff) : 0));
  return isNetwork ? `${ipv6Text(groups)}/${prefix}` : ipv6Text(groups);
};

/** The lowest bit of the first octet marks group addresses (IEEE 802). */
export const macAddress = (random: Random, isMulticast = false): string => {
  const first = random.integer(0, 127) * 2 + (isMulticast ? 1 : 0);
  const octets = [first.toString(16).padStart(2, '0'), ...Array.from({ length: 5 }, () => hex(random, 2))];
  return octets.join(':');
};

/** Weighted as in logs. */
export const httpMethod = (random: Random): string =>
  pickWeighted(random, [
    ['GET', 60],
    ['POST', 20],
    ['PUT', 6],
    ['DELETE', 5],
    ['PATCH', 3],
    ['HEAD', 3],
    ['OPTIONS', 2],
    ['CONNECT', 0.5],
    ['TRACE', 0.5],
  ]);

/** Registered with IANA. */
export const HTTP_STATUS_CODES = [
  100, 101, 102, 103, 200, 201, 202, 203, 204, 205, 206, 207, 208, 226, 300, 301, 302, 303, 304, 305, 307,
  308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422,
  423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511,
];

/** RFC 6335. */
const PORTS = {
  any: [0, 65_535],
  system: [0, 1_023],
  user: [1_024, 49_151],
  dynamic: [49_152, 65_535],
} as const;

const classOf = (value: Value | undefined): string | null =>
  drawnOneOf(value ?? null, 'address_class', ['a', 'b', 'c']);

export const network: Group = ({ random }) => ({
  'ipv4(network=False, address_class=None, private=None)': (isNetwork, name, isPrivate = null) =>
    ipv4(random, flag(isNetwork), classOf(name), isPrivate === null ? null : flag(isPrivate)),
  'ipv4_private(network=False, address_class=None)': (isNetwork, name) =>
    ipv4(random, flag(isNetwork), classOf(name), true),
  'ipv4_public(network=False, address_class=None)': (isNetwork, name) =>
    ipv4(random, flag(isNetwork), classOf(name), false),
  'ipv4_network_class()': () => pick(random, ['a', 'b', 'c']),
  'ipv6(network=False)': (isNetwork) => ipv6(random, flag(isNetwork)),
  'mac_address(multicast=False)': (isMulticast) => macAddress(random, flag(isMulticast)),
  'http_method()': () => httpMethod(random),
  'http_status_code(include_unassigned=True)': (includes) =>
    flag(includes) ? random.integer(100, 599) : pick(random, HTTP_STATUS_CODES),
  'port_number(is_system=False, is_user=False, is_dynamic=False)': (isSystem, isUser, isDynamic) => {
    const kind = flag(isSystem) ? 'system' : flag(isUser) ? 'user' : flag(isDynamic) ? 'dynamic' : 'any';
    const [low, high] = PORTS[kind];
    return random.integer(low, high);
  },
});
