import type { Result } from '../../domain/errors.js';
import type { GlobalsChange } from '../../domain/globals/globals.js';
import type { CellState, GlobalsAnswer } from '../protocol.js';

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
