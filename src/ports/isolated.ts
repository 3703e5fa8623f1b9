/** What is heard of an isolated process. */
export interface IsolatedEvents {
  /** One frame that it wrote. */
  readonly onFrame: (frame: Uint8Array) => void;
  /** It could not be started, or what it wrote is no frame. */
  readonly onBroken: (reason: string) => void;
  /** It is gone; nothing follows. */
  readonly onExit: (end: { readonly code: number | null; readonly signal: string | null }) => void;
}

/** A process of its own for a pipeline thread. */
export interface IsolatedProcess {
  readonly send: (frame: Uint8Array) => void;
  /** Ends it at once, whatever it does. */
  readonly kill: () => void;
}

/** Starts one. Never throws; events come in later turns. */
export type StartIsolated = (events: IsolatedEvents) => IsolatedProcess;
