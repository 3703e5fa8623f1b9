import { isIPv4, isIPv6 } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { addressText6 } from '../../../../../../src/plugins/events/template/context/rand/ipv6.js';
import {
  addressText,
  isPublic,
  MAC_PREFIXES,
  networkOf,
  SPECIAL_NETWORKS,
} from '../../../../../../src/plugins/events/template/context/rand/networks.js';
import type { Value } from '../../../../../../src/template/index.js';
import { even, faultOf, randOf, scripted, seeded, surprise, texts } from './support.js';

const numberOf = (address: string): number =>
  address.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);

const octetsOf = (address: string): number[] => address.split('.').map(Number);

/** Excluded networks, as first and last address. */
const EXCLUDED: readonly (readonly [string, string])[] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];

describe('ip_v4_public', () => {
  test('is never of a special network, in many draws', () => {
    const rand = seeded();
    const ranges = EXCLUDED.map(([first, last]) => [numberOf(first), numberOf(last)] as const);
    const bad = texts(200_000, () => rand('network.ip_v4_public')).filter((address) => {
      const number = numberOf(address);
      return !isIPv4(address) || ranges.some(([first, last]) => number >= first && number <= last);
    });
    expect(bad).toEqual([]);
  });

  test.each(EXCLUDED)('skips %s to %s and reaches the neighbours of both', (first, last) => {
    const [low, high] = [numberOf(first), numberOf(last)];
    const drawn = (address: number): Value =>
      randOf(scripted([address, 0x0808_0808]))('network.ip_v4_public');
    for (const inside of [low, high, low + Math.floor((high - low) / 2)]) {
      expect(drawn(inside)).toBe('8.8.8.8');
    }
    for (const beside of [low - 1, high + 1]) {
      const isOther = EXCLUDED.some(([a, b]) => beside >= numberOf(a) && beside <= numberOf(b));
      if (beside < 0 || beside >= 2 ** 32 || isOther) continue;
      expect(drawn(beside)).toBe(addressText(beside));
    }
  });

  test('begins at 1.0.0.0 and ends at 223.255.255.255', () => {
    expect(isPublic(numberOf('1.0.0.0'))).toBe(true);
    expect(isPublic(numberOf('223.255.255.255'))).toBe(true);
    expect(SPECIAL_NETWORKS).toHaveLength(EXCLUDED.length - 1);
  });

  test('is uniform over blocks without special networks', () => {
    const rand = seeded();
    const special = new Set([0, 10, 100, 127, 169, 172, 192, 198, 203]);
    const plain = Array.from({ length: 224 }, (_, i) => i).filter((octet) => !special.has(octet));
    const drawn = texts(60_000, () => rand('network.ip_v4_public')).map((each) => octetsOf(each)[0] ?? -1);
    const known = drawn.filter((octet) => !special.has(octet));
    expect(surprise(known, even(plain))).toBeLessThan(5);
  });
});

describe('other IPv4 addresses', () => {
  test('ip_v4 has any octet at each place', () => {
    const rand = seeded();
    const drawn = texts(60_000, () => rand('network.ip_v4')).map(octetsOf);
    const all = even(Array.from({ length: 256 }, (_, i) => i));
    for (const place of [0, 1, 2, 3]) {
      expect(
        surprise(
          drawn.map((octets) => octets[place] ?? -1),
          all,
        ),
      ).toBeLessThan(5);
    }
    expect(randOf(scripted([0]))('network.ip_v4')).toBe('0.0.0.0');
    expect(randOf(scripted([0xffff_ffff]))('network.ip_v4')).toBe('255.255.255.255');
  });

  test.each([
    ['a', '10.0.0.0', '10.255.255.255'],
    ['b', '172.16.0.0', '172.31.255.255'],
    ['c', '192.168.0.0', '192.168.255.255'],
  ])('ip_v4_private_%s covers its whole network', (name, first, last) => {
    const path = `network.ip_v4_private_${name}`;
    expect(randOf(scripted([0]))(path)).toBe(first);
    expect(randOf(scripted([0xffff_ffff]))(path)).toBe(last);
    const rand = seeded();
    for (const address of texts(2_000, () => rand(path))) {
      expect(numberOf(address)).toBeGreaterThanOrEqual(numberOf(first));
      expect(numberOf(address)).toBeLessThanOrEqual(numberOf(last));
    }
  });

  test('ip_v4_private has the three networks as 5 to 2 to 5', () => {
    const rand = seeded();
    const drawn = texts(30_000, () => rand('network.ip_v4_private')).map((each) => octetsOf(each)[0] ?? -1);
    const shares = new Map<Value, number>([
      [10, 5],
      [172, 2],
      [192, 5],
    ]);
    expect(surprise(drawn, shares)).toBeLessThan(5);
  });
});

