import { raise } from '../errors.js';
import { budget, checkLength, checkLonger, checkText, spend } from '../limits.js';
import { inParts } from '../text/pieces.js';
import { compareTexts, less } from '../values/operations/compare.js';
import { bigText, floatText } from '../values/operations/print.js';
import { type KeyInOrder, PyDict } from '../values/types/dict.js';
import { MarkupText } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { floatValue, isObject, PyFloat, typeName, type Value } from '../values/value.js';

export interface JsonStyle {
  readonly isAscii: boolean;
  readonly sortsKeys: boolean;
  readonly indent: string | null;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly skipsKeys: boolean;
  readonly allowsNan: boolean;
  readonly isForHtml: boolean;
  /** Escapes what JSON requires and halves of characters, so that the text is valid in UTF-8. */
  readonly isUtf8: boolean;
}

export const DEFAULT_STYLE: JsonStyle = {
  isAscii: true,
  sortsKeys: false,
  indent: null,
  itemSeparator: ', ',
  keySeparator: ': ',
  skipsKeys: false,
  allowsNan: true,
  isForHtml: false,
  isUtf8: false,
};

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

const unit = (character: string): string =>
  ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const NOT_ASCII = /[^ !#-[\]-~]/g;
/** Control characters, for a character class. */
export const CONTROLS = '\\x00-\\x1f';
const CONTROL = new RegExp(`["\\\\${CONTROLS}]`, 'g');
const NOT_PLAIN_HTML = /[^ !#-%(-;=?-[\]-~]/g;
const HTML = /[<>&']/g;

/** Pre-check without anchors: faster than a full match. */
const HAS_SPECIAL = /[^ !#-[\]-~]/;
const HAS_SPECIAL_OR_HTML = /[^ !#-%(-;=?-[\]-~]/;

/** The escape of each ASCII character in `tojson`; empty for plain ones. */
const HTML_ESCAPES: readonly string[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return HAS_SPECIAL_OR_HTML.test(character) ? unit(character) : '';
});

/** Longer texts are left to regular expressions. */
const SHORT_TEXT = 256;
/** From this length on a native search for the first special character is faster than a look at each. */
const SEARCHED_TEXT = 16;

/** One look at each character: for short texts several times faster than a regular expression with a function. */
const shortForHtml = (text: string): string => {
  const first = text.length < SEARCHED_TEXT ? 0 : text.search(HAS_SPECIAL_OR_HTML);
  if (first < 0) return `"${text}"`;
  let made = '"';
  let from = 0;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const escaped = code < 128 ? (HTML_ESCAPES[code] as string) : unit(text.charAt(at));
    if (escaped === '') continue;
    made += from === at ? escaped : text.slice(from, at) + escaped;
    from = at + 1;
  }
  return from === 0 ? `"${text}"` : `${made}${text.slice(from)}"`;
};

/** Longer texts are faster with `JSON.stringify` than with a look at each character. */
const SHORT_UTF8 = 48;
/** Longer texts are escaped in parts, within the limits. */
const LONG_UTF8 = 4_096;

/** Characters that the filter `json` escapes: 1. Halves of characters are beyond the table. */
const UTF8_ESCAPED = Uint8Array.from({ length: 128 }, (_, code) =>
  code < 0x20 || code === 0x22 || code === 0x5c ? 1 : 0,
);

const utf8String = (text: string): string => {
  if (text.length > LONG_UTF8) return `"${inParts(text, (part) => JSON.stringify(part).slice(1, -1))}"`;
  if (text.length > SHORT_UTF8) return JSON.stringify(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 ? UTF8_ESCAPED[code] === 1 : (code & 0xf800) === 0xd800) return JSON.stringify(text);
  }
  return `"${text}"`;
};

const jsonString = (text: string, style: JsonStyle): string => {
  if (style.isForHtml) {
    if (text.length <= SHORT_TEXT) return shortForHtml(text);
    return HAS_SPECIAL_OR_HTML.test(text)
      ? `"${inParts(text, (part) => part.replace(NOT_PLAIN_HTML, unit))}"`
      : `"${text}"`;
  }
  if (style.isUtf8) return utf8String(text);
  return HAS_SPECIAL.test(text)
    ? `"${inParts(text, (part) => part.replace(style.isAscii ? NOT_ASCII : CONTROL, unit))}"`
    : `"${text}"`;
};

const floatJson = (value: number, allowsNan: boolean): string => {
  if (Number.isFinite(value)) return floatText(value);
  if (!allowsNan)
    return raise('ValueError', `Out of range float values are not JSON compliant: ${floatText(value)}`);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
};

const keyText = (key: Value, style: JsonStyle): string | null => {
  if (typeof key === 'string') return key;
  if (key instanceof MarkupText) return key.value;
  if (
    key === null ||
    typeof key === 'boolean' ||
    typeof key === 'number' ||
    typeof key === 'bigint' ||
    floatValue(key) !== undefined
  ) {
    return scalarJson(key, style);
  }
  if (style.skipsKeys) return null;
  return raise('TypeError', `keys must be str, int, float, bool or None, not ${typeName(key)}`);
};

const scalarJson = (value: Value, style: JsonStyle): string => {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return bigText(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return floatJson(floatValue(value) ?? 0, style.allowsNan);
};

const STEPS_PER_COMPARISON = 1 / 8;

const sortedPairs = (dict: PyDict): readonly (readonly [Value, Value])[] =>
  dict.pairList().sort(([a], [b]) => {
    spend(STEPS_PER_COMPARISON);
    return typeof a === 'string' && typeof b === 'string'
      ? compareTexts(a, b)
      : less(a, b)
        ? -1
        : less(b, a)
          ? 1
          : 0;
  });

/** Containers being written, outermost first; detects cycles. */
const open: object[] = [];

const enterContainer = (owner: object): void => {
  if (open.includes(owner)) raise('ValueError', 'Circular reference detected');
  if (open.length >= budget.limits.recursion_depth) {
    raise('RecursionError', 'maximum recursion depth exceeded while encoding a JSON object');
  }
  open.push(owner);
};

interface Gaps {
  readonly between: string;
  readonly first: string;
  readonly last: string;
}

/** Returns the separators between, before and after elements. A null `indent` means no indent. */
const gaps = (style: JsonStyle): Gaps => {
  if (style.indent === null) {
    return style.itemSeparator === ', ' ? USUAL_GAPS : { between: style.itemSeparator, first: '', last: '' };
  }
  checkLength(style.indent.length * open.length);
  const last = `\n${style.indent.repeat(open.length - 1)}`;
  const first = last + style.indent;
  return { between: style.itemSeparator.trimEnd() + first, first, last };
};

const USUAL_GAPS: Gaps = { between: ', ', first: '', last: '' };

const arrayJson = (owner: object, items: readonly Value[], style: JsonStyle): string => {
  if (items.length === 0) return '[]';
  enterContainer(owner);
  spend(items.length);
  const { between, first, last } = gaps(style);
  let text = '';
  for (const item of items) {
    text += (text === '' ? `[${first}` : between) + write(item, style);
    checkLonger(text.length);
  }
  open.pop();
  return checkText(`${text}${last}]`);
};

/** Writes a literal's dict with keys ordered and escaped once per literal. Null if that is not possible. */
const recordJson = (dict: PyDict, style: JsonStyle): string | null => {
  const record = style === SORTED || style === ORDERED ? dict.record : null;
  if (record === null) return null;
  const { shape, values } = record;
  let keys = style === SORTED ? shape.sorted : shape.ordered;
  if (keys === null) {
    keys = keysInOrder(shape.keys, style);
    if (style === SORTED) shape.sorted = keys;
    else shape.ordered = keys;
  }
  if (keys.length === 0) return null;
  enterContainer(dict);
  spend(values.length);
  let text = '';
  for (const { place, before } of keys) text += before + write(values[place] as Value, style);
  open.pop();
  return checkText(`${text}}`);
};

/** Indexes of the keys in the order of the style, with the text before each value; empty if a key is no string. */
const keysInOrder = (keys: readonly Value[], style: JsonStyle): readonly KeyInOrder[] => {
  if (!keys.every((key) => typeof key === 'string')) return [];
  const places = keys.map((key, place) => ({ key, place }));
  if (style.sortsKeys) places.sort((a, b) => compareTexts(a.key, b.key));
  return places.map(({ key, place }, index) => ({
    place,
    before: `${index === 0 ? '{' : style.itemSeparator}${jsonString(key, style)}${style.keySeparator}`,
  }));
};

const objectJson = (dict: PyDict, style: JsonStyle): string => {
  const quick = recordJson(dict, style);
  if (quick !== null) return quick;
  enterContainer(dict);
  const { between, first, last } = gaps(style);
  let text = '';
  for (const [key, item] of style.sortsKeys ? sortedPairs(dict) : dict.pairList()) {
    const name = keyText(key, style);
    if (name === null) continue;
    text += text === '' ? `{${first}` : between;
    text += jsonString(name, style) + style.keySeparator + write(item, style);
    checkLonger(text.length);
  }
  open.pop();
  return text === '' ? '{}' : checkText(`${text}${last}}`);
};

const write = (value: Value, style: JsonStyle): string => {
  if (typeof value === 'string') return jsonString(value, style);
  if (Array.isArray(value)) return arrayJson(value, value, style);
  if (isObject(value)) {
    if (value instanceof PyDict) return objectJson(value, style);
    if (value instanceof MarkupText) return jsonString(value.value, style);
    if (value instanceof PyTuple) return arrayJson(value, value.items, style);
    if (value instanceof PyFloat) return scalarJson(value, style);
  }
  if (typeof value === 'function' || isObject(value)) {
    return raise('TypeError', `Object of type ${typeName(value)} is not JSON serializable`);
  }
  return scalarJson(value, style);
};

export const writeJson = (value: Value, style: JsonStyle): string => {
  if (typeof value === 'string') return checkText(jsonString(value, style));
  const depth = open.length;
  try {
    return checkText(write(value, style));
  } finally {
    // Only after an error: setting the length is slow, even to the same value.
    if (open.length !== depth) open.length = depth;
  }
};

const SORTED: JsonStyle = { ...DEFAULT_STYLE, sortsKeys: true, isForHtml: true };

const ORDERED: JsonStyle = { ...DEFAULT_STYLE, isAscii: false, isUtf8: true, allowsNan: false };

const indented = (style: JsonStyle, indent: Value): JsonStyle => {
  if (indent === null) return style;
  const width = typeof indent === 'string' ? 0 : Math.max(0, Number(indent));
  checkLength(width);
  const text = typeof indent === 'string' ? indent : ' '.repeat(width);
  return { ...style, indent: style.isForHtml ? text.replace(HTML, unit) : text, itemSeparator: ',' };
};

const isSmallInt = (value: Value): value is number => typeof value === 'number' && (value | 0) === value;

/** The filter `tojson`: sorted keys, ASCII only, `< > & '` escaped. */
export const jsonText = (value: Value): string => (isSmallInt(value) ? `${value}` : writeJson(value, SORTED));

/** The filter `json`: keys in their order, UTF-8. */
export const orderedJson = (value: Value): string =>
  isSmallInt(value) ? `${value}` : writeJson(value, ORDERED);

export const indentedJson = (value: Value, indent: Value): string =>
  writeJson(value, indented(SORTED, indent));

export const indentedOrderedJson = (value: Value, indent: Value): string =>
  writeJson(value, indented(ORDERED, indent));
