import type { Random } from '../../../../../domain/random.js';
import { type Callable, HostModule, raise, type Value } from '../../../../../template/index.js';
import { binary, bounded, needTextArgument, nullary, shown, unary } from './calls.js';
import { BYTES } from './hex.js';
import { anyAddress6, globalAddress6, linkLocalAddress6, uniqueLocalAddress6 } from './ipv6.js';
import { below } from './numbers.js';

export const networkModule = (random: Random): HostModule => {
  const inSubnet = subnets(random);
  const plain = (name: string, draw: (random: Random) => string): readonly [string, Callable] => [
    name,
    nullary(`rand.network.${name}()`, () => draw(random)),
  ];
  return new HostModule(
    'rand.network',
    new Map([
      plain('ip_v4', anyAddress),
      plain('ip_v4_private', privateAddress),
      plain('ip_v4_private_a', privateA),
      plain('ip_v4_private_b', privateB),
      plain('ip_v4_private_c', privateC),
      plain('ip_v4_public', publicAddress),
      plain('ip_v6', anyAddress6),
      plain('ip_v6_global', globalAddress6),
      plain('ip_v6_link_local', linkLocalAddress6),
      plain('ip_v6_ula', uniqueLocalAddress6),
      [
        'ip_v4_in_subnet',
        unary('rand.network.ip_v4_in_subnet(cidr)', (cidr) =>
          inSubnet(needTextArgument(cidr, 'rand.network.ip_v4_in_subnet', 'cidr')),
        ),
      ],
      [
        'mac',
        binary('rand.network.mac(oui=None, vendor=None)', (oui, vendor) => macAddress(random, oui, vendor)),
      ],
    ]),
  );
};

const FN = 'rand.network.mac';
const OUI = /^([0-9a-f]{2})([:-])([0-9a-f]{2})\2([0-9a-f]{2})$/i;

/** Group bit of the first octet (IEEE 802); devices have it clear. */
const GROUP_BIT = 0x01;

const threeOctets = (bits: number): string =>
  `${BYTES[(bits >>> 16) & 255] ?? ''}:${BYTES[(bits >>> 8) & 255] ?? ''}:${BYTES[bits & 255] ?? ''}`;

/** `aa:bb:cc` or `aa-bb-cc`, any case. ValueError for others. */
const prefixOfOui = (oui: string): string => {
  const [, a = '', , b = '', c = ''] =
    OUI.exec(oui) ??
    raise(
      'ValueError',
      `${FN}: oui ${shown(oui)} is not a prefix: write three octets, such as '00:50:56' or '00-50-56'`,
    );
  return `${a}:${b}:${c}`.toLowerCase();
};

const prefixOfVendor = (random: Random, vendor: string): string => {
  const prefixes = MAC_PREFIXES.get(vendor) ?? MAC_PREFIXES.get(vendor.toLowerCase());
  if (prefixes === undefined) {
    const known = [...MAC_PREFIXES.keys()].join(', ');
    return raise(
      'ValueError',
      `${FN}: vendor ${shown(vendor)} is unknown: use one of ${known}, or give oui instead`,
    );
  }
  return prefixes[below(random, prefixes.length)] ?? '';
};

/**
 * With a prefix, a vendor's prefix, or six random octets of a device. ValueError for both, or invalid ones.
 */
const macAddress = (random: Random, oui: Value, vendor: Value): string => {
  if (oui !== null && vendor !== null)
    return raise('ValueError', `${FN}: oui and vendor both set the prefix: give one`);
  const prefix =
    oui !== null
      ? prefixOfOui(needTextArgument(oui, FN, 'oui'))
      : vendor !== null
        ? prefixOfVendor(random, needTextArgument(vendor, FN, 'vendor'))
        : threeOctets((random.uint32() >>> 8) & ~(GROUP_BIT << 16));
  return `${prefix}:${threeOctets(random.uint32() >>> 8)}`;
};

