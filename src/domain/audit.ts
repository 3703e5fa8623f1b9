/** A request that changed something, or tried to. It holds no body and no secret. */
export interface AuditEntry {
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Also of a sign-in that failed. Null without credentials. */
  readonly user: string | null;
  /** Address of the client; `mcp` for a language model, `signal` for a signal to the process. */
  readonly client: string;
  /** Operation of the API as the OpenAPI document names it, or the method where there is none. */
  readonly operation: string;
  /** Path and query as they were sent, cut when long. */
  readonly target: string;
  /** Status of the answer. 0 when the client left before it. */
  readonly status: number;
}

/** Which entries to read; null fields match all. */
export interface AuditQuery {
  readonly user: string | null;
  readonly operation: string | null;
  /** A part of the target. */
  readonly target: string | null;
  /** Instants in ISO 8601; `until` is exclusive. */
  readonly since: string | null;
  readonly until: string | null;
  /** Matching entries to skip, newest first. */
  readonly offset: number;
  readonly limit: number;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Null when there are no more. */
  readonly next_offset: number | null;
}

/** Takes a note of a change. Never waits, never throws. */
export type NoteChange = (entry: Omit<AuditEntry, 'at'>) => void;
