import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { SkippedEntry, StartupEntry, StartupList } from '../../domain/generator.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { expandDotted } from '../../schema/index.js';
import { jsonEqual } from '../values.js';
import type { Edit } from '../yaml/edit.js';
import { parseYaml, type YamlSource } from '../yaml/source.js';
import { editedText, editsOf } from '../yaml/textEdit.js';
import type { NewEntry, StartupContext } from './entry.js';
import { startupEntryShape } from './shape.js';
import { startupOf } from './startup.js';

/** A startup file that may be edited. Plain data, so that it crosses threads. */
export interface StartupText {
  readonly text: string;
  readonly file: string;
  /** Entries as written, invalid ones too. */
  readonly values: readonly Json[];
  /** Valid entries by position; null where the entry is invalid. */
  readonly slots: readonly (StartupEntry | null)[];
  /** Valid entries. */
  readonly entries: readonly StartupEntry[];
  /** Invalid entries. They stay as written until a change replaces or deletes them. */
  readonly rejected: readonly SkippedEntry[];
}

export interface StartupChange {
  /** New entries by position; `null` deletes the entry. */
  readonly changed: ReadonlyMap<number, NewEntry | null>;
  readonly appended: readonly NewEntry[];
}

const asJson = (entry: StartupEntry): Json => entry as unknown as Json;

/** Bytes. */
export const MAX_STARTUP_BYTES = 2_097_152;

/** Opens a startup file for edits. Returns an error when it is no YAML list: such a file is never modified. */
export const openStartup = (text: string, file: string, context: StartupContext): Result<StartupText> =>
  E.flatMap((source: YamlSource) =>
    E.map(({ entries, rejected }: StartupList): StartupText => {
      const values = (source.value ?? []) as readonly Json[];
      const invalid = new Set(rejected.map(({ index }) => index));
      const valid = entries.values();
      const slots = values.map((_, index) => (invalid.has(index) ? null : (valid.next().value ?? null)));
      return { text, file, values, slots, entries, rejected };
    })(startupOf(source, context)),
  )(parseYaml(text, file));

/** An entry of the file, dotted keys expanded; as written, or empty, where an invalid entry does not allow that. */
export const writtenEntry = (was: StartupText, index: number): JsonObject => {
  const written = was.values[index] ?? null;
  const expanded = E.getOrElse((): Json => written)(expandDotted(written, startupEntryShape));
  return isJsonObject(expanded) ? expanded : {};
};

/** An entry with other scenarios, otherwise as written. */
export const inScenarios = (was: StartupText, index: number, scenarios: readonly string[]): NewEntry => {
  const body = writtenEntry(was, index);
  const { scenarios: _before, ...rest } = body;
  return {
    entry: { ...(was.slots[index] as StartupEntry), scenarios },
    body: scenarios.length === 0 ? rest : { ...body, scenarios },
  };
};

/** An item of the list: a valid entry with all defaults, or an invalid one as written. */
type Item = { readonly entry: StartupEntry } | { readonly invalid: Json };

const itemsOf = ({ slots, values }: StartupText): readonly Item[] =>
  slots.map((entry, index) => (entry === null ? { invalid: values[index] ?? null } : { entry }));

const isSameList = (a: readonly Item[], b: readonly Item[]): boolean =>
  a.length === b.length && a.every((item, index) => jsonEqual(item as Json, b[index] as Json));

const listAfter = (was: StartupText, { changed, appended }: StartupChange): readonly Item[] => [
  ...itemsOf(was).flatMap((item, index): readonly Item[] => {
    const next = changed.get(index);
    if (next === null) return [];
    return [next === undefined ? item : { entry: next.entry }];
  }),
  ...appended.map(({ entry }) => ({ entry })),
];

/** Deletes last and from the end, so that positions hold. */
const editsFor = (
  was: StartupText,
  { changed, appended }: StartupChange,
  isExplicit: boolean,
): readonly Edit[] => [
  ...[...changed].flatMap(([index, next]) => {
    if (next === null) return [];
    const { entry, body } = next;
    const old = was.slots[index] ?? null;
    const versions =
      old === null
        ? { was: was.values[index], will: body, body }
        : { was: asJson(old), will: asJson(entry), body };
    return editsOf(versions, [index], isExplicit);
  }),
  ...appended.map(({ body }, at): Edit => ({ op: 'set', path: [was.values.length + at], value: body })),
  ...[...changed]
    .sort(([a], [b]) => b - a)
    .flatMap(([index, next]): Edit[] => (next === null ? [{ op: 'delete', path: [index] }] : [])),
];

/**
 * Edits a startup file. Comments, order and other entries stay, invalid ones as written; the comment directly above a
 * deleted entry goes with it. Returns the error `too_large`, or `unwritable` if no edit leads to the new list.
 */
export const changeStartup = (
  was: StartupText,
  change: StartupChange,
  context: StartupContext,
): Result<StartupText> => {
  const { file } = was;
  const will = listAfter(was, change);
  if (isSameList(itemsOf(was), will)) return E.right(was);
  const read = (text: string): Result<StartupText> | null => {
    if (Buffer.byteLength(text) > MAX_STARTUP_BYTES) {
      return E.left(
        failure(
          'too_large',
          `${file}: the file would exceed ${MAX_STARTUP_BYTES} bytes. Remove entries first.`,
          { file },
        ),
      );
    }
    const next = openStartup(text, file, context);
    return E.isRight(next) && isSameList(itemsOf(next.right), will) ? next : null;
  };
  const unwritable = `${file}: this change would also change other entries. Edit the file by hand.`;
  return (
    editedText(was.text, (isExplicit) => editsFor(was, change, isExplicit), read) ??
    E.left(failure('unwritable', unwritable, { file }))
  );
};
