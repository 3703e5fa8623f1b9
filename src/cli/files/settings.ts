import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { loadSettings, MAX_SETTINGS_BYTES, type Settings } from '../../config/settings/settings.js';
import type { Result } from '../../domain/errors.js';

/** Reads and checks a settings file; `file` is absolute. */
export const readSettingsFile = async (file: string): Promise<Result<Settings>> => {
  const text = await nodeFiles.readText(file, MAX_SETTINGS_BYTES);
  return E.isLeft(text) ? text : loadSettings(text.right, file);
};
