import type { SpateError } from '../domain/errors.js';
import type { StartupEntry } from '../domain/generator.js';

/** The startup list: entries that can be used, and those that cannot, each with its reason. */
export interface StartupList {
  readonly entries: readonly StartupEntry[];
  readonly rejected: readonly { readonly id: string | null; readonly error: SpateError }[];
  readonly warnings: readonly string[];
}

/** Requests to the single writer of the startup file. */
export interface StartupRequests {
  'startup.list': { payload: null; answer: StartupList };
}
