import type { Random } from '../../../../../domain/random.js';
import { BYTES } from './hex.js';

const SHORT: readonly string[] = Array.from({ length: 256 }, (_, i) => i.toString(16));

const group = (value: number): string =>
  value > 255 ? (SHORT[value >>> 8] ?? '') + (BYTES[value & 255] ?? '') : (SHORT[value] ?? '');

/** The longest run of two or more zero groups as `::`, the first of equal ones. */
const compressed = (groups: readonly number[]): string => {
  let start = 0;
  let length = 0;
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (groups[end] === 0) end++;
    if (end - i > length) {
      start = i;
      length = end - i;
    }
    i = end;
  }
  const text = (part: readonly number[]): string => part.map(group).join(':');
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
};

const pair = (word: number): string => `${group(word >>> 16)}:${group(word & 0xffff)}`;

const hasZeroGroup = (word: number): boolean => word >>> 16 === 0 || (word & 0xffff) === 0;

/** Canonical text (RFC 5952) of four 32-bit words. */
export const addressText6 = (a: number, b: number, c: number, d: number): string => {
  if (!hasZeroGroup(a) && !hasZeroGroup(b) && !hasZeroGroup(c) && !hasZeroGroup(d))
    return `${pair(a)}:${pair(b)}:${pair(c)}:${pair(d)}`;
  return compressed([a, b, c, d].flatMap((word) => [word >>> 16, word & 0xffff]));
};

/** `free`: random bits of the first word. */
const within =
  (network: number, free: number) =>
  (random: Random): string =>
    addressText6(
      ((random.uint32() & free) | network) >>> 0,
      random.uint32(),
      random.uint32(),
      random.uint32(),
    );

export const anyAddress6 = within(0, 0xffff_ffff);
/** 2000::/3, RFC 4291 */
export const globalAddress6 = within(0x2000_0000, 0x1fff_ffff);
/** fe80::/10, RFC 4291 */
export const linkLocalAddress6 = within(0xfe80_0000, 0x003f_ffff);
/** fc00::/7, RFC 4193 */
export const uniqueLocalAddress6 = within(0xfc00_0000, 0x01ff_ffff);
