import { checkGrown, spend } from '../limits.js';

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
