import { raise } from '../../errors.js';
import { textRepr } from '../../values/operations/print.js';
import { PyBytes } from '../../values/types/bytes.js';
import { type HashKey, isInt, TemplateObject, type Value } from '../../values/value.js';
import { allOnes, bitsOf, compressedAddress, exploded, maskOf, parseAddress, type Version } from './parse.js';

const KINDS: Readonly<Record<string, Kind>> = {
  is_multicast: 'multicast',
  is_loopback: 'loopback',
  is_link_local: 'link_local',
  is_reserved: 'reserved',
  is_unspecified: 'unspecified',
};

/** IPv4-mapped IPv6 addresses. */
const MAPPED = 0xffffn << 32n;
const LOW_32 = 0xffff_ffffn;

/** `is_...` of a range of addresses. */
export const addressKindOf = (
  version: Version,
  name: string,
  first: bigint,
  last: bigint,
): boolean | undefined => {
  const kind = KINDS[name];
  if (kind !== undefined) return areOf(version, kind, first, last);
  const isPrivate = areOf(version, 'private', first, last);
  if (name === 'is_private') return isPrivate;
  if (name === 'is_global') return !isPrivate && !areOf(version, 'shared', first, last);
  return name === 'is_site_local' && version === 6 ? areOf(6, 'site_local', first, last) : undefined;
};

export const packed = (version: Version, value: bigint): PyBytes =>
  new PyBytes(Uint8Array.from(Buffer.from(value.toString(16).padStart(bitsOf(version) / 4, '0'), 'hex')));

export class PyAddress extends TemplateObject {
  constructor(
    readonly version: Version,
    readonly value: bigint,
  ) {
    super();
  }
  get typeName(): string {
    return `IPv${this.version}Address`;
  }
  override attribute(name: string): Value | undefined {
    const { value, version } = this;
    switch (name) {
      case 'version':
        return version;
      case 'max_prefixlen':
        return bitsOf(version);
      case 'compressed':
        return compressedAddress(version, value);
      case 'exploded':
        return exploded(version, value);
      case 'packed':
        return packed(version, value);
      case 'reverse_pointer':
        return this.reversePointer();
      case 'ipv4_mapped':
        if (version === 4) return undefined;
        return value >> 32n === MAPPED >> 32n ? new PyAddress(4, value & LOW_32) : null;
      case 'sixtofour':
        if (version === 4) return undefined;
        return value >> 112n === 0x2002n ? new PyAddress(4, (value >> 80n) & LOW_32) : null;
      default:
        return addressKindOf(version, name, value, value);
    }
  }
  private reversePointer(): string {
    const text = exploded(this.version, this.value);
    if (this.version === 4) return `${text.split('.').reverse().join('.')}.in-addr.arpa`;
    return `${[...text.replaceAll(':', '')].reverse().join('.')}.ip6.arpa`;
  }
  override int(): bigint {
    return this.value;
  }
  override text(): string {
    return compressedAddress(this.version, this.value);
  }
  override repr(): string {
    return `${this.typeName}(${textRepr(this.text())})`;
  }
  override format(spec: string): string | undefined {
    if (!/^#?_?[bxXn]$/.test(spec)) return undefined;
    const code = spec.at(-1) ?? '';
    const radix = code === 'b' || (code === 'n' && this.version === 4) ? 2 : 16;
    const digits = this.value.toString(radix).padStart(bitsOf(this.version) / Math.log2(radix), '0');
    const shown = code === 'X' ? digits.toUpperCase() : digits;
    const grouped = spec.includes('_') ? shown.replace(/(?=(?:.{4})+$)(?!^)/g, '_') : shown;
    return (spec.includes('#') ? `0${radix === 2 ? 'b' : code === 'X' ? 'X' : 'x'}` : '') + grouped;
  }
  override equals(other: Value): boolean {
    return other instanceof PyAddress && other.typeName === this.typeName && other.value === this.value;
  }
  override compare(other: Value): number | undefined {
    if (!(other instanceof PyAddress)) return undefined;
    if (other.version !== this.version)
      return raise('TypeError', `${this.text()} and ${other.text()} are not of the same version`);
    return this.value < other.value ? -1 : Number(this.value > other.value);
  }
  override hashKey(): HashKey {
    return `\0i${this.version};${this.value}`;
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (isRight || (operator !== '+' && operator !== '-') || !isInt(other)) return undefined;
    const value = operator === '+' ? this.value + BigInt(other) : this.value - BigInt(other);
    return new PyAddress(this.version, checkValue(this.version, value));
  }
}

export const checkValue = (version: Version, value: bigint): bigint => {
  if (value < 0n)
    return raise('AddressValueError', `${value} (< 0) is not permitted as an IPv${version} address`);
  if (value > allOnes(version)) {
    return raise(
      'AddressValueError',
      `${value} (>= 2**${bitsOf(version)}) is not permitted as an IPv${version} address`,
    );
  }
  return value;
};

/** Special networks by IANA's registries and Python's `ipaddress`. */
const NETWORKS = {
  4: {
    private: [
      ...['0.0.0.0/8', '10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/29'],
      ...['192.0.0.170/31', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
      ...['203.0.113.0/24', '240.0.0.0/4', '255.255.255.255/32'],
    ],
    shared: ['100.64.0.0/10'],
    multicast: ['224.0.0.0/4'],
    loopback: ['127.0.0.0/8'],
    link_local: ['169.254.0.0/16'],
    reserved: ['240.0.0.0/4'],
    unspecified: ['0.0.0.0/32'],
    site_local: [],
  },
  6: {
    private: [
      ...['::1/128', '::/128', '::ffff:0:0/96', '100::/64', '2001::/23', '2001:2::/48', '2001:db8::/32'],
      ...['2001:10::/28', 'fc00::/7', 'fe80::/10'],
    ],
    shared: [],
    multicast: ['ff00::/8'],
    loopback: ['::1/128'],
    link_local: ['fe80::/10'],
    reserved: [
      ...['::/8', '100::/8', '200::/7', '400::/6', '800::/5', '1000::/4', '4000::/3', '6000::/3', '8000::/3'],
      ...['a000::/3', 'c000::/3', 'e000::/4', 'f000::/5', 'f800::/6', 'fe00::/9'],
    ],
    unspecified: ['::/128'],
    site_local: ['fec0::/10'],
  },
} as const satisfies Readonly<Record<Version, Readonly<Record<string, readonly string[]>>>>;

type Kind = keyof (typeof NETWORKS)[4];

interface IpRange {
  readonly base: bigint;
  readonly mask: bigint;
}

const rangeOf = (version: Version, text: string): IpRange => {
  const [address = '', prefix = ''] = text.split('/');
  return { base: parseAddress(version, address), mask: maskOf(version, Number(prefix)) };
};

const KNOWN = new Map<string, readonly IpRange[]>();

const rangesOf = (version: Version, kind: Kind): readonly IpRange[] => {
  const key = `${version}${kind}`;
  const ranges = KNOWN.get(key) ?? NETWORKS[version][kind].map((text) => rangeOf(version, text));
  KNOWN.set(key, ranges);
  return ranges;
};

const areOf = (version: Version, kind: Kind, first: bigint, last: bigint): boolean =>
  rangesOf(version, kind).some(({ base, mask }) => (first & mask) === base && (last & mask) === base);
