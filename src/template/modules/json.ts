import type { Json } from '../../domain/json.js';
import { raise } from '../errors.js';
import { checkGrown, checkLength, spend } from '../limits.js';
import { native } from '../values/methods.js';
import { truthy } from '../values/operations/compare.js';
import { asIndex } from '../values/operations/subscript.js';
import { PyBytes } from '../values/types/bytes.js';
import { dictOf, PyDict } from '../values/types/dict.js';
import { MarkupText, textOf } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { floatOf, floatValue, intOf, TemplateObject, typeName, type Value } from '../values/value.js';
import { HostModule } from './hostModule.js';
import { CONTROLS, DEFAULT_STYLE, type JsonStyle, writeJson } from './jsonText.js';

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const STRING = new RegExp(`"((?:[^"\\\\${CONTROLS}]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*)"`, 'y');
const BLANK = /[ \t\n\r]*/y;
const WORDS: Readonly<Record<string, Value>> = {
  true: true,
  false: false,
  null: null,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};
const MAX_DEPTH = 500;

/** `json.loads`: objects become dicts, `2.0` stays a float, large ints stay exact. */
export const jsonLoads = (source: string): Value => {
  let at = 0;
  let depth = 0;
  const fail = (what: string, where = at): never => {
    const before = source.slice(0, where);
    const line = before.split('\n').length;
    const column = where - before.lastIndexOf('\n');
    return raise('JSONDecodeError', `${what}: line ${line} column ${column} (char ${where})`);
  };
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at += match[0].length;
    return match;
  };
  const blank = (): void => {
    take(BLANK);
  };
  const text = (): string => {
    const from = at;
    const match = take(STRING);
    if (match === null) return fail('Unterminated string starting at', from);
    return JSON.parse(match[0]) as string;
  };
  const value = (): Value => {
    spend(1);
    const character = source[at];
    if (character === '"') return text();
    if (character === '{') return nested(object);
    if (character === '[') return nested(array);
    for (const [word, meaning] of Object.entries(WORDS)) {
      if (source.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const number = take(NUMBER);
    if (number === null) return fail('Expecting value');
    return number[1] === undefined && number[2] === undefined
      ? intOf(BigInt(number[0]))
      : floatOf(Number(number[0]));
  };
  const nested = (rule: () => Value): Value => {
    if (++depth > MAX_DEPTH)
      return raise('RecursionError', 'maximum recursion depth exceeded while decoding a JSON document');
    at++;
    const made = rule();
    depth--;
    return made;
  };
  const object = (): Value => {
    const items = new Map<string, Value>();
    blank();
    if (source[at] === '}') {
      at++;
      return new PyDict();
    }
    for (;;) {
      blank();
      if (source[at] !== '"') return fail('Expecting property name enclosed in double quotes');
      const key = text();
      blank();
      if (source[at] !== ':') return fail("Expecting ':' delimiter");
      at++;
      blank();
      items.set(key, value());
      if ((items.size & 0xfff) === 0) checkGrown(items.size);
      blank();
      const end = source[at++];
      if (end === '}') return dictOf([...items.keys()], [...items.values()]);
      if (end !== ',') return fail("Expecting ',' delimiter", at - 1);
    }
  };
  const array = (): Value => {
    const items: Value[] = [];
    blank();
    if (source[at] === ']') {
      at++;
      return items;
    }
    for (;;) {
      blank();
      items.push(value());
      if ((items.length & 0xfff) === 0) checkGrown(items.length);
      blank();
      const end = source[at++];
      if (end === ']') return items;
      if (end !== ',') return fail("Expecting ',' delimiter", at - 1);
    }
  };
  blank();
  const result = value();
  blank();
  return at < source.length ? fail('Extra data') : result;
};

const indentOf = (value: Value): string | null => {
  if (value === null) return null;
  const text = textOf(value);
  const width = Math.max(0, asIndex(value) ?? 0);
  checkLength(width);
  return text ?? ' '.repeat(width);
};

const separatorsOf = (value: Value, indent: string | null): readonly [string, string] => {
  if (value === null) return [indent === null ? ', ' : ',', ': '];
  const items = value instanceof PyTuple ? value.items : Array.isArray(value) ? value : [];
  const [item, key] = items.map((each) => textOf(each));
  if (typeof item !== 'string' || typeof key !== 'string') {
    return raise('ValueError', 'not enough values to unpack (expected 2)');
  }
  return [item, key];
};

const dumps = (value: Value, options: readonly Value[]): string => {
  const [
    skipsKeys = false,
    isAscii = true,
    ,
    allowsNan = true,
    ,
    indent = null,
    separators = null,
    ,
    sorts = false,
  ] = options;
  const step = indentOf(indent);
  const [itemSeparator, keySeparator] = separatorsOf(separators, step);
  const style: JsonStyle = {
    ...DEFAULT_STYLE,
    skipsKeys: truthy(skipsKeys),
    isAscii: truthy(isAscii),
    allowsNan: truthy(allowsNan),
    indent: step,
    itemSeparator,
    keySeparator,
    sortsKeys: truthy(sorts),
  };
  return writeJson(value, style);
};

export const jsonModule = (): HostModule =>
  new HostModule('json', {
    dumps: native(
      'dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None, separators=None, default=None, sort_keys=False)',
      (value, ...options) => dumps(value ?? null, options),
    ),
    loads: native('loads(s)', (source = null) => {
      const text = source instanceof PyBytes ? Buffer.from(source.bytes).toString('utf8') : textOf(source);
      return text === null
        ? raise('TypeError', `the JSON object must be str, bytes or bytearray, not ${typeName(source)}`)
        : jsonLoads(text);
    }),
  });

/** Numbers without a fraction become ints: JavaScript cannot tell 2 from 2.0 (`readJson` can). */
export const fromJson = (value: Json): Value => {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : floatOf(value);
  if (typeof value !== 'object' || value === null) return value;
  return dictOf(Object.keys(value), Object.values(value).map(fromJson));
};

/** Tuples become arrays; other keys, date-times and objects their printed text. */
export const toJson = (value: Value): Json => {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'function') return null;
  if (!(value instanceof TemplateObject)) return value;
  const float = floatValue(value);
  if (float !== undefined) return float;
  if (value instanceof MarkupText) return value.value;
  if (value instanceof PyTuple) return value.items.map(toJson);
  if (!(value instanceof PyDict)) return value.text();
  return Object.fromEntries([...value.pairs()].map(([key, item]) => [jsonKey(key), toJson(item)]));
};

const jsonKey = (key: Value): string => {
  if (typeof key === 'string') return key;
  return key instanceof TemplateObject ? key.text() : String(key);
};
