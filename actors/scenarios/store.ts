import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';
import { applyChange, type GlobalsChange } from '../../src/domain/globals/globals.js';
import { isJsonObject, type Json, type JsonObject } from '../../src/domain/json.js';
import { sealed, unsealed } from '../../src/domain/text/crc32.js';
import type { GlobalsText } from '../../src/host/globalsOwner.js';
import type { StateFiles } from '../../src/ports/files.js';

/** A change of the API in the journal. */
export interface JournalEntry {
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

/** Globals of scenarios as they outlive the service. */
export interface GlobalsStore {
  readonly load: (scenario: string) => Promise<Result<SavedGlobals>>;
  /** Appends a change. After an error, the journal is unchanged. */
  readonly append: (
    scenario: string,
    saved: SavedGlobals,
    entry: JournalEntry,
  ) => Promise<Result<SavedGlobals>>;
  /** Replaces the state and drops the changes it includes from the journal, which is whole after an error. */
  readonly save: (scenario: string, saved: SavedGlobals, next: GlobalsText) => Promise<Result<SavedGlobals>>;
  /** Removes state and journal. Null when it cannot: in a cluster another node may hold them. */
  readonly remove: ((scenario: string) => Promise<Result<void>>) | null;
  /** A longer journal is replaced with a save. */
  readonly max_journal: { readonly length: number; readonly entries: number };
}

export const latestNumber = ({ changeNumber, journal }: SavedGlobals): number =>
  Math.max(changeNumber, journal.at(-1)?.number ?? 0);

/** `.json`: a state. `.journal`: a change per line. Names are percent-encoded and limited, so none collide. */
const pathsOf = (folder: string, scenario: string) => {
  const name = encodeURIComponent(scenario).replaceAll('*', '%2A').replaceAll('.', '%2E');
  return { state: `${folder}/${name}.json`, journal: `${folder}/${name}.journal` };
};

/** Returns the saved globals with the changes of the journal that came after them. */
export const latestGlobals = (saved: SavedGlobals): JsonObject =>
  saved.journal
    .filter(({ number }) => number > saved.changeNumber)
    .reduce((values, { change }) => applyChange(values, change), JSON.parse(saved.text) as JsonObject);

const NO_GLOBALS: SavedGlobals = { text: '{}', changeNumber: 0, journal: [], journalLength: 0 };

export const journalLine = (entry: JournalEntry): string => `${sealed(JSON.stringify(entry))}\n`;

const withEntry = (saved: SavedGlobals, entry: JournalEntry, line: string): SavedGlobals => ({
  ...saved,
  journal: [...saved.journal, entry],
  journalLength: saved.journalLength + line.length,
});

/** The journal keeps what the state does not include. */
const withState = (saved: SavedGlobals, { text, changeNumber }: GlobalsText): SavedGlobals => {
  const journal = saved.journal.filter(({ number }) => number > changeNumber);
  if (journal.length === saved.journal.length) return { ...saved, text, changeNumber };
  return { text, changeNumber, journal, journalLength: journal.map(journalLine).join('').length };
};

export const stateText = ({ text, changeNumber }: GlobalsText): string =>
  `${sealed(`{"change_number":${changeNumber},"globals":${text}}`)}\n`;

const parsed = <A>(file: string, text: string, parse: (text: string) => A): Result<A> => {
  try {
    return E.right(parse(text));
  } catch (thrown) {
    const reason = `${file}: no valid globals (${reasonOf(thrown)}); move the file away to start without them`;
    return E.left(failure('unreadable', reason, { file }));
  }
};

/** Parses an object of exactly these members; earlier versions wrote no checksum. Throws. */
const intact = (text: string, members: readonly [string, string]): JsonObject => {
  const object = unsealed(text);
  if (object === null) throw new TypeError('the checksum is wrong');
  const value = JSON.parse(object) as Json;
  if (!isJsonObject(value)) throw new TypeError('it is not an object');
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown !== undefined) throw new TypeError(`"${unknown}" is unknown`);
  return value;
};

/** Throws. */
export const parseState = (text: string): GlobalsText => {
  const value = intact(text.endsWith('\n') ? text.slice(0, -1) : text, ['change_number', 'globals']);
  if (!isJsonObject(value['globals']) || typeof value['change_number'] !== 'number') {
    throw new TypeError('change_number or globals is missing');
  }
  return { text: JSON.stringify(value['globals']), changeNumber: value['change_number'] };
};

/** Throws. */
export const parseJournal = (text: string): readonly JournalEntry[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => intact(line, ['number', 'change']) as unknown as JournalEntry);

