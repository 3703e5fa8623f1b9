import { raise } from '../errors.js';
import { checkItems, checkLength, checkLonger, checkText } from '../limits.js';
import { type Methods, methods, rawMethods } from '../values/methods.js';
import { truthy } from '../values/operations/compare.js';
import { iterate } from '../values/operations/iterate.js';
import { isPrintable } from '../values/operations/print.js';
import { asIndex, needIndex } from '../values/operations/subscript.js';
import { encodeText } from '../values/types/bytes.js';
import { PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { TemplateObject, typeName, type Value } from '../values/value.js';
import * as is from './characters.js';
import { formatText, formatValue, plainSource } from './format.js';
import { joined, lengthOf, paced, toPoints, toUnits } from './pieces.js';
import { countIn, indexIn, lastIndexIn, split, splitIn, splitRight } from './search.js';

const needText = (value: Value, what = 'must be str'): string =>
  textOf(value) ?? raise('TypeError', `${what}, not ${typeName(value)}`);

const textOrNone = (value: Value, name: string): string | null =>
  value === null ? null : (textOf(value) ?? raise('TypeError', `${name} arg must be None or str`));

/** `start` and `end` of a search, in units. */
const window = (text: string, start: Value, end: Value): readonly [number, number] => {
  const length = lengthOf(text);
  const clamp = (value: Value, whenNone: number): number => {
    if (value === null) return whenNone;
    const index = asIndex(value);
    if (index === undefined) {
      return raise('TypeError', 'slice indices must be integers or None or have an __index__ method');
    }
    return index < 0 ? Math.max(0, index + length) : index;
  };
  const from = clamp(start, 0);
  const to = Math.min(clamp(end, length), length);
  return [from > length ? text.length + 1 : toUnits(text, from), toUnits(text, to)];
};

/** Position in characters; -1 if absent. */
const find = (text: string, part: Value, start: Value, end: Value, isLast: boolean): number => {
  const needle = needText(part);
  const [from, to] = window(text, start, end);
  if (from > to) return -1;
  const searched = text.slice(0, to);
  const at = isLast ? lastIndexIn(searched, needle) : indexIn(searched, needle, from);
  return at < from ? -1 : toPoints(text, at);
};

const count = (text: string, part: Value, start: Value, end: Value): number => {
  const needle = needText(part);
  const [from, to] = window(text, start, end);
  if (from > to) return 0;
  const searched = text.slice(from, to);
  return needle === '' ? lengthOf(searched) + 1 : countIn(searched, needle);
};

const matches = (text: string, part: Value, start: Value, end: Value, isEnd: boolean): boolean => {
  const name = isEnd ? 'endswith' : 'startswith';
  if (part instanceof PyTuple) return part.items.some((each) => matches(text, each, start, end, isEnd));
  const needle =
    textOf(part) ??
    raise('TypeError', `${name} first arg must be str or a tuple of str, not ${typeName(part)}`);
  const [from, to] = window(text, start, end);
  if (from > to) return false;
  const searched = text.slice(from, to);
  return isEnd ? searched.endsWith(needle) : searched.startsWith(needle);
};

/** Up to this many units, piecewise building is faster. */
const SHORT = 256;

const replacedShort = (text: string, old: string, next: string): string => {
  let result = '';
  let from = 0;
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, from)) {
    result += text.slice(from, at) + next;
    from = at + old.length;
  }
  return from === 0 ? text : result + text.slice(from);
};

/** A negative limit is none. */
export const replaceText = (text: string, old: string, next: string, limit: number): string => {
  if (limit < 0) {
    if (old !== '') {
      if (text.length <= SHORT && next.length <= SHORT) return checkText(replacedShort(text, old, next));
      const count = countIn(text, old);
      if (next.length > old.length) checkLength(text.length + count * (next.length - old.length));
      if (old.length > 1) return checkText(splitIn(text, old).join(next));
      return checkText(text.replaceAll(old, next.replaceAll('$', '$$$$')));
    }
    checkLength(text.length + (text.length + 1) * next.length);
    return next + joined(text, '', (each) => String(each) + next);
  }
  if (limit === 0) return text;
  if (old === '') {
    checkItems(text.length);
    checkLength(text.length + Math.min(limit, text.length + 1) * next.length);
    const characters = Array.from(text);
    const head = characters.slice(0, limit - 1).map((each) => next + each);
    return head.join('') + next + characters.slice(limit - 1).join('');
  }
  return checkText(split(text, old, limit).join(next));
};

