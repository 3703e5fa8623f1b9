/** What the service tells the supervisor of the machine (systemd) about itself. */
export type NotifyMessage =
  /** Start, or reload, is complete; `status` is one line for people. */
  | { readonly type: 'ready'; readonly status: string }
  /** Settings are applied anew; `ready` follows. */
  | { readonly type: 'reloading' }
  | { readonly type: 'stopping' }
  /** A sign of life. */
  | { readonly type: 'watchdog' };

export interface Notify {
  /** Messages leave in the order in which they are given. Resolves when it left or was given up; never rejects. */
  readonly send: (message: NotifyMessage) => Promise<void>;
  /** A sign of life must come at least this often; `null`: nobody waits for one. */
  readonly watchdog_ms: number | null;
}
