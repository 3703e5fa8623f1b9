import { matchesOf } from '../../../domain/text/matches.js';
import { type Cut, cutter } from '../cut.js';

/** A name, then a quoted value or one up to a blank. Linear: each part excludes the end of the one before. */
const PAIR =
  /(?<![^\s,;|([{'"])([A-Za-z_][\w.@:/-]{0,127})=(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"',;][^\s,;]*|))/g;

/** Fewer are chance, e.g. in a URL or a sentence. */
const MIN_PAIRS = 3;
/** Words outside of pairs, by pairs. Counted, not measured: a longer value changes nothing. */
const MAX_WORDS = 4 / 3;
const WORD = /\S*\w\S*/g;

interface Options {
  readonly minPairs: number;
  readonly prefix: string;
}

const wordsOutside = (text: string, matches: readonly RegExpExecArray[]): number => {
  let [words, at] = [0, 0];
  for (const { 0: whole, index } of [...matches, { 0: '', index: text.length }]) {
    words += text.slice(at, index).match(WORD)?.length ?? 0;
    at = index + whole.length;
  }
  return words;
};

const cutWith = (text: string, { minPairs, prefix }: Options): Cut | null => {
  const matches = [...matchesOf(text, PAIR)];
  if (matches.length < minPairs || wordsOutside(text, matches) > matches.length * MAX_WORDS) return null;
  const out = cutter();
  let at = 0;
  for (const match of matches) {
    const [whole, name = '', double, single, bare = ''] = match;
    const between = text.slice(at, match.index);
    if (/\w/.test(between)) {
      const [, lead = '', middle = '', tail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(between) ?? [];
      out.literal(lead);
      out.value(`${prefix}text`, middle);
      out.literal(tail);
    } else out.literal(between);
    out.literal(`${name}=`);
    const quote = double === undefined ? (single === undefined ? '' : "'") : '"';
    const value = double ?? single ?? bare;
    const inner = quote === '' ? null : cutWith(value, { minPairs: 2, prefix: `${prefix}${name}.` });
    out.literal(quote);
    if (inner === null) out.value(prefix + name, value);
    else out.insert(inner);
    out.literal(quote);
    at = match.index + whole.length;
  }
  const tail = text.slice(at);
  if (/\w/.test(tail)) out.value(`${prefix}text`, tail);
  else out.literal(tail);
  return out.done('');
};

/** `name=value` as in logfmt and the Linux audit log; quoted values may hold pairs again. */
export const cutPairs = (record: string): Cut | null => cutWith(record, { minPairs: MIN_PAIRS, prefix: '' });
