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
import { listLayout } from './listLayout.js';
import { startupEntryShape } from './shape.js';
import {
  asJson,
  editedItem,
  neatly,
  plainly,
  type StartupChange,
  type StartupText,
  spliced,
  versionsAt,
  type Work,
  writtenItem,
} from './splice.js';
import { type StartupList, startupOf } from './startup.js';

export type { StartupChange, StartupText } from './splice.js';

/** Largest startup file, in bytes. */
export const MAX_STARTUP_BYTES = 2_097_152;

/** Left: the file has a problem, which the message names with its place; such a file is not changed. */
export const openStartup = (text: string, file: string, context: StartupContext): Result<StartupText> =>
  E.flatMap((source: YamlSource) =>
    E.flatMap((list: StartupList): Result<StartupText> => {
      const [first] = list.rejected;
      return first === undefined
        ? E.right({ text, file, values: (source.value ?? []) as readonly Json[], entries: list.entries })
        : E.left(first.error);
    })(startupOf(source, context)),
  )(parseYaml(text, file));

/** An entry as the file has it, dotted keys written out. */
export const writtenEntry = (was: StartupText, index: number): JsonObject => {
  const written = was.values[index] ?? null;
  // It was read before, so its dotted keys do not clash.
  return E.toUnion(expandDotted(written, startupEntryShape)) as JsonObject;
};

/** An entry of the file in other scenarios; what it says otherwise is as it was written. */
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

/** The list that a change leads to. */
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

/** The edits of the whole document, for texts whose entries cannot be told apart by their lines. */
const editsOfAll = (work: Work, isExplicit: boolean): readonly Edit[] => {
  const { changed, appended } = work.change;
  const from = work.was.entries.length;
  const backwards = [...changed].sort(([a], [b]) => b - a);
  return [
    ...backwards.flatMap(([index, next]) =>
      next === null ? [] : editsOf(versionsAt(work, index, next), [index], isExplicit),
    ),
    ...appended.map(({ body }, at): Edit => ({ op: 'set', path: [from + at], value: body })),
    ...backwards.flatMap(([index, next]): Edit[] => (next === null ? [{ op: 'delete', path: [index] }] : [])),
  ];
};

/** The texts that a change may lead to, the one that touches least first. */
const candidates = (work: Work, isWanted: (text: string) => boolean): readonly (() => string | null)[] => {
  const { was } = work;
  const source = parseYaml(was.text, was.file);
  const layout = E.isLeft(source) ? null : listLayout(was.text, source.right.document);
  const printed = () => editedText(was.text, (isExplicit) => editsOfAll(work, isExplicit), isWanted);
  if (layout === null) return [printed];
  return [
    () => spliced(work, layout, editedItem, neatly),
    () => spliced(work, layout, editedItem, plainly),
    printed,
    () => spliced(work, layout, writtenItem, plainly),
  ];
};

/**
 * A startup file after a change: the lines of entries that do not change, and every comment that is not
 * about one that is taken out, stay byte for byte. Where entries share lines or anchors, the whole is
 * printed anew with its comments. Each result is read back and taken only if every entry is as it should be.
 * Left `too_large`, or `unwritable` for a text that cannot be changed so.
 */
export const changeStartup = (
  was: StartupText,
  change: StartupChange,
  context: StartupContext,
): Result<StartupText> => {
  const { file } = was;
  const will = listAfter(was.entries, change);
  const read = (text: string): StartupText | null => {
    const opened = openStartup(text, file, context);
    return E.isRight(opened) && isSameList(opened.right.entries, will) ? opened.right : null;
  };
  let isTooLarge = false;
  for (const make of candidates({ was, change, context }, (text) => read(text) !== null)) {
    const text = make();
    isTooLarge ||= text !== null && new TextEncoder().encode(text).length > MAX_STARTUP_BYTES;
    if (isTooLarge) break;
    const next = text === null ? null : read(text);
    if (next !== null) return E.right(next);
  }
  const reason = isTooLarge
    ? `would be larger than ${MAX_STARTUP_BYTES} bytes`
    : 'cannot be changed so without touching something else in it: edit it by hand';
  return E.left(failure(isTooLarge ? 'too_large' : 'unwritable', `${file}: ${reason}`, { file }));
};
