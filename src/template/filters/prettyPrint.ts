import { Fault } from '../errors.js';
import { checkText, spend } from '../limits.js';
import { lengthOf } from '../text/pieces.js';
import { compare } from '../values/operations/compare.js';
import { repr } from '../values/operations/print.js';
import { PyDict } from '../values/types/dict.js';
import { PyTuple } from '../values/types/sequences.js';
import { PySet } from '../values/types/set.js';
import { typeName, type Value } from '../values/value.js';

const WIDTH = 80;

const byKey = (a: Value, b: Value): number => {
  spend(1 / 8);
  try {
    return compare(a, b, '<');
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.kind === 'LimitError') throw thrown;
    return typeName(a) < typeName(b) ? -1 : 1;
  }
};

const sortedPairs = (dict: PyDict): readonly (readonly [Value, Value])[] =>
  [...dict.pairs()].sort(([a], [b]) => byKey(a, b));

const flat = (value: Value): string => checkText(flatText(value));

const flatText = (value: Value): string => {
  if (value instanceof PyDict) {
    return `{${sortedPairs(value)
      .map(([key, item]) => `${flat(key)}: ${flat(item)}`)
      .join(', ')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`;
  if (value instanceof PyTuple)
    return `(${value.items.map(flat).join(', ')}${value.items.length === 1 ? ',' : ''})`;
  return repr(value);
};

const longText = (text: string, indent: number, allowance: number): string => {
  const lines = text.match(/[^\n]*\n|[^\n]+/g) ?? [text];
  const parts: string[] = [];
  for (const [index, line] of lines.entries()) {
    const room = WIDTH - indent - (index === lines.length - 1 ? allowance : 0);
    if (lengthOf(repr(line)) <= room) {
      parts.push(repr(line));
      continue;
    }
    let current = '';
    const words = line.match(/\S*\s*/g)?.filter((word) => word !== '') ?? [];
    for (const [at, word] of words.entries()) {
      const isLast = index === lines.length - 1 && at === words.length - 1;
      const most = isLast ? WIDTH - indent - allowance : WIDTH - indent;
      if (current !== '' && lengthOf(repr(current + word)) > most) {
        parts.push(repr(current));
        current = word;
      } else current += word;
    }
    if (current !== '') parts.push(repr(current));
  }
  return parts.join(`\n${' '.repeat(indent)}`);
};

const items = (
  values: readonly Value[],
  open: string,
  close: string,
  indent: number,
  allowance: number,
): string => {
  const inner = indent + open.length;
  const parts = values.map((value, index) =>
    pretty(value, inner, index === values.length - 1 ? allowance + close.length : 1),
  );
  return open + parts.join(`,\n${' '.repeat(inner)}`) + close;
};

/** Python's `pprint.pformat`: one line if it fits, else one line per element. */
export const pretty = (value: Value, indent = 0, allowance = 0): string => {
  const one = flat(value);
  if (lengthOf(one) <= WIDTH - indent - allowance) return one;
  if (Array.isArray(value)) return items(value, '[', ']', indent, allowance);
  if (value instanceof PyTuple)
    return items(value.items, '(', value.items.length === 1 ? ',)' : ')', indent, allowance);
  if (value instanceof PySet)
    return items([...value.members.keys()].sort(byKey), '{', '}', indent, allowance);
  if (value instanceof PyDict) {
    const pairs = sortedPairs(value);
    const parts = pairs.map(([key, item], index) => {
      const name = flat(key);
      const room = index === pairs.length - 1 ? allowance + 1 : 1;
      return `${name}: ${pretty(item, indent + 1 + lengthOf(name) + 2, room)}`;
    });
    return `{${parts.join(`,\n${' '.repeat(indent + 1)}`)}}`;
  }
  if (typeof value !== 'string') return one;
  if (indent > 0) return longText(value, indent, allowance);
  // At the top level, several parts get parentheses.
  const parts = longText(value, 1, allowance + 1);
  return parts.includes('\n') ? `(${parts})` : parts;
};
