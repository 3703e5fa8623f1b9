import type { SpateError } from '../../domain/errors.js';
import type { GlobalsChange } from '../../domain/globals/patch.js';
import type { CellAnswer, CellState } from '../protocol.js';

/** How the owner of a scenario reaches its cell while a thread hosts it. */
export interface CellLink {
  readonly change: (change: GlobalsChange, number: number, if_match: string | null) => Promise<CellAnswer>;
  readonly read: () => Promise<CellAnswer>;
  /** Resolves when the thread has the replica. */
  readonly replicate: (state: CellState) => Promise<void>;
}

/**
 * A link whose requests wait until the cell has been sent to its thread: the owner may use it as soon
 * as it has lent the cell, which is a little earlier.
 */
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

/** The state of a cell as its thread last told it: JSON text, so that it is parsed only where needed. */
export interface CellText {
  readonly text: string;
  readonly changeNumber: number;
}

/**
 * The scenarios as hosts see them. A scenario's cell is at one place at a time: at its actor, or lent to
 * the thread where its members run.
 */
export interface CellDirectory {
  /** Hands the cell to a thread; from now on the actor reaches it through the link. */
  readonly lend: (scenario: string, link: CellLink) => Promise<CellState | SpateError>;
  /** The thread is gone or has no members left; `null`: it died, so the last saved state counts. */
  readonly giveBack: (scenario: string, last: CellText | null) => Promise<void>;
  /** What scripts and templates changed. */
  readonly noteChange: (scenario: string, state: CellText) => void;
  /** Keeps a read-only copy of the cell on a thread until `unsubscribe`; resolves when it is there. */
  readonly subscribe: (scenario: string, link: CellLink) => Promise<void>;
  readonly unsubscribe: (scenario: string, link: CellLink) => void;
}