/** Unsigned 32-bit. */
interface AddressRange {
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
export const networkOf = (cidr: string): AddressRange | null => {
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
const hostsOf = (cidr: string): AddressRange => {
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
const subnets = (random: Random): ((cidr: string) => string) => {
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
const SPECIAL: readonly (readonly AddressRange[] | undefined)[] = Array.from({ length: 256 }, (_, octet) => {
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
const publicAddress = (random: Random): string => {
  let address = random.uint32();
  while (!isPublic(address)) address = random.uint32();
  return addressText(address);
};

const anyAddress = (random: Random): string => addressText(random.uint32());

/** 10.0.0.0/8 */
const privateA = (random: Random): string => addressText(0x0a_00_00_00 + (random.uint32() >>> 8));
/** 172.16.0.0/12 */
const privateB = (random: Random): string => addressText(0xac_10_00_00 + (random.uint32() >>> 12));
/** 192.168.0.0/16 */
const privateC = (random: Random): string => addressText(0xc0_a8_00_00 + (random.uint32() >>> 16));

/** Weighted 5:2:5. */
const privateAddress = (random: Random): string => {
  const drawn = below(random, 12);
  if (drawn < 5) return privateA(random);
  return drawn < 7 ? privateB(random) : privateC(random);
};

/** Some registered prefixes (IEEE MA-L) per vendor: enough to look real, not for look-ups. */
export const MAC_PREFIXES: ReadonlyMap<string, readonly string[]> = new Map([
  ['apple', ['00:03:93', '10:9a:dd', '3c:07:54', '7c:6d:62', 'd8:a2:5e', 'f0:b4:79']],
  ['aruba', ['00:0b:86', '00:1a:1e', '00:24:6c', '6c:f3:7f', 'd8:c7:c8']],
  ['broadcom', ['00:0a:f7', '00:10:18', '18:c0:86']],
  ['cisco', ['00:00:0c', '00:01:42', '00:01:43', '00:40:96', '58:bc:27', 'c8:4c:75']],
  ['dell', ['00:14:22', '14:fe:b5', '18:03:73', '5c:26:0a', '78:2b:cb', 'f0:4d:a2']],
  ['fortinet', ['00:09:0f', '08:5b:0e', '70:4c:a5', '90:6c:ac']],
  ['hp', ['00:01:e6', '00:01:e7', '3c:4a:92', '64:31:50', '78:ac:c0', 'd8:d3:85']],
  ['huawei', ['00:e0:fc', '08:19:a6', '28:6e:d4', '4c:1f:cc', '54:89:98', '78:1d:ba']],
  ['ibm', ['00:02:55', '08:00:5a', '10:00:5a', '5c:f3:fc', 'e4:1f:13']],
  ['intel', ['00:1b:21', '08:11:96', '0c:d2:92', '24:77:03', '64:80:99', '8c:a9:82']],
  ['juniper', ['28:c0:da', '2c:6b:f5', '50:c5:8d', '5c:5e:ab', '80:71:1f', 'b0:c6:9a']],
  ['lenovo', ['00:06:1b', '00:12:fe', '60:d9:a0', 'd8:71:57']],
  ['microsoft', ['00:03:ff', '00:0d:3a', '00:15:5d', '00:50:f2', '7c:ed:8d']],
  ['mikrotik', ['00:0c:42', '4c:5e:0c', '64:d1:54', '6c:3b:6b', 'd4:ca:6d']],
  ['netgear', ['00:09:5b', '30:46:9a', 'a0:21:b7', 'c0:3f:0e', 'c4:3d:c7', 'e0:91:f5']],
  ['paloalto', ['00:1b:17', '00:86:9c', '08:30:6b', 'b4:0c:25']],
  ['samsung', ['00:00:f0', '10:1d:c0', '3c:5a:37', '78:47:1d', 'e4:e0:c5', 'fc:a1:3e']],
  ['tplink', ['54:e6:fc', '74:ea:3a', '94:0c:6d', 'd8:5d:4c', 'e0:05:c5', 'f4:ec:38']],
  ['ubiquiti', ['00:15:6d', '00:27:22', '04:18:d6', '24:a4:3c', '44:d9:e7', '68:72:51']],
  ['vmware', ['00:05:69', '00:0c:29', '00:1c:14', '00:50:56']],
]);
