import { raise } from '../errors.js';
import { checkText } from '../limits.js';
import { repr, str, textRepr } from '../values/operations/print.js';
import { textOf } from '../values/types/markup.js';
import { type Kwargs, orElse, TemplateObject, typeName, type Value } from '../values/value.js';
import { formatScalar } from './formatNumber.js';

export const formatValue = (value: Value, spec: string): string => {
  const scalar = formatScalar(value, textOf(value), spec);
  if (scalar !== undefined) return scalar;
  if (spec === '') return str(value);
  const own = value instanceof TemplateObject ? value.format(spec) : undefined;
  return own ?? raise('TypeError', `unsupported format string passed to ${typeName(value)}.__format__`);
};

interface FormatSource {
  readonly args: readonly Value[];
  readonly lookup: (name: string) => Value | undefined;
  readonly finish: (value: Value, spec: string) => string;
}

const fieldEnd = (format: string, from: number): number => {
  let depth = 1;
  let isInBrackets = false;
  for (let at = from; at < format.length; at++) {
    const character = format[at];
    if (character === '[' && depth === 1) isInBrackets = true;
    else if (character === ']') isInBrackets = false;
    else if (isInBrackets) continue;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  return raise('ValueError', "expected '}' before end of string");
};

const attributeOf = (value: Value, name: string): Value => {
  if (value instanceof TemplateObject && !name.startsWith('_')) {
    const found = value.attribute(name);
    if (found !== undefined) return found;
  }
  return raise('AttributeError', `'${typeName(value)}' object has no attribute '${name}'`);
};

const itemOf = (value: Value, key: string): Value => {
  const index: Value = /^\d+$/.test(key) ? Number(key) : key;
  if (Array.isArray(value) || typeof value === 'string') {
    if (typeof index === 'string') {
      return raise(
        'TypeError',
        `${Array.isArray(value) ? 'list' : 'string'} indices must be integers, not 'str'`,
      );
    }
    const what = Array.isArray(value) ? 'list' : 'string';
    return orElse<Value>(value[index], () => raise('IndexError', `${what} index out of range`));
  }
  if (!(value instanceof TemplateObject))
    return raise('TypeError', `'${typeName(value)}' object is not subscriptable`);
  return orElse(value.item(index), () => raise('KeyError', repr(index)));
};

const STEP = /\.([^.[]*)|\[([^\]]*)\]/gy;

const follow = (first: Value, path: string): Value => {
  let value = first;
  let at = 0;
  for (const match of path.matchAll(STEP)) {
    const [whole, name, key] = match;
    if (name === '' || key === '') return raise('ValueError', 'Empty attribute in format string');
    value = name === undefined ? itemOf(value, key ?? '') : attributeOf(value, name);
    at = match.index + whole.length;
  }
  if (at < path.length) {
    return raise(
      'ValueError',
      path[at] === '['
        ? "Missing ']' in format string"
        : "Only '.' or '[' may follow ']' in format field specifier",
    );
  }
  return value;
};

export const formatText = (format: string, source: FormatSource): string => {
  let nextIndex = 0;
  let numbering: 'none' | 'automatic' | 'manual' = 'none';
  const use = (kind: 'automatic' | 'manual'): void => {
    if (numbering !== 'none' && numbering !== kind) {
      const [from, to] =
        kind === 'automatic'
          ? ['manual field specification', 'automatic field numbering']
          : ['automatic field numbering', 'manual field specification'];
      raise('ValueError', `cannot switch from ${from} to ${to}`);
    }
    numbering = kind;
  };
  const argument = (index: number): Value =>
    orElse(source.args[index], () =>
      raise('IndexError', `Replacement index ${index} out of range for positional args tuple`),
    );
  const named = (name: string): Value => {
    if (name === '') {
      use('automatic');
      return argument(nextIndex++);
    }
    if (/^\d+$/.test(name)) {
      use('manual');
      return argument(Number(name));
    }
    return orElse(source.lookup(name), () => raise('KeyError', textRepr(name)));
  };
  const field = (text: string, depth: number): string => {
    const [, path = '', conversion, spec = ''] =
      /^((?:\[[^\]]*\]|[^!:])*)(?:!([^:]*))?(?::(.*))?$/su.exec(text) ?? [];
    const [name = ''] = /^[^.[]*/.exec(path) ?? [];
    const value = follow(named(name), path.slice(name.length));
    const filled = spec.includes('{') || spec.includes('}') ? run(spec, depth + 1) : spec;
    if (conversion === undefined) return source.finish(value, filled);
    return source.finish(converted(value, conversion), filled);
  };
  const run = (text: string, depth: number): string => {
    if (depth > 1) return raise('ValueError', 'Max string recursion exceeded');
    let result = '';
    for (let at = 0; at < text.length; at++) {
      const character = text[at];
      if (character === '{' && text[at + 1] === '{') result += text[at++];
      else if (character === '}' && text[at + 1] === '}') result += text[at++];
      else if (character === '}') return raise('ValueError', "Single '}' encountered in format string");
      else if (character !== '{') result += character;
      else if (at + 1 >= text.length) return raise('ValueError', "Single '{' encountered in format string");
      else {
        const end = fieldEnd(text, at + 1);
        result += field(text.slice(at + 1, end), depth);
        at = end;
      }
    }
    return result;
  };
  return checkText(run(format, 0));
};

const converted = (value: Value, conversion: string): Value => {
  switch (conversion) {
    case 's':
      return str(value);
    case 'r':
      return repr(value);
    case 'a':
      return repr(value).replace(/\P{ASCII}/gu, (each) => {
        const code = each.codePointAt(0) ?? 0;
        if (code < 0x100) return `\\x${code.toString(16)}`;
        return code < 0x1_0000
          ? `\\u${code.toString(16).padStart(4, '0')}`
          : `\\U${code.toString(16).padStart(8, '0')}`;
      });
    default:
      return raise('ValueError', `Unknown conversion specifier '${conversion}'`);
  }
};

export const plainSource = (args: readonly Value[], kwargs: Kwargs | null): FormatSource => ({
  args,
  lookup: (name) => kwargs?.get(name),
  finish: formatValue,
});
