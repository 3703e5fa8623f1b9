import type { Json } from '../domain/json.js';

/** Requests to the single writer of the settings file. */
export interface SettingsRequests {
  /** The settings in force, or `stored`: those of the file; with defaults, secrets masked. */
  'settings.read': {
    payload: { readonly stored: boolean };
    answer: { readonly settings: Json; readonly etag: string };
  };
  /** Replaces the file; what runs is unchanged. */
  'settings.write': {
    payload: { readonly settings: Json; readonly if_match: string | null };
    answer: { readonly etag: string };
  };
}
