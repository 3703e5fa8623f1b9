import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { DEFAULT_GENERATION } from '../../config/settings/generationFields.js';
import { generatorParams } from '../../config/startup/startup.js';
import { failure, type Result } from '../../domain/errors.js';
import { filesOf, type GeneratorFiles } from '../../learn/emit/files.js';
import type { Learned } from '../../learn/learn.js';
import { type Compared, compareGenerated } from './compareGenerated.js';

/** The generator is compared in memory: nothing is read from or written to this folder. */
const FOLDER = '/learned';

interface GeneratorOptions {
  readonly name: string;
  readonly seed: string;
  /** Name of the config file. */
  readonly config_file: string;
  /** Time zone of the generated events. */
  readonly timezone: string;
}

export interface LearnedGenerator extends Compared {
  readonly files: GeneratorFiles;
}

/** Returns the files of a learned generator, compared with its log, or an error when the generator cannot run. */
export const generatorOf = async (
  learned: Learned,
  { name, seed, config_file, timezone }: GeneratorOptions,
): Promise<Result<LearnedGenerator>> => {
  const { model } = learned;
  const path = join(FOLDER, config_file);
  const params = generatorParams({ id: 'learned', path, seed, timezone }, DEFAULT_GENERATION, FOLDER);
  if (E.isLeft(params)) return params;
  const tried = filesOf(name, model, { config_file, comparison: null });
  const texts = new Map([...tried].map(([file, text]) => [join(FOLDER, file), text]));
  const compared = await compareGenerated(learned, {
    params: params.right,
    keyring: null,
    texts,
    has_same_key: true,
  });
  if (E.isLeft(compared)) return compared;
  const { comparison, events } = compared.right;
  if (comparison.failed > 0 && comparison.events === 0)
    return E.left(failure('bug', 'the learned generator makes no event. Please report the log format.'));
  return E.right({ comparison, events, files: filesOf(name, model, { config_file, comparison }) });
};
