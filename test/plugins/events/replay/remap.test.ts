import { isIP, isIPv6 } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { type Remap, remapAddress, remapOf } from '../../../../src/plugins/events/replay/remap.js';
import { remapShape } from '../../../../src/plugins/events/replay/spec.js';
import { decode, showPath } from '../../../../src/schema/index.js';
import { drain, fileWith, start } from './support.js';

const KEY = 'a secret key';

const remapWith = (params: object): Remap => {
  const decoded = decode(remapShape, { key: KEY, ...params });
  if (E.isLeft(decoded))
    throw new Error(decoded.left.map(({ path, message }) => `${showPath(path)} ${message}`).join());
  const made = remapOf(decoded.right);
  if (E.isLeft(made)) throw new Error(made.left);
  return made.right;
};

/** Bits of an address as a text of zeros and ones. */
const bitsOf = (address: string): string => {
  if (!isIPv6(address))
    return address
      .split('.')
      .map((byte) => Number(byte).toString(2).padStart(8, '0'))
      .join('');
  const [before = '', after] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(before), groups(after ?? '')];
  const zeros = new Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('');
};

const commonPrefix = (a: string, b: string): number => {
  const [one, two] = [bitsOf(a), bitsOf(b)];
  let length = 0;
  while (length < one.length && one[length] === two[length]) length++;
  return length;
};

describe('the address for an address', () => {
  test.each([
    ['IPv4', fc.ipV4()],
    ['IPv6', fc.ipV6().filter((text) => !text.includes('.'))],
  ])('keeps the length of the common prefix of any two of %s', (_, address) => {
    const near = fc.tuple(address, fc.nat(255)).map(([text, last]) => {
      const cut = text.includes(':') ? text.lastIndexOf(':') : text.lastIndexOf('.');
      return [text, text.slice(0, cut + 1) + (text.includes(':') ? last.toString(16) : last)] as const;
    });
    const pair = fc
      .oneof(fc.tuple(address, address), near)
      .filter((both) => both.every((text) => isIP(text) !== 0));
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [one, two] = [remapAddress(a, KEY), remapAddress(b, KEY)];
        expect(isIP(one)).toBe(isIP(a));
        expect(commonPrefix(one, two)).toBe(commonPrefix(a, b));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is another one under another key, and mostly another one than before', () => {
    const addresses = Array.from({ length: 200 }, (_, i) => `93.184.${i}.${(i * 37) % 256}`);
    const once = addresses.map((address) => remapAddress(address, KEY));
    expect(addresses.map((address) => remapAddress(address, KEY))).toEqual(once);
    expect(new Set(once).size).toBe(200);
    expect(once.filter((address, i) => address === addresses[i])).toEqual([]);
    const other = addresses.map((address) => remapAddress(address, 'another key'));
    expect(other.filter((address, i) => address === once[i]).length).toBeLessThan(5);
  });

  test.each([
    ['10.1.2.3', /^10\./],
    ['172.20.1.1', /^172\.(1[6-9]|2\d|3[01])\./],
    ['192.168.7.7', /^192\.168\./],
    ['127.0.0.1', /^127\.0\.0\.1$/],
    ['127.9.9.9', /^127\./],
    ['0.0.0.0', /^0\.0\.0\.0$/],
    ['255.255.255.255', /^255\.255\.255\.255$/],
    ['239.1.2.3', /^2(2[4-9]|3\d)\./],
    ['::1', /^::1$/],
    ['::', /^::$/],
    ['fe80::1', /^fe[89ab]/],
    ['fd00::1', /^f[cd]/],
    ['2001:db8::1', /^2001:db8:/],
    ['::ffff:10.1.2.3', /^::ffff:10\./],
  ])('%s stays in its kind of network', (address, expected) => {
    expect(remapAddress(address, KEY)).toMatch(expected);
  });

  test('an IPv4-mapped address goes by its IPv4 address, in both spellings', () => {
    const plain = remapAddress('93.184.216.34', KEY);
    expect(remapAddress('::ffff:93.184.216.34', KEY)).toBe(`::ffff:${plain}`);
    expect(remapAddress('::ffff:5db8:d822', KEY)).toBe(`::ffff:${plain}`);
  });
});

