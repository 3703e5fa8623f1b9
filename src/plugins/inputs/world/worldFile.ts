import * as E from 'fp-ts/lib/Either.js';
import { parseDocument } from 'yaml';
import { Failed, failure, type Issue, type Result, reasonOf } from '../../../domain/errors.js';
import type { Json } from '../../../domain/json.js';
import { sentencesOf } from '../../../domain/text/shown.js';
import { showPath } from '../../../schema/index.js';
import type { WorldSpec } from '../../../world/spec.js';
import type { PluginContext } from '../../kit.js';
import { readInputFile } from '../../shared/inputFile.js';
import { readWorld } from './worldShape.js';

const MAX_WORLD_BYTES = 1024 * 1024;
const MAX_ALIASES = 100;

const refused = (file: string, why: string) => failure('plugin_failed', `${file}: ${why}`, { file });

const sentenceOf = ({ path, ...what }: Issue): string =>
  path.length === 0 ? sentencesOf(what) : `${showPath(path)} ${sentencesOf(what)}`;

/** Throws for a text that is no YAML, or with more aliases than anybody writes. */
const parsedYaml = (text: string): Json => {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
};

const parseWorld = (text: string, file: string): Result<WorldSpec> =>
  E.flatMap((value: Json) =>
    E.mapLeft((issues: readonly Issue[]) => refused(file, issues.map(sentenceOf).join(' ')))(
      readWorld(value),
    ),
  )(
    E.tryCatch(
      () => parsedYaml(text),
      (thrown) => {
        const [first = ''] = reasonOf(thrown).split('\n');
        return refused(file, `the file is not YAML: ${first.replace(/:$/, '')}. See spate validate.`);
      },
    ),
  );

/**
 * Reads the file of a world on the thread of its generator. `file` is absolute. Returns an error when it cannot be read
 * or is no world; `spate validate` adds line and column to what is told here.
 */
export const readWorldFile = async (
  file: string,
  { clock }: Pick<PluginContext, 'clock'>,
): Promise<Result<WorldSpec>> => {
  try {
    const bytes = await readInputFile(file, clock, MAX_WORLD_BYTES);
    return bytes === null
      ? E.left(refused(file, `is larger than ${MAX_WORLD_BYTES} bytes, so it is no world.`))
      : parseWorld(bytes.toString('utf8'), file);
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    return E.left(refused(file, `cannot be read: ${reasonOf(thrown)}`));
  }
};
