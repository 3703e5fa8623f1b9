import { checkGrown, spend } from '../limits.js';
import { raise } from '../values/fault.js';
import { SPACE, stripped } from './characters.js';
import { lastIndexIn, splitIn } from './search.js';

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
