import { budget, checkText } from '../limits.js';
import { PyDict } from '../values/dict.js';
import { raise } from '../values/fault.js';
import { MarkupText } from '../values/markup.js';
import { compareTexts, less } from '../values/order.js';
import { bigText, floatText } from '../values/print.js';
import { PyTuple } from '../values/tuple.js';
import { floatValue, PyFloat, TemplateObject, typeName, type Value } from '../values/value.js';

/** How `json.dumps` writes. */
export interface JsonStyle {
  readonly isAscii: boolean;
  readonly sortsKeys: boolean;
  readonly indent: string | null;
  readonly itemSeparator: string;
  readonly keySeparator: string;
  readonly skipsKeys: boolean;
  readonly allowsNan: boolean;
}

export const DEFAULT_STYLE: JsonStyle = {
  isAscii: true,
  sortsKeys: false,
  indent: null,
  itemSeparator: ', ',
  keySeparator: ': ',
  skipsKeys: false,
  allowsNan: true,
};

const PLAIN = /^[ !#-[\]-~]*$/;
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
/** Control characters, for use inside brackets of a pattern. */
export const CONTROLS = '\\x00-\\x1f';
const CONTROL = new RegExp(`["\\\\${CONTROLS}]`, 'g');

const jsonString = (text: string, isAscii: boolean): string =>
  PLAIN.test(text) ? `"${text}"` : `"${text.replace(isAscii ? NOT_ASCII : CONTROL, unit)}"`;

const floatJson = (value: number, allowsNan: boolean): string => {
  if (Number.isFinite(value)) return floatText(value);
  if (!allowsNan)
    return raise('ValueError', `Out of range float values are not JSON compliant: ${floatText(value)}`);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
};

/** A key of an object; `null` when it is left out. */
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

const sortedPairs = (dict: PyDict): readonly (readonly [Value, Value])[] =>
  dict
    .pairList()
    .sort(([a], [b]) =>
      typeof a === 'string' && typeof b === 'string'
        ? compareTexts(a, b)
        : less(a, b)
          ? -1
          : less(b, a)
            ? 1
            : 0,
    );

/** Containers that are being written, outermost first. */
const open: object[] = [];

const enterContainer = (owner: object): void => {
  if (open.includes(owner)) raise('ValueError', 'Circular reference detected');
  if (open.length >= budget.limits.recursion_depth) {
    raise('RecursionError', 'maximum recursion depth exceeded while encoding a JSON object');
  }
  open.push(owner);
};

/** What stands between two elements, and in front of the first and behind the last. */
const gaps = (
  style: JsonStyle,
): { readonly between: string; readonly first: string; readonly last: string } => {
  if (style.indent === null) return { between: style.itemSeparator, first: '', last: '' };
  const last = `\n${style.indent.repeat(open.length - 1)}`;
  const first = last + style.indent;
  return { between: style.itemSeparator.trimEnd() + first, first, last };
};

const arrayJson = (owner: object, items: readonly Value[], style: JsonStyle): string => {
  if (items.length === 0) return '[]';
  enterContainer(owner);
  const { between, first, last } = gaps(style);
  let text = '';
  for (const item of items) text += (text === '' ? `[${first}` : between) + write(item, style);
  open.pop();
  return checkText(`${text}${last}]`);
};

const objectJson = (dict: PyDict, style: JsonStyle): string => {
  enterContainer(dict);
  const { between, first, last } = gaps(style);
  let text = '';
  for (const [key, item] of style.sortsKeys ? sortedPairs(dict) : dict.pairList()) {
    const name = keyText(key, style);
    if (name === null) continue;
    text += text === '' ? `{${first}` : between;
    text += jsonString(name, style.isAscii) + style.keySeparator + write(item, style);
  }
  open.pop();
  return text === '' ? '{}' : checkText(`${text}${last}}`);
};

const write = (value: Value, style: JsonStyle): string => {
  if (typeof value === 'string') return jsonString(value, style.isAscii);
  if (Array.isArray(value)) return arrayJson(value, value, style);
  if (value instanceof TemplateObject) {
    if (value instanceof PyDict) return objectJson(value, style);
    if (value instanceof MarkupText) return jsonString(value.value, style.isAscii);
    if (value instanceof PyTuple) return arrayJson(value, value.items, style);
    if (value instanceof PyFloat) return scalarJson(value, style);
  }
  if (typeof value === 'function' || value instanceof TemplateObject) {
    return raise('TypeError', `Object of type ${typeName(value)} is not JSON serializable`);
  }
  return scalarJson(value, style);
};

/** A value as JSON. */
export const writeJson = (value: Value, style: JsonStyle): string => {
  const depth = open.length;
  try {
    return checkText(write(value, style));
  } finally {
    open.length = depth;
  }
};

const HTML: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  "'": '\\u0027',
};
const UNSAFE = /[<>&']/;
const UNSAFES = /[<>&']/g;
const SORTED: JsonStyle = { ...DEFAULT_STYLE, sortsKeys: true };
const NEEDS_NOTHING = /^[ !#-%(-;=?-[\]-~]*$/;

/** The style of `tojson(indent=...)`. */
export const indented = (indent: Value): JsonStyle => {
  if (indent === null) return SORTED;
  const text = typeof indent === 'string' ? indent : ' '.repeat(Math.max(0, Number(indent)));
  return { ...SORTED, indent: text, itemSeparator: ',' };
};

/** What the filter `tojson` prints: sorted keys, ASCII only, `< > & '` escaped for HTML. */
export const jsonText = (value: Value, style: JsonStyle | number = SORTED): string => {
  if (typeof value === 'string' && NEEDS_NOTHING.test(value)) return `"${value}"`;
  const used = typeof style === 'number' ? SORTED : style;
  const text = writeJson(value, used);
  return UNSAFE.test(text) ? text.replace(UNSAFES, (each) => HTML[each] ?? each) : text;
};
