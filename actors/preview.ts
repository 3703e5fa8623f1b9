import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../src/domain/errors.js';
import type { PreviewHost } from '../src/host/previewHost.js';
import type { PreviewRequests } from '../src/messages/preview.js';
import type { Request } from '../src/messages/request.js';
import type { GeneratorDirectories } from '../src/ports/files.js';
import { keeper } from './keeper.js';

export interface PreviewOptions {
  readonly directories: GeneratorDirectories;
  readonly host: PreviewHost;
}

async function* inOrder(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Previews, one at a time, on a thread of their own. */
export const previewLogic = ({ directories, host }: PreviewOptions) => {
  const timestamps = async (
    payload: PreviewRequests['preview.timestamps']['payload'],
  ): Promise<E.Either<SpateError, AsyncIterable<Uint8Array>>> => {
    const { name, ...job } = payload;
    const config = await directories.readConfig(name);
    if (E.isLeft(config)) return config;
    const path = directories.configPath(name);
    const answer = await host({ ...job, directory: path.slice(0, path.lastIndexOf('/')) });
    return E.isLeft(answer) ? answer : E.right(inOrder(answer.right));
  };
  return keeper<Request<PreviewRequests>>(async (request) => {
    request.reply(await timestamps(request.payload));
  });
};
