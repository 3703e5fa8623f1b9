import type { Json } from '../domain/json.js';
import type { MachineInfo } from '../domain/stats/machine.js';

export interface InstanceInfo extends MachineInfo {
  readonly app_version: string;
}

export interface InstanceRequests {
  'instance.health': {
    payload: null;
    answer: { readonly status: 'ok' | 'starting' | 'stopping'; readonly uptime_seconds: number };
  };
  'instance.info': { payload: null; answer: InstanceInfo };
  /** Like SIGTERM; answered first. */
  'instance.stop': { payload: null; answer: null };
  /** Does what SIGHUP does. Returns an error when settings or startup list are invalid. */
  'instance.restart': { payload: null; answer: null };
}

/** A file that names a secret. */
export interface SecretReference {
  readonly kind: 'generator' | 'destination' | 'startup' | 'settings';
  /** The config of a generator relative to the generators directory, a destination as the name of its file, the others absolute. */
  readonly file: string;
}

/** Requests to the keyring. For errors see `src/ports/keyring.ts`. */
export interface SecretRequests {
  /** Sorted; empty without a keyring. */
  'secrets.list': { payload: null; answer: readonly string[] };
  /** Returns the error `forbidden` unless the settings allow it. */
  'secrets.read': { payload: { readonly name: string }; answer: string };
  'secrets.set': { payload: { readonly name: string; readonly value: string }; answer: null };
  'secrets.remove': { payload: { readonly name: string }; answer: null };
  /** Returns the error `wrong_state` while files use the former name, unless `force` is set. */
  'secrets.rename': {
    payload: { readonly name: string; readonly to: string; readonly force: boolean };
    answer: null;
  };
  /** Files that name the secret, which need not exist: the settings, the startup list, then generators by path. */
  'secrets.references': { payload: { readonly name: string }; answer: readonly SecretReference[] };
}

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
