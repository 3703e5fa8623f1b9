import { raise } from '../values/fault.js';
import { SPACE, stripped } from './characters.js';

/** `split(separator, limit)`: `null` splits at runs of white space; a negative limit is none. */
export const split = (text: string, separator: string | null, limit: number): string[] => {
  if (separator === '') return raise('ValueError', 'empty separator');
  if (separator !== null) {
    if (limit < 0) return text.split(separator);
    const parts: string[] = [];
    let start = 0;
    while (parts.length < limit) {
      const at = text.indexOf(separator, start);
      if (at < 0) break;
      parts.push(text.slice(start, at));
      start = at + separator.length;
    }
    parts.push(text.slice(start));
    return parts;
  }
  const parts: string[] = [];
  let rest = stripped(text, null, 'left');
  const gap = new RegExp(`[${SPACE}]+`, 'u');
  while (rest !== '') {
    const match = limit >= 0 && parts.length >= limit ? null : gap.exec(rest);
    if (match === null) {
      parts.push(rest);
      break;
    }
    parts.push(rest.slice(0, match.index));
    rest = rest.slice(match.index + match[0].length);
  }
  return parts;
};

/** `rsplit(separator, limit)`: the same from the end. */
export const splitRight = (text: string, separator: string | null, limit: number): string[] => {
  if (limit < 0) return split(text, separator, limit);
  if (separator === '') return raise('ValueError', 'empty separator');
  const parts: string[] = [];
  if (separator !== null) {
    let end = text.length;
    while (parts.length < limit) {
      const at = end < separator.length ? -1 : text.lastIndexOf(separator, end - separator.length);
      if (at < 0) break;
      parts.push(text.slice(at + separator.length, end));
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
  }
  return parts.reverse();
};

const IS_SPACE = new RegExp(`[${SPACE}]`, 'u');
