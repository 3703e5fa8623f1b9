import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { StartupEntry } from '../../domain/generator.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { expandDotted } from '../../schema/index.js';
import { jsonEqual } from '../jsonEqual.js';
import type { Edit } from '../yaml/edit.js';
import { parseYaml, type YamlSource } from '../yaml/source.js';
import { editedText, editsOf } from '../yaml/textEdit.js';
import type { NewEntry } from './body.js';
import type { StartupContext } from './entry.js';
import { startupEntryShape } from './shape.js';
import { type StartupList, startupOf } from './startup.js';

/** A startup file that may be edited: all its entries are valid. Plain data, so that it crosses threads. */
export interface StartupText {
  readonly text: string;
  readonly file: string;
  /** Entries as written. */
  readonly values: readonly Json[];
  readonly entries: readonly StartupEntry[];
}

export interface StartupChange {
  /** New entries by position; `null` deletes the entry. */
  readonly changed: ReadonlyMap<number, NewEntry | null>;
  readonly appended: readonly NewEntry[];
}

const asJson = (entry: StartupEntry): Json => entry as unknown as Json;

/** Bytes. */
export const MAX_STARTUP_BYTES = 2_097_152;

/** Opens a startup file for edits. Left: its first problem; an invalid file is never modified. */
export const openStartup = (text: string, file: string, context: StartupContext): Result<StartupText> =>
  E.flatMap((source: YamlSource) =>
    E.flatMap((list: StartupList): Result<StartupText> => {
      const [first] = list.rejected;
      return first === undefined
        ? E.right({ text, file, values: (source.value ?? []) as readonly Json[], entries: list.entries })
        : E.left(first.error);
    })(startupOf(source, context)),
  )(parseYaml(text, file));

/** An entry of the file, dotted keys expanded. */
export const writtenEntry = (was: StartupText, index: number): JsonObject => {
  const written = was.values[index] ?? null;
  // The entry was decoded before, so this cannot fail.
  return E.toUnion(expandDotted(written, startupEntryShape)) as JsonObject;
};

/** An entry with other scenarios, otherwise as written. */
export const inScenarios = (was: StartupText, index: number, scenarios: readonly string[]): NewEntry => {
  const body = writtenEntry(was, index);
  const { scenarios: _before, ...rest } = body;
  return {
    entry: { ...(was.entries[index] as StartupEntry), scenarios },
    body: scenarios.length === 0 ? rest : { ...body, scenarios },
  };
};

const isSameList = (a: readonly StartupEntry[], b: readonly StartupEntry[]): boolean =>
  a.length === b.length &&
  a.every((entry, index) => jsonEqual(asJson(entry), asJson(b[index] as StartupEntry)));

const listAfter = (
  entries: readonly StartupEntry[],
  { changed, appended }: StartupChange,
): readonly StartupEntry[] => [
  ...entries.flatMap((entry, index) => {
    const next = changed.get(index);
    return next === null ? [] : [next?.entry ?? entry];
  }),
  ...appended.map(({ entry }) => entry),
];

/** Deletes last and from the end, so that positions hold. */
const editsFor = (
  was: StartupText,
  { changed, appended }: StartupChange,
  isExplicit: boolean,
): readonly Edit[] => [
  ...[...changed].flatMap(([index, next]) => {
    if (next === null) return [];
    const versions = {
      was: asJson(was.entries[index] as StartupEntry),
      will: asJson(next.entry),
      body: next.body,
    };
    return editsOf(versions, [index], isExplicit);
  }),
  ...appended.map(({ body }, at): Edit => ({ op: 'set', path: [was.entries.length + at], value: body })),
  ...[...changed]
    .sort(([a], [b]) => b - a)
    .flatMap(([index, next]): Edit[] => (next === null ? [{ op: 'delete', path: [index] }] : [])),
];

/**
 * Edits a startup file. Comments, order and the values of other entries stay; the comment directly above a
 * deleted entry goes with it. Left `too_large`, or `unwritable` if no edit leads to the new list.
 */
export const changeStartup = (
  was: StartupText,
  change: StartupChange,
  context: StartupContext,
): Result<StartupText> => {
  const { file } = was;
  const will = listAfter(was.entries, change);
  if (isSameList(was.entries, will)) return E.right(was);
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
    return E.isRight(next) && isSameList(next.right.entries, will) ? next : null;
  };
  const unwritable = `${file}: this change would also change other entries. Edit the file by hand.`;
  return (
    editedText(was.text, (isExplicit) => editsFor(was, change, isExplicit), read) ??
    E.left(failure('unwritable', unwritable, { file }))
  );
};
