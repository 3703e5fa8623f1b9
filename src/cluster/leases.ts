import type { TaskTable } from './tasks.js';

/** Who holds a lease. `unreadable` is a document of a newer format, or a damaged one. Null when the key is free. */
export type Holder = { readonly node: string; readonly session: string } | 'unreadable' | null;

export interface LeaseNote {
  readonly revision: number;
  readonly holder: Holder;
  /** Epoch of the last holder. 0 when it is unknown. */
  readonly epoch: number;
  /** Nodes in a row that were lost while they held it. */
  readonly deaths: number;
}

/** Last known leases. */
export interface Leases {
  readonly of: (key: string) => LeaseNote;
  /** By number of a key in the table. */
  readonly at: (number: number) => LeaseNote;
  /** What the leader of the stream said; it counts whatever was known before. */
  readonly put: (key: string, note: LeaseNote) => void;
  /** Keys and leases that are not in the table. */
  readonly others: () => Iterable<readonly [key: string, note: LeaseNote]>;
  readonly setTable: (table: TaskTable) => void;
}

const FREE: LeaseNote = { revision: 0, holder: null, epoch: 0, deaths: 0 };

export const makeLeases = (first: TaskTable): Leases => {
  let table = first;
  let numbered: (LeaseNote | undefined)[] = new Array<LeaseNote | undefined>(table.keys.length).fill(
    undefined,
  );
  const others = new Map<string, LeaseNote>();

  const of = (key: string): LeaseNote => {
    const number = table.numberOfKey.get(key);
    return (number === undefined ? others.get(key) : numbered[number]) ?? FREE;
  };

  const put = (key: string, note: LeaseNote): void => {
    const number = table.numberOfKey.get(key);
    if (number !== undefined) numbered[number] = note;
    else if (note.holder === null) others.delete(key);
    else others.set(key, note);
  };

  const setTable = (next: TaskTable): void => {
    const known: (readonly [string, LeaseNote])[] = [...others];
    for (const [number, note] of numbered.entries())
      if (note !== undefined) known.push([table.keys[number] as string, note]);
    table = next;
    numbered = new Array<LeaseNote | undefined>(next.keys.length).fill(undefined);
    others.clear();
    for (const [key, note] of known) put(key, note);
  };

  return {
    of,
    at: (number) => numbered[number] ?? FREE,
    put,
    others: () => others,
    setTable,
  };
};