describe('ip_v4_in_subnet', () => {
  test.each<[string, readonly string[]]>([
    ['10.1.2.0/30', ['10.1.2.1', '10.1.2.2']],
    ['10.1.2.3/30', ['10.1.2.1', '10.1.2.2']],
    ['10.1.2.5/29', ['10.1.2.1', '10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6']],
    ['10.1.2.9/31', ['10.1.2.8', '10.1.2.9']],
    ['255.255.255.255/32', ['255.255.255.255']],
    ['0.0.0.0/32', ['0.0.0.0']],
  ])('of %s is any of its hosts', (cidr, expected) => {
    const rand = seeded();
    const drawn = new Set(texts(300, () => rand('network.ip_v4_in_subnet', [cidr])));
    expect([...drawn].sort()).toEqual(expected);
    expect(expected).toContain(rand('network.ip_v4_in_subnet', [], { cidr }));
  });

  test('reaches both ends of large networks, and no further', () => {
    const least = { ...scripted([0, 0, 0]), integer: (min: number) => min };
    const most = { ...scripted([]), integer: (_: number, max: number) => max };
    for (const [cidr, first, last] of [
      ['172.16.99.1/8', '172.0.0.1', '172.255.255.254'],
      ['200.0.0.0/1', '128.0.0.1', '255.255.255.254'],
      ['0.0.0.0/0', '0.0.0.1', '255.255.255.254'],
    ]) {
      expect(randOf(least)('network.ip_v4_in_subnet', [cidr ?? ''])).toBe(first);
      expect(randOf(most)('network.ip_v4_in_subnet', [cidr ?? ''])).toBe(last);
    }
  });

  test('knows the bounds of a network', () => {
    expect(networkOf('192.168.77.13/20')).toEqual({
      first: numberOf('192.168.64.0'),
      last: numberOf('192.168.79.255'),
    });
  });

  test.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8 ',
    '10.0.0.0/08',
    '10.0.0/8',
    '10.0.0.256/8',
    '10.0.0.01/8',
    '10.0.0.0/255.0.0.0',
    '/0',
    '',
    'net',
  ])('refuses %j', (cidr) => {
    expect(faultOf(() => seeded()('network.ip_v4_in_subnet', [cidr]))).toBe(
      `ValueError: rand.network.ip_v4_in_subnet: '${cidr}' is not an IPv4 network: ` +
        "give an address and a prefix length from 0 to 32, such as '10.1.0.0/16'",
    );
  });

  test('says that it takes no IPv6, and no other type', () => {
    const rand = seeded();
    expect(faultOf(() => rand('network.ip_v4_in_subnet', ['2001:db8::/32']))).toMatch(
      /^ValueError: .*'2001:db8::\/32' is IPv6, but only IPv4 is supported/,
    );
    expect(faultOf(() => rand('network.ip_v4_in_subnet', [10]))).toBe(
      'TypeError: rand.network.ip_v4_in_subnet: cidr must be a string, not int (10)',
    );
  });
});

describe('IPv6', () => {
  test.each<[readonly [number, number, number, number], string]>([
    [[0, 0, 0, 0], '::'],
    [[0, 0, 0, 1], '::1'],
    [[0x2001_0db8, 0, 0, 0], '2001:db8::'],
    [[0x2001_0db8, 0x0000_0001, 0x0001_0001, 0x0001_0001], '2001:db8:0:1:1:1:1:1'],
    [[0x2001_0000, 0, 0x0001_0000, 0x0000_0001], '2001::1:0:0:1'],
    [[0x2001_0db8, 0, 0x0001_0000, 0x0000_0001], '2001:db8::1:0:0:1'],
    [[0x0001_0000, 0x0000_0001, 0, 0x0000_0001], '1:0:0:1::1'],
    [[0xabcd_ef01, 0x00ff_0100, 0x0fff_1000, 0xffff_000f], 'abcd:ef01:ff:100:fff:1000:ffff:f'],
  ])('writes %p as %s (RFC 5952)', (words, expected) => {
    expect(addressText6(...words)).toBe(expected);
    expect(isIPv6(expected)).toBe(true);
  });

  test.each<[string, number, number]>([
    ['ip_v6', 0, 0],
    ['ip_v6_global', 0x2000_0000, 0xe000_0000],
    ['ip_v6_link_local', 0xfe80_0000, 0xffc0_0000],
    ['ip_v6_ula', 0xfc00_0000, 0xfe00_0000],
  ])('%s keeps the bits of its network, and only them', (name, network, mask) => {
    const path = `network.${name}`;
    const first = randOf(scripted([0, 1, 1, 0x0001_0001]))(path);
    const last = randOf(scripted([0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff]))(path);
    expect(first).toBe(addressText6(network, 1, 1, 0x0001_0001));
    expect(last).toBe(addressText6((network | ~mask) >>> 0, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff));
    const rand = seeded();
    for (const address of texts(2_000, () => rand(path))) {
      expect(isIPv6(address)).toBe(true);
      expect(address).toBe(address.toLowerCase());
      if (mask === 0) continue;
      const word = Number.parseInt(address.split(':')[0] || '0', 16) * 65_536;
      expect((word & mask) >>> 0).toBe((network & mask) >>> 0);
    }
  });
});

