/** A file of the web UI, ready to send. */
export interface UiFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** `null`: as it is. */
  readonly encoding: 'br' | 'gzip' | null;
}

/** The built web UI. */
export interface UiFiles {
  /** The page that starts it, as text; `null`: the UI is not built. */
  readonly page: () => Promise<string | null>;
  /** A file below `/assets/` by its name, in the best encoding that the client takes; `null`: there is none. */
  readonly asset: (name: string, accepts: (encoding: 'br' | 'gzip') => boolean) => Promise<UiFile | null>;
}
