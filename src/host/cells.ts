import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../domain/errors.js';
import {
  cellText,
  changeCell,
  type GlobalsCell,
  globalsView,
  MAX_GLOBALS_LENGTH,
  makeCell,
  readCell,
} from '../domain/globals/cell.js';
import type { Changes, GlobalsChange, GlobalsView } from '../domain/globals/globals.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { CellState, FromWorker, GlobalsAnswer, ToWorker } from './protocol.js';

/** How the actor of a scenario reaches its cell on the thread that has it. */
export interface CellLink {
  readonly change: (
    change: GlobalsChange,
    number: number,
    if_match: string | null,
  ) => Promise<Result<GlobalsAnswer>>;
  readonly read: () => Promise<Result<GlobalsAnswer>>;
  /** Resolves when the thread has the replica. */
  readonly replicate: (state: CellState) => Promise<void>;
}

/** A link whose changes and reads wait for the cell to arrive: the actor gets the link before the thread gets the cell. */
export const linkAfter = (arrival: () => Promise<unknown>, link: CellLink): CellLink => ({
  change: async (...change) => {
    await arrival();
    return link.change(...change);
  },
  read: async () => {
    await arrival();
    return link.read();
  },
  replicate: link.replicate,
});

export interface CellText {
  readonly text: string;
  readonly changeNumber: number;
}

/** Scenarios as hosts see them. A cell is with its actor, or lent to the one thread where the members run. */
export interface CellDirectory {
  /** Hands the cell to a thread; from then on the actor reaches it through the link. */
  readonly lend: (scenario: string, link: CellLink) => Promise<Result<CellState>>;
  /** Takes the cell back with its last state. Null when the thread died, so the last saved state counts. */
  readonly giveBack: (scenario: string, last: CellText | null) => Promise<void>;
  readonly noteChange: (scenario: string, state: CellText) => void;
  /** Maintains a read-only copy of the cell on a thread until `unsubscribe`; resolves when the copy is there. */
  readonly subscribe: (scenario: string, link: CellLink) => Promise<void>;
  readonly unsubscribe: (scenario: string, link: CellLink) => void;
}

/** Changes of scripts and templates are saved at most this often. */
const SAVE_EVERY_MS = 1_000;
/** Saving may use at most this share of the thread's time: large states take long to serialize. */
const SAVE_SHARE = 0.05;

/** The cells of one thread: those it owns and its read-only copies of others. */
interface CellHost {
  readonly handle: (message: Extract<ToWorker, { type: `cell.${string}` | `globals.${string}` }>) => void;
  /** Globals of a generator in these scenarios, home first; without scenarios a cell of its own. */
  readonly viewOf: (scenarios: readonly string[]) => GlobalsView;
}

interface CellHostOptions {
  readonly post: (message: FromWorker) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const cellOf = (state: CellState): GlobalsCell => makeCell(state.scenario, state.values, state.changeNumber);

/** Text of a cell to save; logs what cannot be saved and marks a cell over its limit. */
const textToSave = (cell: GlobalsCell, log: Log): string => {
  const { scenario } = cell;
  const { text, unsaved } = cellText(cell);
  if (unsaved.length > 0) {
    const reason = `values that JSON cannot hold (a cycle or a bigint) are not saved: ${unsaved.join(', ')}`;
    log.write('error', 'globals are not saved whole', { scenario, reason });
  }
  cell.isFull = text.length > MAX_GLOBALS_LENGTH;
  if (cell.isFull) {
    const message = 'globals are over their limit: scripts can only delete until they fit';
    log.write('error', message, { scenario, count: text.length });
  }
  return text;
};

const saveChanges = async (
  owned: ReadonlyMap<string, GlobalsCell>,
  { post, clock, log, signal }: CellHostOptions,
): Promise<void> => {
  let pause = SAVE_EVERY_MS;
  while (!signal.aborted) {
    await clock.sleepMs(pause, signal);
    const before = clock.monotonicMs();
    for (const cell of owned.values()) {
      if (!cell.isDirty) continue;
      cell.isDirty = false;
      const { scenario, changeNumber } = cell;
      post({ type: 'cell.changed', scenario, changeNumber, text: textToSave(cell, log) });
    }
    pause = Math.max(SAVE_EVERY_MS, (clock.monotonicMs() - before) / SAVE_SHARE);
  }
};

export const cellHost = (options: CellHostOptions): CellHost => {
  const { post, log } = options;
  const owned = new Map<string, GlobalsCell>();
  const replicas = new Map<string, GlobalsCell>();
  void saveChanges(owned, options);

  const answer = (request: number, name: string, ask: (cell: GlobalsCell) => Result<GlobalsAnswer>): void => {
    const cell = owned.get(name);
    const moving = failure('unavailable', `scenario "${name}" is moving to another thread; try again`);
    post({ type: 'globals.answer', request, answer: cell === undefined ? E.left(moving) : ask(cell) });
  };

  const release = (scenario: string): void => {
    const cell = owned.get(scenario);
    // Without the cell there is nothing to report: an empty state would replace the saved one.
    if (cell === undefined) return;
    owned.delete(scenario);
    const text = textToSave(cell, log);
    post({ type: 'cell.released', scenario, text, changeNumber: cell.changeNumber });
  };

  const replicate = (state: CellState, request: number): void => {
    const known = replicas.get(state.scenario);
    if (known === undefined) replicas.set(state.scenario, cellOf(state));
    // Views hold the cell, so only its values are replaced.
    else known.values = cellOf(state).values;
    post({ type: 'globals.answer', request, answer: E.right({ etag: '', text: null }) });
  };

  return {
    handle: (message) => {
      switch (message.type) {
        case 'globals.change': {
          const { request, name, change, number, if_match } = message;
          return answer(request, name, (cell) =>
            E.map(
              ({ etag, changes }: { readonly etag: string; readonly changes: Changes }): GlobalsAnswer => ({
                etag,
                text: JSON.stringify(changes),
              }),
            )(changeCell(cell, change, number, if_match)),
          );
        }
        case 'globals.read':
          return answer(message.request, message.name, (cell) => E.right(readCell(cell)));
        case 'cell.host':
          owned.set(message.state.scenario, cellOf(message.state));
          return;
        case 'cell.release':
          return release(message.scenario);
        case 'cell.replica':
          return replicate(message.state, message.request);
      }
    },
    viewOf: ([home, ...others]) => {
      const homeCell = (home === undefined ? undefined : owned.get(home)) ?? makeCell(home ?? '', {}, 0);
      const readable = others.flatMap((name) => owned.get(name) ?? replicas.get(name) ?? []);
      return globalsView(homeCell, readable);
    },
  };
};