describe('addresses in a record', () => {
  const remap = remapWith({});
  const [v4, v6] = [remapAddress('93.184.216.34', KEY), remapAddress('2a00:1450:4001::200e', KEY)];

  test.each([
    ['93.184.216.34', v4],
    ['from 93.184.216.34:443, to 93.184.216.34/32.', `from ${v4}:443, to ${v4}/32.`],
    ['at 93.184.216.34. Then', `at ${v4}. Then`],
    ['[2a00:1450:4001::200e]:443', `[${v6}]:443`],
    ['2a00:1450:4001:0:0:0:0:200E: denied', `${v6}: denied`],
    ['::ffff:93.184.216.34 x', `::ffff:${v4} x`],
    ['addr:93.184.216.34', `addr:${v4}`],
  ])('%s becomes %s', (record, expected) => {
    expect(remap(record)).toBe(expected);
  });

  test.each([
    '12:34:56 and 12:34:56:78',
    '00:1a:2b:3c:4d:5e',
    '1.2.3.4.5 and v1.2.3.4',
    '999.1.1.1 and 1.2.3',
    'std::vector<x>',
    'deadbeef 2026-01-01T00:00:00Z',
    ':'.repeat(10_000),
    '',
  ])('%p stays', (record) => {
    expect(remap(record)).toBe(record);
  });

  test('stay with addresses: false', () => {
    expect(remapWith({ addresses: false })('93.184.216.34')).toBe('93.184.216.34');
  });
});

describe('names in a record', () => {
  test('are found by a group of a pattern, by a whole match and by a list', () => {
    const remap = remapWith({
      names: [
        { as: 'user', pattern: String.raw`user=(?<name>\w+)` },
        { as: 'host', list: ['web-1', 'web-10', 'bücher'] },
        { as: 'mail', pattern: String.raw`\w+@example\.com` },
      ],
    });
    const text = remap('web-10 web-1 web-1x user=alice for alice, bücher: bob@example.com user=alice');
    expect(text).toMatch(
      /^host-[\da-f]{8} host-[\da-f]{8} web-1x user=user-[\da-f]{8} for alice, host-[\da-f]{8}: mail-[\da-f]{8} user=user-[\da-f]{8}$/,
    );
    const [user, again] = [...text.matchAll(/user=(\S+)/g)].map((match) => match[1]);
    expect(again).toBe(user);
    expect(remap('web-1')).toBe(text.split(' ')[1]);
    expect(remapWith({ names: [{ as: 'user', list: ['alice'] }] })('alice')).toBe(user);
    expect(remapWith({ key: 'another key', names: [{ as: 'user', list: ['alice'] }] })('alice')).not.toBe(
      user,
    );
  });

  test('are replaced once where rules overlap, in every line of a record', () => {
    const remap = remapWith({
      names: [
        { as: 'one', list: ['alice'] },
        { as: 'two', pattern: String.raw`^user=(?P<name>\w+)` },
      ],
    });
    expect(remap('user=alice\nuser=bob')).toMatch(/^user=one-[\da-f]{8}\nuser=two-[\da-f]{8}$/);
  });

  test('an address at the place of a name is an address', () => {
    const remap = remapWith({ names: [{ as: 'host', pattern: String.raw`host=(?P<name>\S+)` }] });
    expect(remap('host=93.184.216.34')).toBe(`host=${remapAddress('93.184.216.34', KEY)}`);
  });

  test.each([
    [{ names: [{ as: 'a b', list: ['x'] }] }, 'as must be letters'],
    [{ names: [{ as: 'a' }] }, 'one of pattern and list is required'],
    [{ names: [{ as: 'a', pattern: '(' }] }, 'is not a valid regular expression'],
    [{ key: 'short' }, 'key must be text of 8..1024 characters'],
  ])('options %j are refused: %s', (params, problem) => {
    expect(() => remapWith(params)).toThrow(problem);
  });
});

describe('replay with remap', () => {
  test('replaces in every line, with new timestamps and marks, and no state is needed to resume', async () => {
    const path = await fileWith('at 1 from 93.184.216.34\nat 2 from 93.184.216.35\n');
    const given = {
      path,
      timestamp_pattern: String.raw`at (?P<timestamp>\d)`,
      timestamp_format: '%s',
      remap: { key: KEY },
      marks: 'text',
    };
    const { events } = await drain((await start(given)).producer);
    const [first, second] = ['93.184.216.34', '93.184.216.35'].map((address) => remapAddress(address, KEY));
    expect(events.map((event) => event.replace(/ spate=.*/, ''))).toEqual([
      `at 0 from ${first}`,
      `at 1 from ${second}`,
    ]);
  });
});
