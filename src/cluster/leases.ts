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

/** A lease that nobody has had. */
export const FREE: LeaseNote = { revision: 0, holder: null, epoch: 0, deaths: 0 };

/** Who holds a lease, as far as this version can read it. */
export const holderOf = ({ holder }: LeaseNote): Exclude<Holder, 'unreadable'> =>
  holder === 'unreadable' ? null : holder;
