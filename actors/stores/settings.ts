import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { failure, type Result, type SpateError } from '../../src/domain/errors.js';
import { allowsChange, etagOf } from '../../src/domain/etag.js';
import type { Json } from '../../src/domain/json.js';
import type { SettingsRequests } from '../../src/messages/instance.js';
import type { Request } from '../../src/messages/request.js';
import type { Files } from '../../src/ports/files.js';
import { storeLogic } from './store.js';

const MAX_SETTINGS_BYTES = 1024 * 1024;

interface SettingsOptions {
  readonly files: Files;
  readonly file: string;
  /** With all defaults, secrets masked. */
  readonly inForce: () => Json;
  /** The settings of a file, in the same form. */
  readonly stored: (text: string, file: string) => Promise<Result<Json>>;
  /** Preserves comments. */
  readonly update: (text: string, settings: Json, file: string) => Result<string> | Promise<Result<string>>;
}

const unusable = (error: SpateError): SpateError =>
  failure('unreadable', `the settings file cannot be used: ${error.message}`);

/** Single writer of the settings file. A change takes effect at the next start or reload. */
export const settingsLogic = (options: SettingsOptions) => {
  const readText = () => options.files.readText(options.file, MAX_SETTINGS_BYTES);

  const read = (isStored: boolean) =>
    pipe(
      readText,
      TE.chain((text) =>
        pipe(
          isStored
            ? pipe(() => options.stored(text, options.file), TE.mapLeft(unusable))
            : TE.right(options.inForce()),
          TE.map((settings) => ({ settings, etag: etagOf(text) })),
        ),
      ),
    );

  const write = (settings: Json, if_match: string | null) =>
    pipe(
      readText,
      TE.filterOrElse(
        (text) => allowsChange(if_match, etagOf(text)),
        () => failure('precondition_failed', 'the settings file has changed: read it again'),
      ),
      TE.chain((text) => async () => options.update(text, settings, options.file)),
      TE.chainFirst((next) => () => options.files.replaceText(options.file, next)),
      TE.map((next) => ({ etag: etagOf(next) })),
    );
  const handle = async (request: Request<SettingsRequests>): Promise<void> => {
    switch (request.type) {
      case 'settings.read':
        return request.reply(await read(request.payload.stored)());
      case 'settings.write':
        return request.reply(await write(request.payload.settings, request.payload.if_match)());
    }
  };
  return storeLogic(handle, (request) =>
    request.type === 'settings.read' ? handle(request).then(() => true) : null,
  );
};
