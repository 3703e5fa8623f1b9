import type { Random } from '../../../../../../domain/random.js';
import { type Callable, HostModule, raise, type Value } from '../../../../../../template/index.js';
import { needText, shown } from '../calls/arguments.js';
import { binary, nullary, unary } from '../calls/functions.js';
import { below } from '../draws/below.js';
import { BYTES } from '../text/hex.js';
import { anyAddress, privateA, privateAddress, privateB, privateC, publicAddress, subnets } from './ipv4.js';
import { anyAddress6, globalAddress6, linkLocalAddress6, uniqueLocalAddress6 } from './ipv6.js';
import { MAC_PREFIXES } from './macVendors.js';

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
          inSubnet(needText(cidr, 'rand.network.ip_v4_in_subnet', 'cidr')),
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
      ? prefixOfOui(needText(oui, FN, 'oui'))
      : vendor !== null
        ? prefixOfVendor(random, needText(vendor, FN, 'vendor'))
        : threeOctets((random.uint32() >>> 8) & ~(GROUP_BIT << 16));
  return `${prefix}:${threeOctets(random.uint32() >>> 8)}`;
};
