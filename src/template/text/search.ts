import { raise } from '../errors.js';
import { checkGrown, spend } from '../limits.js';
import { SPACE, stripped } from './characters.js';

/**
 * Text search in linear time. The engine's search is quadratic for texts like `'baaa...'` in `'aaa...'`:
 * hours within the limits. Above this product of lengths, Knuth-Morris-Pratt is used.
 */
const SAFE_PRODUCT = 2 ** 24;

const isSafe = (text: string, part: string): boolean =>
  part.length < 2 || text.length * part.length <= SAFE_PRODUCT;

const UNITS_PER_STEP = 64;

/** Per prefix, the length of its longest proper border. */
const bordersOf = (part: string): Int32Array => {
  spend(part.length / UNITS_PER_STEP);
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let i = 1; i < part.length; i++) {
    const unit = part.charCodeAt(i);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] as number;
    if (part.charCodeAt(length) === unit) length++;
    borders[i] = length;
  }
  return borders;
};

/** Cached borders: the same part is often searched again. */
let lastPart = '';
let lastBorders: Int32Array = new Int32Array(0);

const indexSlow = (text: string, part: string, from: number): number => {
  if (part !== lastPart) [lastPart, lastBorders] = [part, bordersOf(part)];
  const borders = lastBorders;
  let length = 0;
  let i = from;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] as number;
    if (part.charCodeAt(length) === unit) length++;
    if (length === part.length) break;
  }
  spend((i - from) / UNITS_PER_STEP);
  return i < text.length ? i - length + 1 : -1;
};

export const indexIn = (text: string, part: string, from = 0): number =>
  isSafe(text, part) ? text.indexOf(part, from) : indexSlow(text, part, from);

const backwards = (text: string): string => {
  const units = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(text.length - 1 - i);
  return Buffer.from(units.buffer).toString('utf16le');
};

export const lastIndexIn = (text: string, part: string, from = text.length): number => {
  if (isSafe(text, part)) return text.lastIndexOf(part, from);
  const end = Math.min(text.length, from + part.length);
  spend(end / UNITS_PER_STEP);
  const at = indexSlow(backwards(text.slice(0, end)), backwards(part), 0);
  return at < 0 ? -1 : end - at - part.length;
};

/** Non-overlapping occurrences of a non-empty part. */
export const countIn = (text: string, part: string): number => {
  let count = 0;
  for (let at = indexIn(text, part); at >= 0; at = indexIn(text, part, at + part.length))
    if ((++count & 0xff) === 0) spend(4);
  return count;
};

/** `text.split(part)`, part not empty; a negative limit is none. */
export const splitIn = (text: string, part: string, limit = -1): string[] => {
  const parts: string[] = [];
  let start = 0;
  while (limit < 0 || parts.length < limit) {
    const at = indexIn(text, part, start);
    if (at < 0) break;
    parts.push(text.slice(start, at));
    start = at + part.length;
    if ((parts.length & 0xff) === 0) {
      spend(16);
      checkGrown(parts.length);
    }
  }
  parts.push(text.slice(start));
  return parts;
};

/** Shorter texts use the engine's split. */
const SHORT = 1_024;

const pay = (count: number): void => {
  if ((count & 0xff) !== 0) return;
  spend(16);
  checkGrown(count);
};

/** `null` splits at white space; a negative limit is none. */
export const split = (text: string, separator: string | null, limit: number): string[] => {
  if (separator === '') return raise('ValueError', 'empty separator');
  if (separator !== null) {
    return limit < 0 && text.length <= SHORT ? text.split(separator) : splitIn(text, separator, limit);
  }
  const parts: string[] = [];
  const rest = stripped(text, null, 'left');
  const gap = new RegExp(`[${SPACE}]+`, 'gu');
  let start = 0;
  while (start < rest.length) {
    const match = limit >= 0 && parts.length >= limit ? null : gap.exec(rest);
    if (match === null) {
      parts.push(rest.slice(start));
      break;
    }
    parts.push(rest.slice(start, match.index));
    start = match.index + match[0].length;
    pay(parts.length);
  }
  return parts;
};

export const splitRight = (text: string, separator: string | null, limit: number): string[] => {
  if (limit < 0) return split(text, separator, limit);
  if (separator === '') return raise('ValueError', 'empty separator');
  const parts: string[] = [];
  if (separator !== null) {
    let end = text.length;
    while (parts.length < limit) {
      const at = end < separator.length ? -1 : lastIndexIn(text, separator, end - separator.length);
      if (at < 0) break;
      parts.push(text.slice(at + separator.length, end));
      pay(parts.length);
      end = at;
    }
    parts.push(text.slice(0, end));
    return parts.reverse();
  }
  let end = stripped(text, null, 'right').length;
  while (end > 0) {
    if (parts.length >= limit) {
      parts.push(text.slice(0, end));
      break;
    }
    let start = end;
    while (start > 0 && !IS_SPACE.test(text[start - 1] ?? '')) start--;
    parts.push(text.slice(start, end));
    end = start;
    while (end > 0 && IS_SPACE.test(text[end - 1] ?? '')) end--;
    pay(parts.length);
  }
  return parts.reverse();
};

const IS_SPACE = new RegExp(`[${SPACE}]`, 'u');
