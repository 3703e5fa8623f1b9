import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';
import { isJsonObject, type Json } from '../../domain/json.js';
import type { Edit } from '../yaml/edit.js';
import { keyText } from '../yaml/place.js';
import { applySplices, type Splice, spliceOf } from '../yaml/splice.js';
import { keyLines } from './body.js';
import { contentEnd, lineEnd, lineStart } from './listLayout.js';

/** The only entry of a list of one, if its keys stand on lines of their own. */
const blockEntry = ({ contents }: Document): YAMLMap | null => {
  const item: unknown = isSeq(contents) && contents.items.length === 1 ? contents.items[0] : null;
  return isMap(item) && item.flow !== true && item.items.length > 0 ? item : null;
};

const startOf = ({ key }: Pair): number => (key as Node | null)?.range?.[0] ?? 0;

/** Takes out the lines of a key; not of the one beside the dash. */
const withoutKey = (lines: string, pair: Pair): Splice | null => {
  const from = lineStart(lines, startOf(pair));
  const end = contentEnd(pair.value) ?? contentEnd(pair.key);
  if (end === null || lines.slice(from, startOf(pair)).trim() !== '') return null;
  return { from, to: lines[end - 1] === '\n' ? end : lineEnd(lines, end), text: '' };
};

/** Puts a list in place of a list, both in brackets. */
const withList = (pair: Pair, value: Json): Splice | null => {
  const old = pair.value;
  if (!isCollection(old) || old.flow !== true || old.anchor !== undefined || !old.range) return null;
  const text = keyLines('scenarios', value);
  const isOneLine = Array.isArray(value) && /^scenarios: \[.*\]\n$/.test(text);
  return isOneLine
    ? { from: old.range[0], to: old.range[1], text: text.slice('scenarios: '.length, -1) }
    : null;
};

const indentedBy = (indent: number, text: string): string =>
  text.replaceAll(/^(?=[^\n])/gm, ' '.repeat(indent));

/** A value with one more at a path. */
const withIn = (around: Json | undefined, path: readonly (string | number)[], value: Json): Json => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const known = Array.isArray(around) ? (around as readonly Json[]) : [];
    return [...known.slice(0, key), withIn(known[key], rest, value), ...known.slice(key + 1)];
  }
  const known = isJsonObject(around) ? around : {};
  return { ...known, [key]: withIn(known[key], rest, value) };
};

/** What keys that are not there yet are to hold, from all edits below them. */
const addedKeys = (entry: YAMLMap, edits: readonly Edit[]): ReadonlyMap<string, Json> | null => {
  const names = entry.items.map(keyText);
  const added = new Map<string, Json>();
  for (const { path, ...edit } of edits) {
    const [, key, ...rest] = path;
    if (typeof key !== 'string' || names.includes(key)) continue;
    // One that is spelt with dots is for others.
    if (edit.op === 'delete' || names.some((name) => name.startsWith(`${key}.`))) return null;
    added.set(key, withIn(added.get(key), rest, edit.value));
  }
  return added;
};

/** The change of a key that is there; `null` when it is more than one of lines or scalars. */
const spliceFor = (document: Document, entry: YAMLMap, lines: string, edit: Edit): Splice | null => {
  const scalar = spliceOf(document, edit);
  if (scalar !== null) return scalar;
  const [, key] = edit.path;
  const pair = entry.items.find((one) => keyText(one) === key);
  if (pair === undefined || edit.path.length !== 2) return null;
  return edit.op === 'delete' ? withoutKey(lines, pair) : withList(pair, edit.value);
};

/**
 * The lines of an entry with some of its keys changed, added at the end or taken out, and every other byte as
 * it was; `null` when an edit is more than that. The caller checks what the result means.
 */
export const spliceEntry = (document: Document, lines: string, edits: readonly Edit[]): string | null => {
  const entry = blockEntry(document);
  if (entry === null || !lines.endsWith('\n') || !entry.items.every(({ key }) => isScalar(key))) return null;
  const added = addedKeys(entry, edits);
  if (added === null) return null;
  const first = startOf(entry.items[0] as Pair);
  const text = [...added].map(([key, value]) => keyLines(key, value)).join('');
  const end = { from: lines.length, to: lines.length };
  const splices: Splice[] = [{ ...end, text: indentedBy(first - lineStart(lines, first), text) }];
  for (const edit of edits) {
    if (added.has(String(edit.path[1]))) continue;
    const splice = spliceFor(document, entry, lines, edit);
    if (splice === null) return null;
    splices.push(splice);
  }
  const next = applySplices(lines, splices);
  return lines.includes('\r\n') ? next.replaceAll(/\r?\n/g, '\r\n') : next;
};
