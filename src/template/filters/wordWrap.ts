import { lines } from '../text/characters.js';
import { lengthOf } from '../text/codePoints.js';
import { raise } from '../values/fault.js';
import { str } from '../values/operations/print.js';
import { needIndex } from '../values/operations/subscript.js';
import { truthy } from '../values/operations/truth.js';
import { textOf } from '../values/types/markup.js';
import { noAttribute } from '../values/types/undefined.js';
import type { Value } from '../values/value.js';

/** White space of `textwrap`. */
const BLANKS = '\\t\\n\\x0b\\x0c\\r ';
const WORD = '[\\p{L}\\p{N}\\p{Pc}\\p{M}!"\'&.,?]';
const LETTER = '[^\\P{L}]';

/** Break points: blanks, em dashes, hyphens between letters. */
const HYPHENS = new RegExp(
  `([${BLANKS}]+|(?<=${WORD})-{2,}(?=[\\p{L}\\p{N}\\p{Pc}])|[^${BLANKS}]+?(?:-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${LETTER}-))(?=${LETTER}-?${LETTER})|(?=[${BLANKS}]|$)|(?<=${WORD})(?=-{2,}[\\p{L}\\p{N}\\p{Pc}])))`,
  'u',
);
const SPACES = new RegExp(`([${BLANKS}]+)`, 'u');

const isBlank = (chunk: string): boolean => chunk.trim() === '';

/** First part of a word that is too long; breaks after a hyphen if possible. */
const brokenAt = (word: string, space: number, breaksHyphens: boolean): number => {
  if (!breaksHyphens || word.length <= space) return space;
  const hyphen = word.lastIndexOf('-', space - 1);
  return hyphen > 0 && /[^-]/.test(word.slice(0, hyphen)) ? hyphen + 1 : space;
};

const wrapLine = (text: string, width: number, breaksWords: boolean, breaksHyphens: boolean): string[] => {
  if (width <= 0) return raise('ValueError', `invalid width ${width} (must be > 0)`);
  const chunks = text.split(breaksHyphens ? HYPHENS : SPACES).filter((chunk) => chunk !== '');
  const result: string[] = [];
  let next = 0;
  while (next < chunks.length) {
    if (isBlank(chunks[next] ?? '') && result.length > 0) next++;
    const line: string[] = [];
    let length = 0;
    while (next < chunks.length && length + lengthOf(chunks[next] ?? '') <= width) {
      length += lengthOf(chunks[next] ?? '');
      line.push(chunks[next++] ?? '');
    }
    const word = chunks[next];
    if (word !== undefined && lengthOf(word) > width) {
      const space = width < 1 ? 1 : width - length;
      if (breaksWords) {
        const end = brokenAt(word, space, breaksHyphens);
        line.push(word.slice(0, end));
        chunks[next] = word.slice(end);
      } else if (line.length === 0) line.push(chunks[next++] ?? '');
    }
    if (line.length > 0 && isBlank(line.at(-1) ?? '')) line.pop();
    if (line.length > 0) result.push(line.join(''));
  }
  return result;
};

/** Wraps each line separately. */
export const wordWrap = (
  value: Value,
  width: Value,
  breaksWords: Value,
  wrapString: Value,
  breaksHyphens: Value,
): Value => {
  const text = textOf(value);
  if (text === null) return noAttribute(value, 'splitlines');
  const end = wrapString === null ? '\n' : str(wrapString);
  return lines(text, false)
    .map((line) => wrapLine(line, needIndex(width), truthy(breaksWords), truthy(breaksHyphens)).join(end))
    .join(end);
};
