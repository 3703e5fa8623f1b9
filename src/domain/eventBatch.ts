/**
 * A run of events in order, as texts or as ready UTF-8 bytes. Plugins make whichever is cheaper;
 * outputs ask for whichever they need; the conversion happens at most once.
 */
export interface EventBatch {
  readonly count: number;
  /** Each event as text. Must not be changed. */
  readonly texts: () => readonly string[];
  /**
   * All events as UTF-8, each followed by `separator`, in one buffer that is the caller's to read until
   * the batch is released; bytes are not copied when the batch was made with the same separator.
   */
  readonly bytes: (separator: string) => Uint8Array;
}
