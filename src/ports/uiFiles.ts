/** A file of the web UI, ready to send. */
export interface UiFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Compression of the bytes. Null when there is none. */
  readonly encoding: 'br' | 'gzip' | null;
}

/** The built web UI. */
export interface UiFiles {
  /** Returns the page that starts it, as text, or null when the UI is not built. */
  readonly page: () => Promise<string | null>;
  /** Returns a file below `/assets/` by its name, in the best encoding that the client takes, or null for none. */
  readonly asset: (name: string, accepts: (encoding: 'br' | 'gzip') => boolean) => Promise<UiFile | null>;
}
