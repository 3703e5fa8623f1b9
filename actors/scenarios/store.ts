import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';
import { applyChange, type GlobalsChange } from '../../src/domain/globals/patch.js';
import { isJsonObject, type JsonObject } from '../../src/domain/json.js';
import type { Files } from '../../src/ports/files.js';

/** A change of the API in the journal. */
interface JournalEntry {
  readonly number: number;
  readonly change: GlobalsChange;
}

/** Last saved state of a scenario and the changes since. */
export interface SavedGlobals {
  readonly text: string;
  readonly changeNumber: number;
  readonly journal: readonly JournalEntry[];
  readonly journalLength: number;
}

/** A state of the largest size, with room for escapes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** A longer journal is replaced with a save. */
const MAX_JOURNAL_LENGTH = 1024 * 1024;
const MAX_JOURNAL_ENTRIES = 1_000;

export const isJournalLong = ({ journal, journalLength }: SavedGlobals): boolean =>
  journalLength > MAX_JOURNAL_LENGTH || journal.length >= MAX_JOURNAL_ENTRIES;

export const latestNumber = ({ changeNumber, journal }: SavedGlobals): number =>
  Math.max(changeNumber, journal.at(-1)?.number ?? 0);

/** `.json`: a state. `.journal`: a change per line. Names are percent-encoded and limited, so none collide. */
const globalsFiles = (folder: string, scenario: string) => {
  const name = encodeURIComponent(scenario).replaceAll('*', '%2A').replaceAll('.', '%2E');
  return { state: `${folder}/${name}.json`, journal: `${folder}/${name}.journal` };
};

export const replay = (saved: SavedGlobals): JsonObject =>
  saved.journal
    .filter(({ number }) => number > saved.changeNumber)
    .reduce((values, { change }) => applyChange(values, change), JSON.parse(saved.text) as JsonObject);

const NOTHING = { text: '{}', changeNumber: 0 };

const lineOf = (entry: JournalEntry): string => `${JSON.stringify(entry)}\n`;

export const loadGlobals = async (
  files: Files,
  folder: string,
  scenario: string,
): Promise<Result<SavedGlobals>> => {
  const made = await files.makeDirectory(folder);
  if (E.isLeft(made)) return made;
  const paths = globalsFiles(folder, scenario);
  const state = await files.readText(paths.state, MAX_FILE_BYTES);
  const journal = await files.readText(paths.journal, MAX_FILE_BYTES);
  if (E.isLeft(state) && state.left.code !== 'not_found') return state;
  if (E.isLeft(journal) && journal.left.code !== 'not_found') return journal;
  const saved = E.isRight(state) ? parsed(paths.state, state.right, parseState) : E.right(NOTHING);
  if (E.isLeft(saved)) return saved;
  const lines = E.isRight(journal) ? journal.right : '';
  // A torn last line: the process died, so its change was never answered.
  const whole = lines.slice(0, lines.lastIndexOf('\n') + 1);
  const entries = parsed(paths.journal, whole, parseJournal);
  if (E.isLeft(entries)) return entries;
  if (whole !== lines) {
    const mended = await files.replaceText(paths.journal, whole);
    if (E.isLeft(mended)) return mended;
  }
  return E.right({ ...saved.right, journal: entries.right, journalLength: whole.length });
};

const parsed = <A>(file: string, text: string, parse: (text: string) => A): Result<A> => {
  try {
    return E.right(parse(text));
  } catch (thrown) {
    const reason = `${file}: no valid globals (${reasonOf(thrown)}); move the file away to start without them`;
    return E.left(failure('unreadable', reason, { file }));
  }
};

const parseState = (text: string): typeof NOTHING => {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || !isJsonObject(value['globals']) || typeof value['change_number'] !== 'number') {
    throw new TypeError('change_number or globals is missing');
  }
  return { text: JSON.stringify(value['globals']), changeNumber: value['change_number'] };
};

const parseJournal = (text: string): readonly JournalEntry[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JournalEntry);

/** Left: the journal is unchanged. */
export const appendChange = async (
  files: Files,
  folder: string,
  scenario: string,
  saved: SavedGlobals,
  entry: JournalEntry,
): Promise<Result<SavedGlobals>> => {
  const line = lineOf(entry);
  const appended = await files.appendText(globalsFiles(folder, scenario).journal, line);
  if (E.isLeft(appended)) return appended;
  const journalLength = saved.journalLength + line.length;
  return E.right({ ...saved, journal: [...saved.journal, entry], journalLength });
};

/** A crash between save and cut loses nothing. Left: the journal is whole, so memory must hold it whole too. */
export const saveGlobals = async (
  files: Files,
  folder: string,
  scenario: string,
  saved: SavedGlobals,
  next: { readonly text: string; readonly changeNumber: number },
): Promise<Result<SavedGlobals>> => {
  const paths = globalsFiles(folder, scenario);
  const text = `{"change_number":${next.changeNumber},"globals":${next.text}}\n`;
  const replaced = await files.replaceText(paths.state, text);
  if (E.isLeft(replaced)) return replaced;
  const journal = saved.journal.filter(({ number }) => number > next.changeNumber);
  if (journal.length === saved.journal.length) return E.right({ ...saved, ...next });
  const lines = journal.map(lineOf).join('');
  const cut = await files.replaceText(paths.journal, lines);
  return E.isLeft(cut) ? cut : E.right({ ...next, journal, journalLength: lines.length });
};
