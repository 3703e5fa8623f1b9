import { raise } from '../errors.js';
import { checkLength, spend } from '../limits.js';
import { capitalized, lines, stripped } from '../text/characters.js';
import { PyMarkup, stripTags } from '../text/markupValue.js';
import { replaceText } from '../text/methods.js';
import { charactersOf, inParts, joined, lengthOf } from '../text/pieces.js';
import { printf } from '../text/printf.js';
import { splitRight } from '../text/search.js';
import { type Methods, methods, rawMethods } from '../values/methods.js';
import { callMethod } from '../values/operations/access.js';
import { modulo } from '../values/operations/arithmetic.js';
import { truthy } from '../values/operations/compare.js';
import { iterate, listFrom, tryIterate } from '../values/operations/iterate.js';
import { repr, str } from '../values/operations/print.js';
import { needIndex } from '../values/operations/subscript.js';
import { dictOfKwargs, PyDict } from '../values/types/dict.js';
import { escapedMarkup, escapeValue, MarkupText, textOf } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { noAttribute, Undefined } from '../values/types/undefined.js';
import { typeName, type Value } from '../values/value.js';
import { attributeGetter, lengthOfValue } from './sequences.js';

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
const wordWrap = (
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

/** A string stays itself, HTML or not; other values are printed. */
const soft = (value: Value): string | MarkupText =>
  typeof value === 'string' || value instanceof MarkupText ? value : str(value);

const viaMethod = (value: Value, name: string, ...args: Value[]): Value =>
  callMethod(soft(value), name, args, null);

const WORD_START = /[-\s({[<]+/g;

const title = (text: string): string => {
  let result = '';
  let from = 0;
  let words = 0;
  for (const match of text.matchAll(WORD_START)) {
    result += capitalizedWord(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
    if ((++words & 0xff) === 0) spend(WORDS_AT_ONCE);
  }
  return result + capitalizedWord(text.slice(from));
};

const WORDS_AT_ONCE = 64;

const capitalizedWord = (part: string): string => {
  const [first = ''] = part;
  return first.toUpperCase() + part.slice(first.length).toLowerCase();
};

const join = (value: Value, separator: Value, attribute: Value): string => {
  const getter = attribute === null ? null : attributeGetter(attribute);
  return joined(iterate(value), str(separator), (item) => str(getter === null ? item : getter(item)));
};

const indent = (source: Value, width: Value, first: Value, blank: Value): Value => {
  const text = textOf(source);
  if (text === null) {
    if (Array.isArray(source)) return noAttribute(source, 'splitlines');
    if (source instanceof Undefined) return source.fail();
    return raise('TypeError', `unsupported operand type(s) for +=: '${typeName(source)}' and 'str'`);
  }
  const blanks = textOf(width) === null ? Math.max(0, needIndex(width)) : 0;
  checkLength(blanks);
  const prefix = textOf(width) ?? ' '.repeat(blanks);
  const all = lines(`${text}\n`, false);
  checkLength(text.length + all.length * prefix.length);
  const indentedLine = (line: string): string => (line === '' && !truthy(blank) ? line : prefix + line);
  const [head = '', ...rest] = all;
  const body = [truthy(first) ? prefix + head : head, ...rest.map(indentedLine)].join('\n');
  return source instanceof MarkupText ? new PyMarkup(body) : body;
};

const truncate = (source: Value, length: Value, killWords: Value, end: Value, leeway: Value): Value => {
  const tail = str(end);
  const most = needIndex(length);
  const extra = leeway === null ? 5 : needIndex(leeway);
  const tailSize = lengthOf(tail);
  if (most < tailSize) return raise('AssertionError', `expected length >= ${tailSize}, got ${most}`);
  if (extra < 0) return raise('AssertionError', `expected leeway >= 0, got ${extra}`);
  const text = textOf(source);
  if ((text === null ? lengthOfValue(source) : lengthOf(text)) <= most + extra) return source;
  if (text === null) return noAttribute(source, 'rsplit');
  const characters = charactersOf(text);
  const cut =
    typeof characters === 'string'
      ? characters.slice(0, most - tailSize)
      : characters.slice(0, most - tailSize).join('');
  const kept = truthy(killWords) ? cut : (splitRight(cut, ' ', 1)[0] ?? '');
  return source instanceof MarkupText ? new PyMarkup(kept + escapeValue(end)) : kept + tail;
};

const ALWAYS_SAFE = /[A-Za-z0-9_.~-]/;

/** Percent-encodes UTF-8. Keeps `/` except in queries. */
const quoteUrl = (value: Value, isForQuery: boolean): string =>
  inParts(str(value), (part) => quotePart(part, isForQuery));

const quotePart = (part: string, isForQuery: boolean): string => {
  let result = '';
  for (const byte of Buffer.from(part)) {
    const character = String.fromCharCode(byte);
    if (ALWAYS_SAFE.test(character) || (character === '/' && !isForQuery)) result += character;
    else if (character === ' ' && isForQuery) result += '+';
    else result += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return result;
};

const urlEncode = (value: Value): string => {
  if (textOf(value) !== null || tryIterate(value) === null) return quoteUrl(value, false);
  const pairs = value instanceof PyDict ? [...value.pairs()] : [...iterate(value)].map(pairOf);
  return joined(pairs.keys(), '&', (_, index) => {
    const [key, item] = pairs[index] as readonly [Value, Value];
    return `${quoteUrl(key, true)}=${quoteUrl(item, true)}`;
  });
};

const pairOf = (pair: Value): readonly [Value, Value] => {
  const [key, value, ...more] = listFrom(pair);
  if (key === undefined || value === undefined) {
    return raise('ValueError', `not enough values to unpack (expected 2, got ${key === undefined ? 0 : 1})`);
  }
  return more.length > 0 ? raise('ValueError', 'too many values to unpack (expected 2)') : [key, value];
};

const xmlAttributes = (value: Value, autospace: Value): string => {
  if (!(value instanceof PyDict)) {
    return noAttribute(value, 'items');
  }
  const parts: string[] = [];
  for (const [key, item] of value.pairs()) {
    if (item === null || item instanceof Undefined) continue;
    const name =
      textOf(key) ?? raise('TypeError', `expected string or bytes-like object, got '${typeName(key)}'`);
    if (/[ \t\n\r\f\v/>=]/.test(name)) {
      return raise('ValueError', `Invalid character in attribute name: ${repr(name)}`);
    }
    parts.push(`${escapedMarkup(name)}="${escapeValue(item)}"`);
  }
  return (truthy(autospace) && parts.length > 0 ? ' ' : '') + parts.join(' ');
};

export const TEXT_FILTERS: Methods<Value> = new Map([
  ...methods<Value>({
    'upper()': (value) => (typeof value === 'string' ? value.toUpperCase() : viaMethod(value, 'upper')),
    'lower()': (value) => (typeof value === 'string' ? value.toLowerCase() : viaMethod(value, 'lower')),
    'capitalize()': (value) =>
      typeof value === 'string' ? capitalized(value) : viaMethod(value, 'capitalize'),
    'title()': (value) => title(str(value)),
    'center(width=80)': (value, width) => viaMethod(value, 'center', width),
    'trim(chars=None)': (value, chars) =>
      chars === null && typeof value === 'string'
        ? stripped(value, null, 'both')
        : viaMethod(value, 'strip', chars),
    'string()': (value) => soft(value),
    'replace(old, new, count=None)': (value, old, next, count) =>
      replaceText(str(value), str(old), str(next), count === null ? -1 : needIndex(count)),
    "join(d='', attribute=None)": join,
    'wordcount()': (value) => str(value).match(/[\p{L}\p{N}\p{Pc}\p{M}]+/gu)?.length ?? 0,
    'escape()': (value) => new PyMarkup(escapeValue(value)),
    'forceescape()': (value) => new PyMarkup(escapedMarkup(str(value))),
    'safe()': (value) => new PyMarkup(str(value)),
    'striptags()': (value) => stripTags(str(value)),
    'indent(width=4, first=False, blank=False)': indent,
    "truncate(length=255, killwords=False, end='...', leeway=None)": truncate,
    'wordwrap(width=79, break_long_words=True, wrapstring=None, break_on_hyphens=True)': wordWrap,
    'urlencode()': urlEncode,
    'xmlattr(autospace=True)': xmlAttributes,
  }),
  ...rawMethods<Value>({
    format: (value, args, kwargs) => {
      if (args.length > 0 && kwargs !== null && kwargs.size > 0) {
        return raise('FilterArgumentError', "can't handle positional and keyword arguments at the same time");
      }
      const given = kwargs !== null && kwargs.size > 0 ? dictOfKwargs(kwargs) : new PyTuple(args);
      const format = soft(value);
      return typeof format === 'string' ? printf(format, given) : modulo(format, given);
    },
  }),
]);
