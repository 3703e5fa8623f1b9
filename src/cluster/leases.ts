import { NO_TASKS, type TaskTable } from './tasks.js';

/** Who holds a lease. `unreadable` is a document of a newer format, or a damaged one. Null when the key is free. */
type Holder = { readonly node: string; readonly session: string } | 'unreadable' | null;

export interface LeaseNote {
  readonly revision: number;
  readonly holder: Holder;
  /** Epoch of the last holder. 0 when it is unknown. */
  readonly epoch: number;
  /** Nodes in a row that were lost while they held it. */
  readonly deaths: number;
}

const FREE: LeaseNote = { revision: 0, holder: null, epoch: 0, deaths: 0 };

/** Who holds a lease, as far as this version can read it. */
export const holderOf = ({ holder }: LeaseNote): Exclude<Holder, 'unreadable'> =>
  holder === 'unreadable' ? null : holder;

/** Last known leases. */
export type Leases = ReturnType<typeof makeLeases>;

export const makeLeases = () => {
  let table = NO_TASKS;
  let numbered: (LeaseNote | undefined)[] = [];
  /** Leases of keys that are not in the table. */
  const others = new Map<string, LeaseNote>();

  const put = (key: string, note: LeaseNote): void => {
    const number = table.numberOfKey.get(key);
    if (number !== undefined) numbered[number] = note;
    else if (note.holder === null) others.delete(key);
    else others.set(key, note);
  };

  return {
    of: (key: string): LeaseNote => {
      const number = table.numberOfKey.get(key);
      return (number === undefined ? others.get(key) : numbered[number]) ?? FREE;
    },
    /** By number of a key in the table. */
    at: (number: number): LeaseNote => numbered[number] ?? FREE,
    /** What the leader of the stream said; it counts whatever was known before. */
    put,
    setTable: (next: TaskTable): void => {
      const known = [...others];
      for (const [number, note] of numbered.entries())
        if (note !== undefined) known.push([table.keys[number] as string, note]);
      table = next;
      numbered = new Array<LeaseNote | undefined>(next.keys.length).fill(undefined);
      others.clear();
      for (const [key, note] of known) put(key, note);
    },
  };
};
