/** Requests to the keyring. For errors see `src/ports/keyring.ts`. */
export interface SecretRequests {
  /** Sorted; empty without a keyring. */
  'secrets.list': { payload: null; answer: readonly string[] };
  /** Returns the error `forbidden` unless the settings allow it. */
  'secrets.read': { payload: { readonly name: string }; answer: string };
  'secrets.set': { payload: { readonly name: string; readonly value: string }; answer: null };
  'secrets.remove': { payload: { readonly name: string }; answer: null };
}
