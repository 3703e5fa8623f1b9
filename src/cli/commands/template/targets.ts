import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../domain/errors.js';
import { filesAt, type NamedFile, YAML_FILE } from '../../files/namedFiles.js';

/** A file to check: a generator config, or a template. */
export interface Target extends NamedFile {
  readonly kind: 'config' | 'template';
}

const CONFIG_OR_TEMPLATE = /\.(?:ya?ml|jinja2?|j2)$/;

/** The configs and templates that a path of the command line means. Left: nothing is there. */
export const targetsAt = async (shown: string, cwd: string): Promise<Result<readonly Target[]>> =>
  E.map((files: readonly NamedFile[]) =>
    files.map((file): Target => ({ ...file, kind: YAML_FILE.test(file.path) ? 'config' : 'template' })),
  )(await filesAt(shown, cwd, CONFIG_OR_TEMPLATE));