const justify = (text: string, width: Value, fill: Value, where: 'center' | 'left' | 'right'): string => {
  const length = lengthOf(text);
  const missing = needIndex(width) - length;
  const filler = textOf(fill);
  if (filler === null || lengthOf(filler) !== 1) {
    return raise('TypeError', 'The fill character must be exactly one character long');
  }
  if (missing <= 0) return text;
  checkLength(length + missing);
  if (where === 'left') return text + filler.repeat(missing);
  if (where === 'right') return filler.repeat(missing) + text;
  // The odd blank goes left or right as in CPython.
  const left = Math.floor(missing / 2) + (missing & (length + missing) & 1);
  return filler.repeat(left) + text + filler.repeat(missing - left);
};

const expandTabs = (text: string, size: number): string => {
  let column = 0;
  let result = '';
  for (const character of paced(text)) {
    if (character === '\t') {
      const blanks = size > 0 ? size - (column % size) : 0;
      checkLonger(result.length + blanks);
      result += ' '.repeat(blanks);
      column += blanks;
    } else {
      result += character;
      column = character === '\n' || character === '\r' ? 0 : column + 1;
    }
  }
  return result;
};

const partition = (text: string, separator: Value, isLast: boolean): PyTuple => {
  const needle = needText(separator);
  if (needle === '') return raise('ValueError', 'empty separator');
  const at = isLast ? lastIndexIn(text, needle) : indexIn(text, needle);
  if (at < 0) return new PyTuple(isLast ? ['', '', text] : [text, '', '']);
  return new PyTuple([text.slice(0, at), needle, text.slice(at + needle.length)]);
};

const joinTexts = (separator: string, items: Value): string => {
  return joined(
    iterate(items),
    separator,
    (item, index) =>
      textOf(item) ??
      raise('TypeError', `sequence item ${index}: expected str instance, ${typeName(item)} found`),
  );
};

const makeTranslation = (from: Value, to: Value, gone: Value): Value => {
  const table = new PyDict();
  if (to === null) {
    if (!(from instanceof PyDict)) {
      return raise('TypeError', 'if you give only one argument to maketrans it must be a dict');
    }
    for (const [key, value] of from.pairs())
      table.set(typeof key === 'string' ? (key.codePointAt(0) ?? 0) : key, value);
    return table;
  }
  const [before, after] = [needText(from), needText(to)];
  checkItems(before.length + after.length);
  const old = Array.from(before);
  const next = Array.from(after);
  if (old.length !== next.length) {
    return raise('ValueError', 'the first two maketrans arguments must have equal length');
  }
  for (const [i, each] of old.entries()) table.set(each.codePointAt(0) ?? 0, next[i]?.codePointAt(0) ?? 0);
  if (gone !== null) for (const each of needText(gone)) table.set(each.codePointAt(0) ?? 0, null);
  return table;
};

const translate = (text: string, table: Value): string => {
  if (!(table instanceof TemplateObject) && !Array.isArray(table)) {
    return raise('TypeError', `'${typeName(table)}' object is not subscriptable`);
  }
  let result = '';
  for (const character of paced(text)) {
    checkLonger(result.length);
    const code = character.codePointAt(0) ?? 0;
    const target = Array.isArray(table) ? table[code] : table.item(code);
    if (target === undefined) result += character;
    else if (target !== null)
      result += typeof target === 'number' ? String.fromCodePoint(target) : needText(target);
  }
  return checkText(result);
};

const zeroFill = (text: string, width: Value): string => {
  const missing = needIndex(width) - lengthOf(text);
  if (missing <= 0) return text;
  checkLength(missing);
  const sign = /^[+-]/.test(text) ? text.slice(0, 1) : '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
};

const splitArgs = (separator: Value, limit: Value): readonly [string | null, number] => [
  separator === null ? null : needText(separator, 'must be str or None'),
  needIndex(limit),
];

const notFound = (): never => raise('ValueError', 'substring not found');

