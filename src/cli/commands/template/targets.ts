import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../domain/errors.js';
import { filesAt, type NamedFile, YAML_FILE } from '../../files/namedFiles.js';

export interface Target extends NamedFile {
  readonly kind: 'config' | 'template';
}

const CONFIG_OR_TEMPLATE = /\.(?:ya?ml|jinja2?|j2)$/;

/** Configs and templates of a path. Left: nothing found. */
export const targetsAt = async (shown: string, cwd: string): Promise<Result<readonly Target[]>> =>
  E.map((files: readonly NamedFile[]) =>
    files.map((file): Target => ({ ...file, kind: YAML_FILE.test(file.path) ? 'config' : 'template' })),
  )(await filesAt(shown, cwd, CONFIG_OR_TEMPLATE));
