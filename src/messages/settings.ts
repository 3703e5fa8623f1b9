import type { Json } from '../domain/json.js';

/** Requests to the single writer of the settings file. */
export interface SettingsRequests {
  /** The settings in force, every default filled in, secrets masked. */
  'settings.read': { payload: null; answer: { readonly settings: Json; readonly etag: string } };
  /** Replaces the file; changes nothing that runs. */
  'settings.write': {
    payload: { readonly settings: Json; readonly if_match: string | null };
    answer: { readonly etag: string };
  };
}
