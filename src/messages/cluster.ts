/** State of a node: `joining` (it waits for three beats), `member`, `draining` (it gives its generators away), `isolated` (it has lost the cluster), `leaving`, `lost` (not heard of for a lease). */
export type NodePhase = 'waiting' | 'joining' | 'member' | 'draining' | 'isolated' | 'leaving' | 'lost';

export interface ClusterNodeInfo {
  readonly name: string;
  readonly phase: NodePhase;
  /** Address of its API. Null when it has none. */
  readonly api: string | null;
  readonly version: string;
  readonly capacity: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Running generators and partitions. */
  readonly generators: number;
  readonly events_per_second: number;
  /** Used cores. */
  readonly cpu: number;
  /** Seconds since its last sign of life. */
  readonly seen_seconds_ago: number;
  /** A person drains it. */
  readonly is_drained: boolean;
  /** What it cannot run, and why. */
  readonly refused: readonly { readonly reason: string; readonly tasks: readonly string[] }[];
  /** What is wrong with it, and what to do. */
  readonly problems: readonly string[];
}

/** What is placed as a whole: scenarios with their members, one generator, or one partition. */
export interface ClusterTask {
  readonly name: string;
  readonly generator_ids: readonly string[];
  readonly scenarios: readonly string[];
  /** Node that holds it. Null when none does at the moment. */
  readonly node: string | null;
  /** Node that should hold it. Null when none can. */
  readonly owner: string | null;
  /** ISO 8601 in UTC, by the clock of its node; `null` without a node. */
  readonly since: string | null;
  /** Why no node holds it. Null when one does. */
  readonly problem: string | null;
}

export interface ClusterInfo {
  readonly name: string;
  /** The node that answers. */
  readonly node: string;
  readonly phase: NodePhase;
  readonly is_connected: boolean;
  /** Seconds since it last heard of a node, itself included: how old is what it shows of others. */
  readonly state_age_seconds: number;
  readonly lease_seconds: number;
  readonly nodes: readonly ClusterNodeInfo[];
  readonly tasks: readonly ClusterTask[];
  /** Counters of this node since its start. */
  readonly counters: {
    /** Leases taken from lost nodes. */
    readonly takeovers: number;
    readonly last_takeover_ms: number;
    /** Tasks given to other nodes. */
    readonly moves: number;
    /** Times that it lost the cluster for two thirds of a lease. */
    readonly isolations: number;
    readonly bucket_reads: number;
    readonly bucket_writes: number;
  };
}

/** Requests about the cluster. */
export interface ClusterRequests {
  /** Answers null when this service runs alone. */
  'cluster.read': { payload: null; answer: ClusterInfo | null };
  /** Errors are `not_found` (no such node), `wrong_state` (no cluster), `unavailable` (the cluster does not answer). */
  'cluster.drain': { payload: { readonly node: string; readonly drain: boolean }; answer: null };
  /** Removes a lost node. Errors are `not_found`, `wrong_state` (it is not lost, or no cluster), `unavailable`. */
  'cluster.remove': { payload: { readonly node: string }; answer: null };
}
