import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../src/domain/errors.js';
import type { Request } from '../src/messages/request.js';
import type { StartupList, StartupRequests } from '../src/messages/startup.js';
import type { Files } from '../src/ports/files.js';
import { keeper } from './keeper.js';

/** Largest startup file that is read. */
const MAX_STARTUP_BYTES = 1024 * 1024;

export interface StartupOptions {
  readonly files: Files;
  readonly file: string;
  /** Reads the text of the file; entries that cannot be used are in the list of rejected ones. */
  readonly parse: (text: string, file: string) => E.Either<SpateError, StartupList>;
}

/** Keeper of the startup file: whatever reads or edits the list does it here, one at a time. */
export const startupLogic = ({ files, file, parse }: StartupOptions) => {
  const list = async (): Promise<E.Either<SpateError, StartupList>> => {
    const text = await files.readText(file, MAX_STARTUP_BYTES);
    return E.isLeft(text) ? text : parse(text.right, file);
  };
  return keeper<Request<StartupRequests>>(async (request) => {
    request.reply(await list());
  });
};
