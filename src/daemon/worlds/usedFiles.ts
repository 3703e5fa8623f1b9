import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AskActor } from '../../../actors/ask.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import type { Json } from '../../domain/json.js';
import { configReader } from '../texts.js';

/** Configs that are read at a time. */
const AT_ONCE = 16;

/**
 * Ids of the registered generators, sorted, by what their configs name. `hint` is in each text that names something: YAML
 * of others is not read, which is slow. `namesIn` gets a config with placeholders as they are written.
 */
export const generatorsBy = async (
  { generators_dir, ask }: { readonly generators_dir: string; readonly ask: AskActor },
  hint: RegExp,
  namesIn: (config: Json, file: string) => Iterable<string>,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const listed = await ask('generators.list', null);
  const byPath = new Map<string, string[]>();
  for (const { id, path } of E.isRight(listed) ? listed.right : []) {
    const file = resolve(generators_dir, path);
    byPath.set(file, [...(byPath.get(file) ?? []), id]);
  }
  const found = new Map<string, string[]>();
  const note = async ([file, ids]: readonly [string, readonly string[]]): Promise<void> => {
    const text = await nodeFiles.readText(file, MAX_CONFIG_BYTES);
    if (E.isLeft(text) || !hint.test(text.right)) return;
    const config = await configReader.value(text.right, file);
    const names = new Set(E.isRight(config) ? namesIn(config.right, file) : []);
    for (const name of names) found.set(name, [...(found.get(name) ?? []), ...ids]);
  };
  const all = [...byPath];
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(all.slice(from, from + AT_ONCE).map(note));
  return new Map([...found].map(([name, ids]) => [name, ids.sort()]));
};
