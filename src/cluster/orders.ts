import type { Refusals } from './documents.js';

export interface LeaseOrder {
  readonly type: 'acquire' | 'release';
  readonly session: string;
  readonly key: string;
  /** The revision that must be there, 0: none. */
  readonly replaces: number;
  readonly epoch: number;
  readonly deaths: number;
}

/** `replaces`: the revision that must be there, 0: none. */
export type WriteOrder =
  | {
      readonly type: 'beat';
      readonly session: string;
      readonly beat: number;
      /** Former session whose place this one takes, null when there is none. */
      readonly follows: string | null;
      /** Session of this process before this one, null when there was none. */
      readonly previous: string | null;
      readonly replaces: number;
      readonly draining: boolean;
      readonly refused: readonly Refusals[];
    }
  | LeaseOrder
  /** Removes the node's document. */
  | { readonly type: 'withdraw'; readonly session: string; readonly replaces: number }
  /** Removes the document of another node, which has been lost for long. */
  | { readonly type: 'forget'; readonly node: string; readonly replaces: number };

export type Order =
  | WriteOrder
  /** The generator or partition of the key may run. `epoch`: of its lease. */
  | { readonly type: 'run'; readonly key: string; readonly epoch: number }
  /** It must stop; `noteRest` answers. `isLost`: at once, because others may run it soon; otherwise it drains. */
  | { readonly type: 'stop'; readonly key: string; readonly isLost: boolean }
  /** Read the lease of the key from the leader of the stream: `noteRead` answers. */
  | { readonly type: 'read'; readonly key: string; readonly read: number }
  /** Look again whether this node can run the task: `noteRefusal` or `noteAllowed` answers. */
  | { readonly type: 'reconsider'; readonly task: string };

/**
 * Result of a write. `refused`: another revision is there; `found`: of a beat, what the leader of the stream has there;
 * `unknown`: no answer, so it may come to pass later.
 */
export type WriteResult =
  | { readonly kind: 'accepted'; readonly revision: number }
  | { readonly kind: 'refused'; readonly found: Found | null }
  | { readonly kind: 'unknown' };

/** A node's document; `session` `null`, revision 0: there is none. */
export interface Found {
  readonly revision: number;
  readonly session: string | null;
}
