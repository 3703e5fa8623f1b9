import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../src/domain/errors.js';
import { cellText, type GlobalsCell, makeCell } from '../../src/domain/globals/cell.js';
import type { GlobalsChange } from '../../src/domain/globals/patch.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { CellLink, CellText } from '../../src/host/cells/cells.js';
import { readCell, tryChange } from '../../src/host/cells/change.js';
import type { CellAnswer, CellState } from '../../src/host/protocol.js';

import type { GlobalsState } from '../../src/messages/scenarios.js';
import type { Files } from '../../src/ports/files.js';
import type { Log } from '../../src/ports/log.js';
import { keeper } from '../keepers/keeper.js';
import {
  appendChange,
  isJournalLong,
  latestNumber,
  loadGlobals,
  replay,
  type SavedGlobals,
  saveGlobals,
} from './store.js';

type Reply<A> = (answer: Result<A>) => void;

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

/** The cell while a thread has it; out of reach when the thread gives it back or has died. */
interface Loan {
  readonly link: CellLink;
  isReachable: boolean;
}

/**
 * One scenario: membership is the startup list's; the shared state is here. The cell is held by this
 * actor while no member runs, and lent to the thread where they run otherwise.
 */
export const scenarioLogic = (options: ScenarioOptions) => {
  const { name, files, folder, log } = options;
  let saved: SavedGlobals | null = null;
  let held: GlobalsCell | null = null;
  let loan: Loan | null = null;
  /** A number is given once, even if its change fails: what a thread saves names the last one it holds. */
  let lastNumber = 0;
  const replicas = new Set<CellLink>();

  const load = async (): Promise<Result<SavedGlobals>> => {
    if (saved !== null) return E.right(saved);
    const loaded = await loadGlobals(files, folder, name);
    if (E.isLeft(loaded)) return loaded;
    saved = loaded.right;
    lastNumber = latestNumber(saved);
    return loaded;
  };

  /** The cell when no thread has it: rebuilt from what is saved after a thread died with it. */
  const hold = (state: SavedGlobals): GlobalsCell => {
    held ??= makeCell(name, replay(state), latestNumber(state));
    return held;
  };

  /** Answer of the thread that has the cell; `null`: none has it, or the thread cannot answer any more. */
  const viaLoan = async (request: (link: CellLink) => Promise<CellAnswer>): Promise<CellAnswer | null> => {
    if (loan === null || !loan.isReachable) return null;
    const answer = await request(loan.link);
    if (answer.ok || answer.error.code !== 'unavailable') return answer;
    loan.isReachable = false;
    return null;
  };

  const persist = async (state: SavedGlobals, next: CellText): Promise<SavedGlobals> => {
    const { text, changeNumber } = next;
    const written = await saveGlobals(files, folder, name, state, { text, changeNumber });
    if (E.isRight(written)) return written.right;
    log.write('error', 'globals could not be saved', { scenario: name, reason: written.left.message });
    return { ...state, text, changeNumber };
  };

  const change = async (
    state: SavedGlobals,
    wanted: GlobalsChange,
    if_match: string | null,
  ): Promise<Result<{ readonly etag: string }>> => {
    const number = ++lastNumber;
    const answer =
      (await viaLoan((link) => link.change(wanted, number, if_match))) ??
      tryChange(hold(state), wanted, number, if_match);
    if (!answer.ok) return E.left(answer.error);
    const journalled = await appendChange(files, folder, name, state, { number, change: wanted });
    if (E.isLeft(journalled)) {
      held = null;
      if (loan?.isReachable !== true) return journalled;
      // The thread has it and scripts may have seen it, so it cannot be taken back.
      const reason = `the change is in force but may not survive a restart: ${journalled.left.message}`;
      return E.left({ ...journalled.left, message: reason });
    }
    saved = journalled.right;
    if (isJournalLong(saved)) await saveWhole(saved);
    await pushReplicas();
    return E.right({ etag: answer.etag });
  };

  /** Replaces a long journal by a save; not while a thread gives the cell back with what only it knows. */
  const saveWhole = async (state: SavedGlobals): Promise<void> => {
    const { text } = await read(state);
    if (loan !== null && !loan.isReachable) return;
    saved = await persist(state, { text, changeNumber: latestNumber(state) });
  };

  const read = async (state: SavedGlobals): Promise<{ readonly etag: string; readonly text: string }> => {
    const answer = (await viaLoan((link) => link.read())) ?? readCell(hold(state));
    if (answer.ok && answer.text !== null) return { etag: answer.etag, text: answer.text };
    return readCell(hold(state));
  };

  const current = async (state: SavedGlobals): Promise<CellState> => {
    const { text } = await read(state);
    return { scenario: name, values: JSON.parse(text) as JsonObject, changeNumber: latestNumber(state) };
  };

  const pushReplicas = async (): Promise<void> => {
    if (replicas.size === 0 || saved === null) return;
    const state = await current(saved);
    await Promise.all([...replicas].map((link) => link.replicate(state)));
  };

  /** What a thread told last; a state without changes that are saved already is older than the save. */
  const take = async (state: SavedGlobals, told: CellText): Promise<void> => {
    if (told.changeNumber >= state.changeNumber) saved = await persist(state, told);
    // A cell that was rebuilt here meanwhile lacks what the thread told.
    held = null;
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
        if (loan?.isReachable === true) {
          const reason = `the globals of scenario "${name}" are on another thread already`;
          return message.reply(E.left(failure('bug', reason)));
        }
        const cell = hold(state);
        held = null;
        loan = { link: message.link, isReachable: true };
        const values = JSON.parse(cellText(cell).text) as JsonObject;
        return message.reply(E.right({ scenario: name, values, changeNumber: cell.changeNumber }));
      }
      case 'giveBack':
        loan = null;
        if (message.last !== null) await take(state, message.last);
        message.reply(E.right(null));
        return pushReplicas();
      case 'noteChange':
        await take(state, message.state);
        message.reply(E.right(null));
        return pushReplicas();
      case 'subscribe':
        replicas.add(message.link);
        await message.link.replicate(await current(state));
        return message.reply(E.right(null));
      case 'unsubscribe':
        replicas.delete(message.link);
        return message.reply(E.right(null));
    }
  };
  /**
   * A thread that has the cell answers reads in order with the changes it was sent, so they need not wait for
   * those to be journalled. False: it cannot answer any more.
   */
  const readBeside = async (link: CellLink, reply: Reply<GlobalsState>): Promise<boolean> => {
    const answer = await link.read();
    if (!answer.ok || answer.text === null) return false;
    reply(E.right({ etag: answer.etag, globals: JSON.parse(answer.text) as JsonObject }));
    return true;
  };

  return keeper<ScenarioMessage>(handle, (message) =>
    message.type === 'read' && loan?.isReachable === true ? readBeside(loan.link, message.reply) : null,
  );
};
