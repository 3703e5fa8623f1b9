import { maskOf, parseAddress, type Version } from './parse.js';

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

export type Kind = keyof (typeof NETWORKS)[4];

interface Range {
  readonly base: bigint;
  readonly mask: bigint;
}

const rangeOf = (version: Version, text: string): Range => {
  const [address = '', prefix = ''] = text.split('/');
  return { base: parseAddress(version, address), mask: maskOf(version, Number(prefix)) };
};

const KNOWN = new Map<string, readonly Range[]>();

const rangesOf = (version: Version, kind: Kind): readonly Range[] => {
  const key = `${version}${kind}`;
  const ranges = KNOWN.get(key) ?? NETWORKS[version][kind].map((text) => rangeOf(version, text));
  KNOWN.set(key, ranges);
  return ranges;
};

export const areOf = (version: Version, kind: Kind, first: bigint, last: bigint): boolean =>
  rangesOf(version, kind).some(({ base, mask }) => (first & mask) === base && (last & mask) === base);
