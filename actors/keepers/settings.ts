import * as E from 'fp-ts/lib/Either.js';
import { allowsChange, etagOf } from '../../src/domain/directories/etag.js';
import { failure, type Result } from '../../src/domain/errors.js';
import type { Json } from '../../src/domain/json.js';
import type { Request } from '../../src/messages/request.js';
import type { SettingsRequests } from '../../src/messages/settings.js';
import type { Files } from '../../src/ports/files.js';
import { keeper } from './keeper.js';

const MAX_SETTINGS_BYTES = 1024 * 1024;

interface SettingsOptions {
  readonly files: Files;
  readonly file: string;
  /** With all defaults, secrets masked. */
  readonly inForce: () => Json;
  /** Preserves comments. */
  readonly update: (text: string, settings: Json, file: string) => Result<string> | Promise<Result<string>>;
}

/** Single writer of the settings file. A change takes effect at the next start or reload. */
export const settingsLogic = (options: SettingsOptions) => {
  const readText = () => options.files.readText(options.file, MAX_SETTINGS_BYTES);

  const read = async (): Promise<Result<{ readonly settings: Json; readonly etag: string }>> =>
    E.map((text: string) => ({ settings: options.inForce(), etag: etagOf(text) }))(await readText());

  const write = async (
    settings: Json,
    if_match: string | null,
  ): Promise<Result<{ readonly etag: string }>> => {
    const text = await readText();
    if (E.isLeft(text)) return text;
    if (!allowsChange(if_match, etagOf(text.right))) {
      return E.left(failure('precondition_failed', 'the settings file has changed: read it again'));
    }
    const next = await options.update(text.right, settings, options.file);
    if (E.isLeft(next)) return next;
    const written = await options.files.replaceText(options.file, next.right);
    return E.isLeft(written) ? written : E.right({ etag: etagOf(next.right) });
  };
  const handle = async (request: Request<SettingsRequests>): Promise<void> => {
    switch (request.type) {
      case 'settings.read':
        return request.reply(await read());
      case 'settings.write':
        return request.reply(await write(request.payload.settings, request.payload.if_match));
    }
  };
  return keeper(handle, (request) =>
    request.type === 'settings.read' ? handle(request).then(() => true) : null,
  );
};
