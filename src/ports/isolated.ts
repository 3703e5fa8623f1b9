export interface IsolatedEvents {
  readonly onFrame: (frame: Uint8Array) => void;
  /** It could not be started, or its output is no frame. */
  readonly onBroken: (reason: string) => void;
  /** The last event. */
  readonly onExit: (end: { readonly code: number | null; readonly signal: string | null }) => void;
}

/** A process with one pipeline thread. */
export interface IsolatedProcess {
  readonly send: (frame: Uint8Array) => void;
  /** SIGKILL. */
  readonly kill: () => void;
}

/** Never throws; events come in later turns of the event loop. */
export type StartIsolated = (
  events: IsolatedEvents,
  more?: {
    /** Whether the kernel takes it first when memory runs out. */
    readonly isExpendable: boolean;
  },
) => IsolatedProcess;
