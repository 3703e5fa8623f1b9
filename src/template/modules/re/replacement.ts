import { checkLonger } from '../../limits.js';
import { raise } from '../../values/fault.js';
import { textOf } from '../../values/types/markup.js';
import type { Value } from '../../values/value.js';

interface Groups {
  readonly indexOf: (group: Value) => number;
  readonly group: (index: number) => Value;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

const PART = /\\(?:g<([^>]*)>|([1-9]\d?)|(0[0-7]{0,2}|[0-7]{3})|([\s\S]?))/g;

const grouped = (match: Groups, group: Value, at: number): string => {
  try {
    return textOf(match.group(match.indexOf(group))) ?? '';
  } catch {
    if (typeof group === 'number')
      return raise('error', `invalid group reference ${group} at position ${at}`);
    return raise('IndexError', `unknown group name '${String(group)}'`);
  }
};

/** Expands `\1`, `\g<1>`, `\g<name>`, `\n`. */
export const expanded = (template: string, match: Groups): string => {
  if (!template.includes('\\')) return template;
  let result = '';
  let from = 0;
  for (const part of template.matchAll(PART)) {
    const [whole, name, number, octal, letter] = part;
    result += template.slice(from, part.index);
    from = part.index + whole.length;
    if (name !== undefined)
      result += grouped(match, /^\d+$/.test(name) ? Number(name) : name, part.index + 3);
    else if (number !== undefined) result += grouped(match, Number(number), part.index + 1);
    else if (octal !== undefined) result += String.fromCharCode(Number.parseInt(octal, 8));
    else result += escapeText(letter ?? '', whole, part.index);
    checkLonger(result.length);
  }
  return result + template.slice(from);
};

const escapeText = (letter: string, whole: string, at: number): string => {
  if (letter === '') return raise('error', `bad escape (end of pattern) at position ${at}`);
  const known = ESCAPES[letter];
  if (known !== undefined) return known;
  return /[A-Za-z]/.test(letter) ? raise('error', `bad escape ${whole} at position ${at}`) : whole;
};
