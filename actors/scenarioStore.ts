import * as E from 'fp-ts/lib/Either.js';
import { failure, reasonOf, type SpateError } from '../src/domain/errors.js';
import { applyChange, type GlobalsChange } from '../src/domain/globalsPatch.js';
import { isJsonObject, type JsonObject } from '../src/domain/json.js';
import type { Files } from '../src/ports/files.js';

/** A change made through the API, as the journal holds it. */
export interface JournalEntry {
  readonly number: number;
  readonly change: GlobalsChange;
}

/** What is known of a scenario without the thread that runs it: a saved state and the changes after it. */
export interface SavedGlobals {
  readonly values: JsonObject;
  readonly changeNumber: number;
  readonly journal: readonly JournalEntry[];
}

/** Largest file of saved globals: the limit of a state, with room for escapes and the journal. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Files of one scenario in the state folder: `<name>.json` is a whole state, `<name>.journal` the API
 * changes since, one JSON object a line. Together they are the state after every API change that was
 * answered. Names are percent-encoded, long ones cannot collide because names are limited.
 */
export const globalsFiles = (folder: string, scenario: string) => {
  const name = encodeURIComponent(scenario).replaceAll('*', '%2A').replaceAll('.', '%2E');
  return { state: `${folder}/${name}.json`, journal: `${folder}/${name}.journal` };
};

/** The state after the journal. */
export const replay = (saved: SavedGlobals): JsonObject =>
  saved.journal
    .filter(({ number }) => number > saved.changeNumber)
    .reduce((values, { change }) => applyChange(values, change), saved.values);

const NOTHING: SavedGlobals = { values: {}, changeNumber: 0, journal: [] };

export const loadGlobals = async (
  files: Files,
  folder: string,
  scenario: string,
): Promise<E.Either<SpateError, SavedGlobals>> => {
  const made = await files.makeDirectory(folder);
  if (E.isLeft(made)) return made;
  const paths = globalsFiles(folder, scenario);
  const state = await files.readText(paths.state, MAX_FILE_BYTES);
  const journal = await files.readText(paths.journal, MAX_FILE_BYTES);
  if (E.isLeft(state) && state.left.code !== 'not_found') return state;
  if (E.isLeft(journal) && journal.left.code !== 'not_found') return journal;
  try {
    const saved = E.isRight(state) ? parseState(state.right) : NOTHING;
    return E.right({ ...saved, journal: E.isRight(journal) ? parseJournal(journal.right) : [] });
  } catch (thrown) {
    return E.left(
      failure(
        'unreadable',
        `${paths.state}: not a saved state of globals (${reasonOf(thrown)}); move it away to start empty`,
        {
          file: paths.state,
        },
      ),
    );
  }
};

const parseState = (text: string): SavedGlobals => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || !isJsonObject(value['globals']) || typeof value['change_number'] !== 'number') {
    throw new TypeError('change_number or globals is missing');
  }
  return { values: value['globals'] as JsonObject, changeNumber: value['change_number'], journal: [] };
};

/** A last line without its end was being written when the process died: its change was never answered. */
const parseJournal = (text: string): readonly JournalEntry[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JournalEntry);

export const appendChange = (
  files: Files,
  folder: string,
  scenario: string,
  entry: JournalEntry,
): Promise<E.Either<SpateError, void>> =>
  files.appendText(globalsFiles(folder, scenario).journal, `${JSON.stringify(entry)}\n`);

/** Saves a whole state, then cuts from the journal what the state holds. A crash between loses nothing. */
export const saveGlobals = async (
  files: Files,
  folder: string,
  scenario: string,
  state: { readonly text: string; readonly changeNumber: number },
  journal: readonly JournalEntry[],
): Promise<E.Either<SpateError, void>> => {
  const paths = globalsFiles(folder, scenario);
  const text = `{"change_number":${state.changeNumber},"globals":${state.text}}\n`;
  const saved = await files.replaceText(paths.state, text);
  if (E.isLeft(saved) || journal.every(({ number }) => number > state.changeNumber)) return saved;
  const rest = journal.filter(({ number }) => number > state.changeNumber);
  return files.replaceText(paths.journal, rest.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
};
