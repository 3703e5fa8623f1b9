import * as E from 'fp-ts/lib/Either.js';
import { failure, type SpateError } from '../src/domain/errors.js';
import { cellText, type GlobalsCell, makeCell } from '../src/domain/globalsCell.js';
import type { GlobalsChange } from '../src/domain/globalsPatch.js';
import type { JsonObject } from '../src/domain/json.js';
import { readCell, tryChange } from '../src/host/cellChange.js';
import type { CellLink, CellText } from '../src/host/cells.js';
import type { CellAnswer, CellState } from '../src/host/protocol.js';
import type { Answer } from '../src/messages/request.js';
import type { GlobalsState } from '../src/messages/scenarios.js';
import type { Files } from '../src/ports/files.js';
import type { Log } from '../src/ports/log.js';
import { keeper } from './keeper.js';
import {
  appendChange,
  type JournalEntry,
  loadGlobals,
  replay,
  type SavedGlobals,
  saveGlobals,
} from './scenarioStore.js';

type Reply<A> = (answer: Answer<A>) => void;

/** Mailbox of one scenario; handled one at a time, so a change, a save and a hand-over never interleave. */
export type ScenarioMessage =
  | {
      readonly type: 'change';
      readonly change: GlobalsChange;
      readonly if_match: string | null;
      readonly reply: Reply<{ readonly etag: string }>;
    }
  | { readonly type: 'read'; readonly reply: Reply<GlobalsState> }
  | { readonly type: 'lend'; readonly link: CellLink; readonly reply: Reply<CellState> }
  | { readonly type: 'giveBack'; readonly last: CellText | null; readonly reply: Reply<null> }
  | { readonly type: 'noteChange'; readonly state: CellText; readonly reply: Reply<null> }
  | { readonly type: 'subscribe'; readonly link: CellLink; readonly reply: Reply<null> }
  | { readonly type: 'unsubscribe'; readonly link: CellLink; readonly reply: Reply<null> };

export interface ScenarioOptions {
  readonly name: string;
  readonly files: Files;
  /** Folder of saved globals. */
  readonly folder: string;
  readonly log: Log;
}

/**
 * One scenario: membership is the startup list's; the shared state is here. The cell is held by this
 * actor while no member runs, and lent to the thread where they run otherwise.
 */
export const scenarioLogic = (options: ScenarioOptions) => {
  const { name, files, folder, log } = options;
  let saved: SavedGlobals | null = null;
  let held: GlobalsCell | null = null;
  let lentTo: CellLink | null = null;
  const replicas = new Set<CellLink>();

  const load = async (): Promise<E.Either<SpateError, SavedGlobals>> => {
    if (saved !== null) return E.right(saved);
    const loaded = await loadGlobals(files, folder, name);
    if (E.isRight(loaded)) saved = loaded.right;
    return loaded;
  };

  /** Latest change number: of the saved state or of the journal after it. */
  const latest = (state: SavedGlobals): number =>
    Math.max(state.changeNumber, state.journal.at(-1)?.number ?? 0);

  /** The cell when no thread has it: rebuilt from what is saved after a thread died with it. */
  const hold = (state: SavedGlobals): GlobalsCell => {
    held ??= makeCell(name, replay(state), latest(state));
    return held;
  };

  const persist = async (state: SavedGlobals, next: CellText): Promise<SavedGlobals> => {
    const written = await saveGlobals(files, folder, name, next, state.journal);
    if (E.isLeft(written)) {
      log.write('error', 'globals could not be saved', { scenario: name, reason: written.left.message });
    }
    return {
      values: JSON.parse(next.text) as JsonObject,
      changeNumber: next.changeNumber,
      journal: state.journal.filter(({ number }) => number > next.changeNumber),
    };
  };

  const change = async (
    state: SavedGlobals,
    wanted: GlobalsChange,
    if_match: string | null,
  ): Promise<Answer<{ readonly etag: string }>> => {
    const entry: JournalEntry = { number: latest(state) + 1, change: wanted };
    let answer: CellAnswer | null =
      lentTo === null ? null : await lentTo.change(wanted, entry.number, if_match);
    if (answer !== null && !answer.ok && answer.error.code === 'unavailable') {
      // The thread died with the cell; what is saved is the state now.
      lentTo = null;
      answer = null;
    }
    answer ??= tryChange(hold(state), wanted, entry.number, if_match);
    if (!answer.ok) return E.left(answer.error);
    const journalled = await appendChange(files, folder, name, entry);
    if (E.isLeft(journalled)) return journalled;
    saved = { ...state, journal: [...state.journal, entry] };
    await pushReplicas();
    return E.right({ etag: answer.etag });
  };

  const read = async (state: SavedGlobals): Promise<{ readonly etag: string; readonly text: string }> => {
    const answer = lentTo === null ? null : await lentTo.read();
    if (answer?.ok === true && answer.text !== null) return { etag: answer.etag, text: answer.text };
    if (answer !== null) lentTo = null;
    const own = readCell(hold(state));
    return { etag: own.etag, text: own.text ?? '{}' };
  };

  const current = async (state: SavedGlobals): Promise<CellState> => {
    const { text } = await read(state);
    return { scenario: name, values: JSON.parse(text) as JsonObject, changeNumber: latest(state) };
  };

  const pushReplicas = async (): Promise<void> => {
    if (replicas.size === 0 || saved === null) return;
    const state = await current(saved);
    await Promise.all([...replicas].map((link) => link.replicate(state)));
  };

  const handle = async (message: ScenarioMessage): Promise<void> => {
    const loaded = await load();
    if (E.isLeft(loaded)) return message.reply(loaded);
    const state = loaded.right;
    switch (message.type) {
      case 'change':
        return message.reply(await change(state, message.change, message.if_match));
      case 'read': {
        const { etag, text } = await read(state);
        return message.reply(E.right({ etag, globals: JSON.parse(text) as JsonObject }));
      }
      case 'lend': {
        if (lentTo !== null) {
          const reason = `the globals of scenario "${name}" are on another thread already`;
          return message.reply(E.left(failure('bug', reason)));
        }
        const cell = hold(state);
        held = null;
        lentTo = message.link;
        const values = JSON.parse(cellText(cell).text) as JsonObject;
        return message.reply(E.right({ scenario: name, values, changeNumber: cell.changeNumber }));
      }
      case 'giveBack':
        lentTo = null;
        if (message.last !== null) {
          saved = await persist(state, message.last);
          held = null;
        }
        return message.reply(E.right(null));
      case 'noteChange':
        saved = await persist(state, message.state);
        await pushReplicas();
        return message.reply(E.right(null));
      case 'subscribe':
        replicas.add(message.link);
        await message.link.replicate(await current(state));
        return message.reply(E.right(null));
      case 'unsubscribe':
        replicas.delete(message.link);
        return message.reply(E.right(null));
    }
  };
  return keeper<ScenarioMessage>(handle);
};
