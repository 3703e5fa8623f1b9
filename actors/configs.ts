import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../src/domain/errors.js';
import type { Json } from '../src/domain/json.js';
import type { ConfigRequests } from '../src/messages/configs.js';
import type { Request } from '../src/messages/request.js';
import type { GeneratorDirectories } from '../src/ports/files.js';
import { keeper } from './keeper.js';

/** How configs are turned into text and back; pure, from `src/config`. */
export interface ConfigCodec {
  readonly readBack: (text: string, file: string) => E.Either<SpateError, Json>;
  readonly create: (config: Json) => string;
  readonly update: (text: string, config: Json, file: string) => E.Either<SpateError, string>;
}

export interface ConfigsOptions {
  readonly directories: GeneratorDirectories;
  readonly codec: ConfigCodec;
  /** Ids of the generators whose config lies in the directory. */
  readonly generatorIdsOf: (name: string) => Promise<readonly string[]>;
}

/** Keeper of the generators directory: the single writer of generator configs. */
export const configsLogic = (options: ConfigsOptions) => {
  const { directories, codec } = options;

  const list = async (isExtended: boolean) => {
    const names = await directories.list();
    if (E.isLeft(names)) return names;
    if (!isExtended) return E.right(names.right.map((name) => ({ name })));
    const infos = [];
    for (const name of names.right) {
      const info = await directories.info(name);
      // One that was deleted since it was listed is left out.
      if (E.isRight(info)) infos.push({ ...info.right, generator_ids: await options.generatorIdsOf(name) });
    }
    return E.right(infos);
  };

  const read = async (name: string): Promise<E.Either<SpateError, Json>> => {
    const text = await directories.readConfig(name);
    return E.isLeft(text) ? text : codec.readBack(text.right, directories.configPath(name));
  };

  const update = async (name: string, config: Json): Promise<E.Either<SpateError, null>> => {
    const text = await directories.readConfig(name);
    if (E.isLeft(text)) return text;
    const next = codec.update(text.right, config, directories.configPath(name));
    return E.isLeft(next) ? next : done(await directories.writeConfig(name, next.right, 'update'));
  };

  return keeper<Request<ConfigRequests>>(async (request) => {
    switch (request.type) {
      case 'configs.list':
        return request.reply(await list(request.payload.extended));
      case 'configs.read':
        return request.reply(await read(request.payload.name));
      case 'configs.create': {
        const text = codec.create(request.payload.config);
        return request.reply(done(await directories.writeConfig(request.payload.name, text, 'create')));
      }
      case 'configs.update':
        return request.reply(await update(request.payload.name, request.payload.config));
      case 'configs.tree':
        return request.reply(await directories.tree(request.payload.name));
      case 'configs.export':
        return request.reply(await directories.archive(request.payload.name, request.payload.exclude));
    }
  });
};

const done = (written: E.Either<SpateError, void>): E.Either<SpateError, null> =>
  E.isLeft(written) ? written : E.right(null);
