import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';

/** The settings as this browser has stored them last, secrets masked. */
export interface Saved {
  /** Of the file after the save. */
  readonly etag: string;
  readonly value: JsonObject;
}

export const savedOf = (text: string | null): Saved | null => {
  if (text === null) return null;
  try {
    const { etag, value } = JSON.parse(text) as { readonly [key: string]: Json };
    return typeof etag === 'string' && isJsonObject(value) ? { etag, value } : null;
  } catch {
    return null;
  }
};

/**
 * What the file holds: the service answers with the settings in use, so what was saved after its start is known
 * only from the save, by the entity tag of the file.
 */
export const inFile = (inUse: JsonObject, etag: string, saved: Saved | null): JsonObject =>
  saved !== null && saved.etag === etag ? saved.value : inUse;
