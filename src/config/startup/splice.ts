import * as E from 'fp-ts/lib/Either.js';
import type { StartupEntry } from '../../domain/generator.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { jsonEqual } from '../jsonEqual.js';
import { parseYaml } from '../yaml/source.js';
import { editedText, editsOf, type Versions } from '../yaml/textEdit.js';
import { entryText, type NewEntry } from './body.js';
import { entryOfFile, type StartupContext } from './entry.js';
import { spliceEntry } from './entrySplice.js';
import type { ListLayout } from './listLayout.js';

/** A startup file that may be changed: every entry of it can be used. Plain data. */
export interface StartupText {
  readonly text: string;
  readonly file: string;
  /** Entries as they are written. */
  readonly values: readonly Json[];
  readonly entries: readonly StartupEntry[];
}

/** What a request makes of the list. */
export interface StartupChange {
  /** By position: what comes in place of an entry, or `null` to take it out. */
  readonly changed: ReadonlyMap<number, NewEntry | null>;
  readonly appended: readonly NewEntry[];
}

/** A text being changed. */
export interface Work {
  readonly was: StartupText;
  readonly change: StartupChange;
  readonly context: StartupContext;
}

/** Entries are plain data. */
export const asJson = (entry: StartupEntry): Json => entry as unknown as Json;

/** A new text in the line ends of the old one. */
const newText = ({ was }: Work, body: JsonObject): string =>
  was.text.includes('\r\n') ? entryText(body).replaceAll('\n', '\r\n') : entryText(body);

/** What a list of one entry means; `null` when it cannot be read by itself. */
const meaningOfItem = (lines: string, context: StartupContext): Json | null => {
  const source = parseYaml(lines, '');
  if (E.isLeft(source) || !Array.isArray(source.right.value)) return null;
  const [value, second] = source.right.value as readonly Json[];
  if (value === undefined || second !== undefined) return null;
  const entry = entryOfFile(value, context);
  return E.isRight(entry) ? asJson(entry.right) : null;
};

/** How an entry changes. */
export const versionsAt = ({ was }: Work, index: number, next: NewEntry): Versions => ({
  was: asJson(was.entries[index] as StartupEntry),
  will: asJson(next.entry),
  body: next.body,
});

/** Makes the lines of an entry that comes in place of another. */
type ItemText = (work: Work, lines: string, index: number, next: NewEntry) => string | null;

/** The lines of one entry, edited by themselves; `null`: they cannot be, as their aliases lead elsewhere. */
export const editedItem: ItemText = (work, lines, index, next) => {
  const versions = versionsAt(work, index, next);
  if (jsonEqual(versions.was, versions.will)) return lines;
  const makeEdits = (isExplicit: boolean) => editsOf(versions, [0], isExplicit);
  // A text in block style that keeps its last line breaks would take the blank lines that follow for its own.
  const isRight = (text: string): boolean =>
    [text, `${text}\n\n`].every((whole) =>
      jsonEqual(meaningOfItem(whole, work.context) ?? undefined, versions.will),
    );
  const source = parseYaml(lines, '');
  const text = E.isLeft(source) ? null : spliceEntry(source.right.document, lines, makeEdits(false));
  return text !== null && isRight(text) ? text : editedText(lines, makeEdits, isRight);
};

/** The lines of one entry, written anew. */
export const writtenItem: ItemText = (work, _lines, _index, next) => newText(work, next.body);

/** Puts together what stood before and after lines that are gone. */
type Join = (before: string, after: string) => string;

/** As it was. */
export const plainly: Join = (before, after) => before + after;

const endsBlank = (text: string): boolean => /(^|\n)[ \t]*\r?\n$/.test(text);

/** Closes a gap without leaving a doubled or a hanging blank line. */
export const neatly: Join = (before, after) => {
  if (before !== '' && !endsBlank(before)) return before + after;
  return after === '' ? before.replace(/[ \t]*\r?\n$/, '') : before + after.replace(/^[ \t]*\r?\n/, '');
};

const indented = (text: string, indent: number): string =>
  indent === 0 ? text : text.replaceAll(/^(?=[^\r\n])/gm, ' '.repeat(indent));

/** Lines of an item at the indent of its list; those that kept it are left alone. */
const placed = (lines: string, indent: number): string =>
  /^ *-/.exec(lines)?.[0].length === indent + 1 ? lines : indented(lines, indent);

/** Entries at the end, spaced as those before them; a comment at the end of the file is none of theirs. */
const withAppended = (work: Work, layout: ListLayout, text: string): string => {
  const { appended } = work.change;
  if (appended.length === 0) return text;
  const items = layout.kind === 'block' ? layout.items : [];
  const indent = layout.kind === 'block' ? layout.indent : 0;
  const blank = work.was.text.includes('\r\n') ? '\r\n' : '\n';
  const isSpaced = items.some(({ lead }) => endsBlank(work.was.text.slice(0, lead)));
  const isAfterComment = /(^|\n)[ \t]*#[^\n]*\n?$/.test(text);
  const ended = text === '' || text.endsWith('\n') ? text : `${text}${blank}`;
  const gap = text !== '' && !endsBlank(ended) && (isSpaced || isAfterComment) ? blank : '';
  const pieces = appended.map(({ body }) => indented(newText(work, body), indent));
  return ended + gap + pieces.join(isSpaced ? blank : '');
};

/** Changes the lines of the entries that change, and no other byte. */
export const spliced = (work: Work, layout: ListLayout, itemText: ItemText, join: Join): string | null => {
  const places = layout.kind === 'block' ? layout.items : [];
  const indent = layout.kind === 'block' ? layout.indent : 0;
  let { text } = work.was;
  if (layout.kind === 'empty' && layout.to > layout.from) {
    text = join(text.slice(0, layout.from), text.slice(layout.to));
  }
  // From the end, so that places before stay where they are.
  for (const [index, next] of [...work.change.changed].sort(([a], [b]) => b - a)) {
    const place = places[index];
    if (place === undefined) return null;
    const { lead, from, to, tail } = place;
    if (next === null) {
      text = join(text.slice(0, lead), text.slice(tail));
      continue;
    }
    const lines = itemText(work, work.was.text.slice(from, to), index, next);
    if (lines === null) return null;
    text = text.slice(0, from) + placed(lines, indent) + text.slice(to);
  }
  return withAppended(work, layout, text);
};
