import type { Random } from '../../../../../domain/random.js';
import { pick, pickWeighted } from './draws.js';

/**
 * Since 2022 Chromium freezes all but its major version, macOS and Windows their versions; Firefox freezes
 * macOS at 10.15, Safari 26 iOS at 18.6.
 */
const CHROMIUM = [136, 147] as const;
const FIREFOX = [136, 148] as const;
const OPERA_BEHIND_CHROMIUM = 16;
const SAFARI = [
  '17.5',
  '17.6',
  '18.1',
  '18.2',
  '18.3',
  '18.4',
  '18.5',
  '18.6',
  '26.0',
  '26.1',
  '26.2',
] as const;

const DESKTOPS: readonly (readonly [string, number])[] = [
  ['Windows NT 10.0; Win64; x64', 70],
  ['Macintosh; Intel Mac OS X 10_15_7', 22],
  ['X11; Linux x86_64', 8],
];
const FIREFOX_DESKTOPS: readonly (readonly [string, number])[] = [
  ['Windows NT 10.0; Win64; x64', 70],
  ['Macintosh; Intel Mac OS X 10.15', 15],
  ['X11; Linux x86_64', 8],
  ['X11; Ubuntu; Linux x86_64', 7],
];

const chromium = (platform: string, major: number, tail = ''): string =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 ${tail}Safari/537.36`;

const major = (random: Random, [low, high]: readonly [number, number]): number => random.integer(low, high);

export const chrome = (random: Random): string => {
  const version = major(random, CHROMIUM);
  return random.next() < 0.3
    ? chromium('Linux; Android 10; K', version, 'Mobile ')
    : chromium(pickWeighted(random, DESKTOPS), version);
};

export const edge = (random: Random): string => {
  const version = major(random, CHROMIUM);
  return `${chromium('Windows NT 10.0; Win64; x64', version)} Edg/${version}.0.0.0`;
};

export const opera = (random: Random): string => {
  const version = major(random, CHROMIUM);
  return `${chromium(pickWeighted(random, DESKTOPS), version)} OPR/${version - OPERA_BEHIND_CHROMIUM}.0.0.0`;
};

export const firefox = (random: Random): string => {
  const version = major(random, FIREFOX);
  if (random.next() < 0.15) {
    const android = random.integer(12, 16);
    return `Mozilla/5.0 (Android ${android}; Mobile; rv:${version}.0) Gecko/${version}.0 Firefox/${version}.0`;
  }
  const platform = pickWeighted(random, FIREFOX_DESKTOPS);
  return `Mozilla/5.0 (${platform}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
};

export const safari = (random: Random): string => {
  const version = pick(random, SAFARI);
  if (random.next() < 0.5) {
    return `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Safari/605.1.15`;
  }
  const system = (version.startsWith('26') ? '18.6' : version).replace('.', '_');
  const device = random.next() < 0.8 ? 'iPhone; CPU iPhone OS' : 'iPad; CPU OS';
  return `Mozilla/5.0 (${device} ${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;
};

export const internetExplorer = (random: Random): string =>
  pick(random, [
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (Windows NT 6.3; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)',
    'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; Trident/5.0)',
  ]);

/** Weighted by use (rounded; desktops and phones of 2025). */
export const userAgent = (random: Random): string =>
  pickWeighted(random, [
    [chrome, 66],
    [safari, 18],
    [edge, 7],
    [firefox, 6],
    [opera, 3],
  ])(random);

export const androidPlatform = (random: Random): string => `Android ${random.integer(10, 16)}`;

export const iosPlatform = (random: Random): string => {
  const system = pick(random, SAFARI).replace('.', '_');
  return random.next() < 0.8
    ? `iPhone; CPU iPhone OS ${system} like Mac OS X`
    : `iPad; CPU OS ${system} like Mac OS X`;
};

export const linuxPlatform = (random: Random): string =>
  `X11; Linux ${pickWeighted(random, [
    ['x86_64', 9],
    ['aarch64', 1],
    ['i686', 1],
  ])}`;

export const macPlatform = (random: Random): string =>
  `Macintosh; Intel Mac OS X ${pick(random, ['10_15_7', '11_7_10', '12_7_6', '13_7_8', '14_8_1', '15_7_1'])}`;

export const windowsPlatform = (random: Random): string =>
  pickWeighted(random, [
    ['Windows NT 10.0', 20],
    ['Windows NT 6.3', 1],
    ['Windows NT 6.2', 1],
    ['Windows NT 6.1', 2],
  ]);