/** Files of mode 600: a state and a journal per scenario. */
export const globalsFiles = (files: StateFiles, folder: string): GlobalsStore => ({
  max_journal: { length: 1024 * 1024, entries: 1_000 },
  load: async (scenario) => {
    const made = await files.makeDirectory(folder);
    if (E.isLeft(made)) return made;
    const paths = pathsOf(folder, scenario);
    const state = await files.readText(paths.state, MAX_FILE_BYTES);
    const journal = await files.readText(paths.journal, MAX_FILE_BYTES);
    if (E.isLeft(state) && state.left.code !== 'not_found') return state;
    if (E.isLeft(journal) && journal.left.code !== 'not_found') return journal;
    const saved = E.isRight(state) ? parsed(paths.state, state.right, parseState) : E.right(NO_GLOBALS);
    if (E.isLeft(saved)) return saved;
    const lines = E.isRight(journal) ? journal.right : '';
    // A torn last line: the process died, so its change was never answered.
    const whole = lines.slice(0, lines.lastIndexOf('\n') + 1);
    // More than a whole line without its end was not torn by a crash.
    const rest = lines.slice(whole.length, -1);
    const isTorn = unsealed(rest) === rest;
    const entries = parsed(paths.journal, isTorn ? whole : `${lines}\n`, parseJournal);
    if (E.isLeft(entries)) return entries;
    if (whole !== lines) {
      const mended = await files.replaceText(paths.journal, whole);
      if (E.isLeft(mended)) return mended;
    }
    return E.right({ ...saved.right, journal: entries.right, journalLength: whole.length });
  },
  append: async (scenario, saved, entry) => {
    const line = journalLine(entry);
    const appended = await files.appendText(pathsOf(folder, scenario).journal, line);
    if (E.isLeft(appended)) return appended;
    return E.right(withEntry(saved, entry, line));
  },
  // A crash between save and cut loses nothing. After an error, memory must hold the journal whole too.
  save: async (scenario, saved, next) => {
    const paths = pathsOf(folder, scenario);
    const replaced = await files.replaceText(paths.state, stateText(next));
    if (E.isLeft(replaced)) return replaced;
    const kept = withState(saved, next);
    if (kept.journal.length === saved.journal.length) return E.right(kept);
    const cut = await files.replaceText(paths.journal, kept.journal.map(journalLine).join(''));
    return E.isLeft(cut) ? cut : E.right(kept);
  },
  remove: async (scenario) => {
    const paths = pathsOf(folder, scenario);
    // A journal without its state would be applied to nothing.
    const removed = await files.remove(paths.journal);
    return E.isLeft(removed) ? removed : files.remove(paths.state);
  },
});

/** Texts that only the holder of their lease may write, by scenario. */
interface Texts {
  readonly claim: (scenario: string) => Promise<Result<string | null>>;
  readonly write: (scenario: string, text: string) => Promise<Result<null>>;
}

const textOf = (saved: SavedGlobals): string =>
  `${stateText(saved)}${saved.journal.map(journalLine).join('')}`;

const parse = (scenario: string, text: string): Result<SavedGlobals> => {
  const end = text.indexOf('\n') + 1;
  try {
    const journal = parseJournal(text.slice(end));
    return E.right({ ...parseState(text.slice(0, end)), journal, journalLength: text.length - end });
  } catch (thrown) {
    const reason = `the globals of scenario "${scenario}" in the cluster are not valid: ${reasonOf(thrown)}`;
    return E.left(failure('unreadable', reason));
  }
};

/**
 * Globals in the cluster: state and journal are one value, replaced whole with each change, so that an answered change
 * is there for the next holder. A short journal keeps the value small.
 */
export const globalsInCluster = (texts: Texts): GlobalsStore => {
  const store = async (scenario: string, next: SavedGlobals): Promise<Result<SavedGlobals>> => {
    const written = await texts.write(scenario, textOf(next));
    return E.isLeft(written) ? written : E.right(next);
  };
  return {
    remove: null,
    max_journal: { length: 16 * 1024, entries: 50 },
    load: async (scenario) => {
      const text = await texts.claim(scenario);
      if (E.isLeft(text)) return text;
      return text.right === null ? E.right(NO_GLOBALS) : parse(scenario, text.right);
    },
    append: (scenario, saved, entry) => store(scenario, withEntry(saved, entry, journalLine(entry))),
    save: (scenario, saved, next) => store(scenario, withState(saved, next)),
  };
};