describe('mac', () => {
  test('is the address of a device', () => {
    const rand = seeded();
    const drawn = texts(3_000, () => rand('network.mac'));
    for (const address of drawn) {
      expect(address).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/);
      expect(Number.parseInt(address.slice(0, 2), 16) % 2).toBe(0);
    }
    expect(new Set(drawn.map((address) => address.slice(0, 2))).size).toBe(128);
    expect(randOf(scripted([0xffff_ffff, 0xffff_ffff]))('network.mac')).toBe('fe:ff:ff:ff:ff:ff');
  });

  test.each(['00:50:56', 'AC-DE-48', 'ac:DE:48'])('begins with the oui %s', (oui) => {
    const prefix = oui.toLowerCase().replaceAll('-', ':');
    expect(seeded()('network.mac', [], { oui })).toMatch(new RegExp(`^${prefix}(:[0-9a-f]{2}){3}$`));
    expect(seeded()('network.mac', [oui])).toMatch(new RegExp(`^${prefix}:`));
  });

  test.each([...MAC_PREFIXES])('has each prefix of %s, and no other', (vendor, prefixes) => {
    const rand = seeded();
    const drawn = texts(400, () => rand('network.mac', [], { vendor })).map((address) => address.slice(0, 8));
    expect([...new Set(drawn)].sort()).toEqual([...prefixes].sort());
    expect(rand('network.mac', [], { vendor: vendor.toUpperCase() })).toMatch(/^[0-9a-f:]{17}$/);
  });

  test('knows the vendors of the documentation, with prefixes of devices that differ', () => {
    expect([...MAC_PREFIXES.keys()].join(' ')).toBe(
      'apple aruba broadcom cisco dell fortinet hp huawei ibm intel juniper lenovo microsoft mikrotik netgear ' +
        'paloalto samsung tplink ubiquiti vmware',
    );
    const all = [...MAC_PREFIXES.values()].flat();
    expect(new Set(all).size).toBe(all.length);
    // The two lowest bits of the first octet would mean a group, or an address that nobody registered.
    const odd = all.filter((prefix) => !/^[0-9a-f][048c](:[0-9a-f]{2}){2}$/.test(prefix));
    expect(odd).toEqual([]);
  });

  test.each<[Readonly<Record<string, Value>>, RegExp]>([
    [{ oui: '00:50:56', vendor: 'vmware' }, /^ValueError: .*oui and vendor both set the prefix/],
    [{ oui: '00:50' }, /^ValueError: .*oui '00:50' is not a prefix: write three octets/],
    [{ oui: '00:50-56' }, /^ValueError: .*is not a prefix/],
    [{ oui: '00:50:5g' }, /^ValueError: .*is not a prefix/],
    [{ oui: '005056' }, /^ValueError: .*is not a prefix/],
    [{ oui: 5 }, /^TypeError: .*oui must be a string, not int \(5\)/],
    [
      { vendor: 'acme' },
      /^ValueError: .*vendor 'acme' is unknown: use one of apple, aruba, .*, vmware, or give oui/,
    ],
    [{ vendor: '' }, /^ValueError: .*vendor '' is unknown/],
    [{ vendor: true }, /^TypeError: .*vendor must be a string, not bool/],
    [{ brand: 'hp' }, /^TypeError: .*'brand'/],
  ])('refuses %p', (kwargs, message) => {
    expect(faultOf(() => seeded()('network.mac', [], kwargs))).toMatch(message);
  });
});
