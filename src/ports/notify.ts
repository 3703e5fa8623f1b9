export type NotifyMessage =
  /** Start or reload is complete; `status` is one line of text. */
  | { readonly type: 'ready'; readonly status: string }
  /** Settings are being applied; `ready` follows. */
  | { readonly type: 'reloading' }
  | { readonly type: 'stopping' }
  | { readonly type: 'watchdog' };

export interface Notify {
  /** Keeps the order. Resolves when the message is sent or given up; never rejects. */
  readonly send: (message: NotifyMessage) => Promise<void>;
  /** Longest interval between two `watchdog` messages, in milliseconds. Null when none are expected. */
  readonly watchdog_ms: number | null;
}