export const TEXT_METHODS: Methods<string> = new Map([
  ...methods<string>({
    'capitalize()': (self) => is.capitalized(self),
    'casefold()': (self) => is.foldedText(self),
    "center(width, fillchar=' ', /)": (self, width, fill) => justify(self, width, fill, 'center'),
    'count(sub, start=None, end=None, /)': count,
    "encode(encoding='utf-8', errors='strict')": encodeText,
    'endswith(suffix, start=None, end=None, /)': (self, part, start, end) =>
      matches(self, part, start, end, true),
    'expandtabs(tabsize=8)': (self, size) => expandTabs(self, needIndex(size)),
    'find(sub, start=None, end=None, /)': (self, part, start, end) => find(self, part, start, end, false),
    'format_map(mapping, /)': (self, mapping) =>
      formatText(self, {
        args: [],
        lookup: (name) => (mapping instanceof TemplateObject ? mapping.item(name) : undefined),
        finish: formatValue,
      }),
    'index(sub, start=None, end=None, /)': (self, part, start, end) => {
      const at = find(self, part, start, end, false);
      return at < 0 ? notFound() : at;
    },
    'isalnum()': is.isAlnum,
    'isalpha()': is.isAlpha,
    'isascii()': (self) => /^\p{ASCII}*$/u.test(self),
    'isdecimal()': is.isDecimal,
    'isdigit()': is.isDigit,
    'isidentifier()': is.isIdentifier,
    'islower()': is.isLower,
    'isnumeric()': is.isNumeric,
    'isprintable()': isPrintable,
    'isspace()': is.isSpace,
    'istitle()': is.isTitle,
    'isupper()': is.isUpper,
    'join(iterable, /)': joinTexts,
    "ljust(width, fillchar=' ', /)": (self, width, fill) => justify(self, width, fill, 'left'),
    'lower()': (self) => self.toLowerCase(),
    'lstrip(chars=None, /)': (self, chars) => is.stripped(self, textOrNone(chars, 'lstrip'), 'left'),
    'maketrans(x, y=None, z=None, /)': (_self, x, y, z) => makeTranslation(x, y, z),
    'partition(sep, /)': (self, separator) => partition(self, separator, false),
    'removeprefix(prefix, /)': (self, prefix) => {
      const head = needText(prefix);
      return self.startsWith(head) ? self.slice(head.length) : self;
    },
    'removesuffix(suffix, /)': (self, suffix) => {
      const tail = needText(suffix);
      return tail !== '' && self.endsWith(tail) ? self.slice(0, -tail.length) : self;
    },
    'replace(old, new, count=-1, /)': (self, old, next, limit) =>
      replaceText(self, needText(old), needText(next), needIndex(limit)),
    'rfind(sub, start=None, end=None, /)': (self, part, start, end) => find(self, part, start, end, true),
    'rindex(sub, start=None, end=None, /)': (self, part, start, end) => {
      const at = find(self, part, start, end, true);
      return at < 0 ? notFound() : at;
    },
    "rjust(width, fillchar=' ', /)": (self, width, fill) => justify(self, width, fill, 'right'),
    'rpartition(sep, /)': (self, separator) => partition(self, separator, true),
    'rsplit(sep=None, maxsplit=-1)': (self, separator, limit) => {
      const parts = splitRight(self, ...splitArgs(separator, limit));
      checkItems(parts.length);
      return parts;
    },
    'rstrip(chars=None, /)': (self, chars) => is.stripped(self, textOrNone(chars, 'rstrip'), 'right'),
    'split(sep=None, maxsplit=-1)': (self, separator, limit) => {
      const parts = split(self, ...splitArgs(separator, limit));
      checkItems(parts.length);
      return parts;
    },
    'splitlines(keepends=False)': (self, keepEnds) => is.lines(self, truthy(keepEnds)),
    'startswith(prefix, start=None, end=None, /)': (self, part, start, end) =>
      matches(self, part, start, end, false),
    'strip(chars=None, /)': (self, chars) => is.stripped(self, textOrNone(chars, 'strip'), 'both'),
    'swapcase()': (self) => is.swapped(self),
    'title()': (self) => is.titled(self),
    'translate(table, /)': translate,
    'upper()': (self) => self.toUpperCase(),
    'zfill(width, /)': zeroFill,
  }),
  ...rawMethods<string>({
    format: (self, args, kwargs) => formatText(self, plainSource(args, kwargs)),
  }),
]);
