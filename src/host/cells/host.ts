import { failure } from '../../domain/errors.js';
import {
  cellText,
  type GlobalsCell,
  globalsView,
  MAX_GLOBALS_LENGTH,
  makeCell,
} from '../../domain/globals/cell.js';
import type { GlobalsView } from '../../domain/globals/globals.js';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { CellAnswer, CellState, FromWorker, ToWorker } from '../protocol.js';
import { readCell, tryChange } from './change.js';

/** What scripts and templates change is saved at most this often. */
const SAVE_EVERY_MS = 1_000;
/** A large state takes long to write out: saving may use at most this share of the thread's time. */
const SAVE_SHARE = 0.05;

/** The cells of one thread: those it owns and its read-only copies of others. */
export interface CellHost {
  readonly handle: (message: Extract<ToWorker, { type: `cell.${string}` }>) => void;
  /** What the members of these scenarios see; without any a cell of their own. */
  readonly viewOf: (scenarios: readonly string[]) => GlobalsView;
}

export const cellHost = (options: {
  readonly post: (message: FromWorker) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}): CellHost => {
  const { post, clock, log } = options;
  const owned = new Map<string, GlobalsCell>();
  const replicas = new Map<string, GlobalsCell>();
  const cellOf = (state: CellState): GlobalsCell =>
    makeCell(state.scenario, state.values, state.changeNumber);

  const textOf = (cell: GlobalsCell): string => {
    const { text, unsaved } = cellText(cell);
    if (unsaved.length > 0) {
      const reason = `values that JSON cannot hold (a cycle or a bigint) are not saved: ${unsaved.join(', ')}`;
      log.write('error', 'globals are not saved whole', { scenario: cell.scenario, reason });
    }
    cell.isFull = text.length > MAX_GLOBALS_LENGTH;
    if (cell.isFull) {
      log.write('error', 'globals are over their limit: scripts can only delete until they fit', {
        scenario: cell.scenario,
        count: text.length,
      });
    }
    return text;
  };

  const save = async (): Promise<void> => {
    let pause = SAVE_EVERY_MS;
    while (!options.signal.aborted) {
      await clock.sleepMs(pause, options.signal);
      const before = clock.monotonicMs();
      for (const cell of owned.values()) {
        if (!cell.isDirty) continue;
        cell.isDirty = false;
        const { scenario, changeNumber } = cell;
        post({ type: 'cell.changed', scenario, changeNumber, text: textOf(cell) });
      }
      pause = Math.max(SAVE_EVERY_MS, (clock.monotonicMs() - before) / SAVE_SHARE);
    }
  };
  void save();

  const answer = (request: number, scenario: string, ask: (cell: GlobalsCell) => CellAnswer): void => {
    const cell = owned.get(scenario);
    const missing = failure(
      'unavailable',
      `scenario "${scenario}" is on its way to another thread; try again`,
    );
    post({
      type: 'cell.answer',
      request,
      answer: cell === undefined ? { ok: false, error: missing } : ask(cell),
    });
  };

  return {
    handle: (message) => {
      switch (message.type) {
        case 'cell.host':
          owned.set(message.state.scenario, cellOf(message.state));
          return;
        case 'cell.release': {
          const cell = owned.get(message.scenario);
          // Nothing is said of a cell that is not here: an empty state would replace what is saved.
          if (cell === undefined) return;
          owned.delete(message.scenario);
          const { scenario, changeNumber } = cell;
          return post({ type: 'cell.released', scenario, text: textOf(cell), changeNumber });
        }
        case 'cell.change':
          return answer(message.request, message.scenario, (cell) =>
            tryChange(cell, message.change, message.number, message.if_match),
          );
        case 'cell.read':
          return answer(message.request, message.scenario, readCell);
        case 'cell.replica': {
          const known = replicas.get(message.state.scenario);
          if (known === undefined) replicas.set(message.state.scenario, cellOf(message.state));
          // Views hold the cell, so its values are exchanged, not the cell.
          else known.values = cellOf(message.state).values;
          return post({
            type: 'cell.answer',
            request: message.request,
            answer: { ok: true, etag: '', text: null },
          });
        }
      }
    },
    viewOf: ([home, ...others]) => {
      const homeCell = (home === undefined ? undefined : owned.get(home)) ?? makeCell(home ?? '', {}, 0);
      const readable = others.flatMap((name) => owned.get(name) ?? replicas.get(name) ?? []);
      return globalsView(homeCell, readable);
    },
  };
};
