import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';
import {
  type GlobalsStore,
  journalLine,
  NO_GLOBALS,
  parseJournal,
  parseState,
  type SavedGlobals,
  stateText,
  withEntry,
  withState,
} from './store.js';

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
