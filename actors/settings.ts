import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../src/domain/errors.js';
import type { Json } from '../src/domain/json.js';
import type { Request } from '../src/messages/request.js';
import type { SettingsRequests } from '../src/messages/settings.js';
import type { Files } from '../src/ports/files.js';
import { keeper } from './keeper.js';

/** Largest settings file that is read. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

export interface SettingsOptions {
  readonly files: Files;
  readonly file: string;
  /** The settings in force as the API shows them: defaults filled in, secrets masked. */
  readonly inForce: Json;
  /** New text of the file for posted settings; comments are kept. */
  readonly update: (text: string, settings: Json, file: string) => E.Either<SpateError, string>;
}

/** Keeper of the settings file, its single writer. A change takes effect at the next start. */
export const settingsLogic = (options: SettingsOptions) => {
  const write = async (settings: Json): Promise<E.Either<SpateError, null>> => {
    const text = await options.files.readText(options.file, MAX_SETTINGS_BYTES);
    if (E.isLeft(text)) return text;
    const next = options.update(text.right, settings, options.file);
    if (E.isLeft(next)) return next;
    const written = await options.files.replaceText(options.file, next.right);
    return E.isLeft(written) ? written : E.right(null);
  };
  return keeper<Request<SettingsRequests>>(async (request) => {
    switch (request.type) {
      case 'settings.read':
        return request.reply(E.right(options.inForce));
      case 'settings.write':
        return request.reply(await write(request.payload.settings));
    }
  });
};
