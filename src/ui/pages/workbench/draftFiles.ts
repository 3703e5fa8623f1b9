import { isJsonObject, type Json } from '../../../domain/json.js';
import { MAX_LONG_TEXT_LENGTH } from '../../../schema/index.js';
import type { FileDraft } from './drafts.js';

/** Characters of all texts of a request. */
const MAX_LENGTH = 1_000_000;
const MAX_FILES = 100;

export interface DraftFiles {
  /** Texts that a preview takes in the place of files. */
  readonly files: Readonly<Record<string, string>>;
  /** Files whose saved text it takes. */
  readonly unseen: readonly string[];
}

/** Unsaved texts for the preview of an event plugin. `replay` reads logs, from their files. */
export const draftFiles = (
  drafts: ReadonlyMap<string, Pick<FileDraft, 'text'>>,
  configPath: string,
  event: Json | null,
): DraftFiles => {
  const files: [path: string, text: string][] = [];
  const unseen: string[] = [];
  const isReplay = isJsonObject(event) && event['replay'] !== undefined;
  let room = MAX_LENGTH;
  for (const [path, { text }] of [...drafts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (path === configPath) continue;
    const fits = text.length <= Math.min(room, MAX_LONG_TEXT_LENGTH) && files.length < MAX_FILES;
    if (isReplay || !fits) unseen.push(path);
    else {
      files.push([path, text]);
      room -= text.length;
    }
  }
  return { files: Object.fromEntries(files), unseen };
};
