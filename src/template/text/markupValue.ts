import { raise } from '../errors.js';
import { checkText } from '../limits.js';
import { invoke } from '../values/methods.js';
import { compare } from '../values/operations/compare.js';
import { iterate } from '../values/operations/iterate.js';
import { repr, textRepr } from '../values/operations/print.js';
import { repeatText, textItem } from '../values/operations/subscript.js';
import { escapedMarkup, escapeValue, MarkupText, textOf } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { type Kwargs, typeName, type Value } from '../values/value.js';
import { SPACE } from './characters.js';
import { formatText, formatValue } from './format.js';
import { TEXT_METHODS } from './methods.js';
import { cat, joined, lengthOf } from './pieces.js';
import { printf } from './printf.js';
import { indexIn } from './search.js';

export class PyMarkup extends MarkupText {
  override attribute(name: string): Value | undefined {
    return this.hasMethod(name) ? (args, kwargs) => this.callMethod(name, args, kwargs) ?? null : undefined;
  }
  private hasMethod(name: string): boolean {
    return TEXT_METHODS.has(name) || OWN.includes(name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    if (name === 'unescape') return unescapeHtml(this.value);
    if (name === 'striptags') return stripTags(this.value);
    if (name === 'format') {
      return new PyMarkup(
        formatText(this.value, { args, lookup: (key) => kwargs?.get(key), finish: escapedFormat }),
      );
    }
    if (name === 'join') {
      return new PyMarkup(joined(iterate(args[0] ?? []), this.value, escapeValue));
    }
    const method = TEXT_METHODS.get(name);
    if (method === undefined) return undefined;
    const given = ESCAPING.includes(name)
      ? args.map((each) => (textOf(each) === null ? each : escapeValue(each)))
      : args;
    return marked(invoke(method, this.value, given, kwargs));
  }
  override item(key: Value): Value | undefined {
    const found = textItem(this.value, key);
    return found === undefined ? undefined : new PyMarkup(found);
  }
  override iterator(): Iterator<Value> {
    return this.value[Symbol.iterator]();
  }
  override size(): number {
    return lengthOf(this.value);
  }
  override repr(): string {
    return `Markup(${textRepr(this.value)})`;
  }
  override compare(other: Value): number | undefined {
    const text = textOf(other);
    return text === null ? undefined : compare(this.value, text, '<');
  }
  override contains(needle: Value): boolean {
    const text = textOf(needle);
    return text === null
      ? raise('TypeError', "'in <string>' requires string as left operand")
      : indexIn(this.value, text) >= 0;
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (operator === '*') {
      const text = repeatText(this.value, other);
      if (text !== undefined) return new PyMarkup(text);
      return raise('TypeError', `can't multiply sequence by non-int of type '${typeName(other)}'`);
    }
    if (operator === '%' && !isRight) {
      return new PyMarkup(
        printf(this.value, other, { text: escapeValue, repr: (value) => escapedMarkup(repr(value)) }),
      );
    }
    if (operator !== '+' || textOf(other) === null) return undefined;
    const text = escapeValue(other);
    return new PyMarkup(isRight ? cat(text, this.value) : cat(this.value, text));
  }
}

const OWN = ['unescape', 'striptags'];
const ESCAPING = [
  'replace',
  'center',
  'ljust',
  'rjust',
  'strip',
  'lstrip',
  'rstrip',
  'removeprefix',
  'removesuffix',
];

const marked = (value: Value): Value => {
  if (typeof value === 'string') return new PyMarkup(value);
  if (Array.isArray(value)) return value.map(marked);
  return value instanceof PyTuple ? new PyTuple(value.items.map(marked)) : value;
};

const escapedFormat = (value: Value, spec: string): string =>
  value instanceof MarkupText && spec === '' ? value.value : escapedMarkup(formatValue(value, spec));

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

const unescapeHtml = (text: string): string =>
  !text.includes('&')
    ? text
    : checkText(
        text.replace(
          /&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|(\w+));/g,
          (whole, decimal?: string, hex?: string, name?: string) => {
            if (name !== undefined) return NAMED[name] ?? whole;
            const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
            return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : '\ufffd';
          },
        ),
      );

/** Text between tags and comments; linear also for unclosed tags. */
const betweenTags = (text: string): string => {
  let kept = '';
  let at = 0;
  for (;;) {
    const from = text.indexOf('<', at);
    if (from < 0) break;
    kept += text.slice(at, from);
    const comment = text.startsWith('<!--', from) ? text.indexOf('-->', from + 4) : -1;
    const end = comment < 0 ? text.indexOf('>', from) + 1 : comment + 3;
    if (end === 0) return kept + text.slice(from);
    at = end;
  }
  return kept + text.slice(at);
};

/** Strips tags and comments, collapses white space. */
export const stripTags = (text: string): string =>
  unescapeHtml(
    betweenTags(text)
      .split(new RegExp(`[${SPACE}]+`, 'u'))
      .filter((part) => part !== '')
      .join(' '),
  );
