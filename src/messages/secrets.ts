/** Requests to the keyring. Left: as `src/ports/keyring.ts` has it. */
export interface SecretRequests {
  /** All names, sorted; none where there is no keyring. */
  'secrets.list': { payload: null; answer: readonly string[] };
  /** Left also: `forbidden`, unless the settings allow it. */
  'secrets.read': { payload: { readonly name: string }; answer: string };
  'secrets.set': { payload: { readonly name: string; readonly value: string }; answer: null };
  'secrets.remove': { payload: { readonly name: string }; answer: null };
}
