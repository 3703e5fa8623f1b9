import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { choiceIssue, choicesOf } from '../../config/generator/given.js';
import { isJsonObject, type JsonObject } from '../../domain/json.js';
import type { Io, Services } from '../terminal/io.js';

const EXAMPLE = `such as '{"name": "value"}', or a file with it`;

const objectOf = (text: string, what: string): E.Either<string, JsonObject> => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value)
      ? E.right(value as JsonObject)
      : E.left(`${what} must be a JSON object ${EXAMPLE}`);
  } catch {
    return E.left(`${what} must be a JSON object ${EXAMPLE}`);
  }
};

interface Reader {
  readonly io: Pick<Io, 'cwd' | 'stderr'>;
  readonly engine: Pick<Awaited<ReturnType<Services['sample']>>, 'unreadGlobals'>;
}

/**
 * Reads `--globals` for the generator of a config file. Warns of names that it does not read. Fails when the option is
 * wrong, or a value is none that the generator has.
 */
export const globalsFor = async (
  given: string | undefined,
  config: string,
  { io, engine }: Reader,
): Promise<E.Either<string, JsonObject>> => {
  if (given === undefined) return E.right({});
  const file = resolve(io.cwd, given);
  const isFile = !given.trimStart().startsWith('{') && existsSync(file);
  const text = isFile ? await nodeFiles.readText(file, MAX_CONFIG_BYTES) : E.right(given);
  if (E.isLeft(text)) return E.left(text.left.message);
  const globals = objectOf(text.right, isFile ? given : '--globals');
  if (E.isLeft(globals)) return globals;
  const names = Object.keys(globals.right);
  const choices = await choicesOf({ path: config, config: null, readText: nodeFiles.readText });
  for (const name of names) {
    const issue = choiceIssue(name, globals.right[name] ?? null, choices);
    if (issue !== null)
      return E.left(
        `--globals: ${JSON.stringify(globals.right[name])} ${issue.message}. ${issue.hint ?? ''}`,
      );
  }
  const { unread, known } = await engine.unreadGlobals(names, [config]);
  for (const [name, { isCertain, hint }] of unread) {
    const verb = isCertain ? 'read' : 'mention';
    const help = hint ?? (isCertain && known.length > 0 ? `It reads ${known.join(', ')}.` : '');
    io.stderr.write(`${`spate: this generator does not ${verb} the global '${name}'. ${help}`.trimEnd()}\n`);
  }
  return globals;
};
