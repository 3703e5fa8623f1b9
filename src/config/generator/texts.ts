import * as E from 'fp-ts/lib/Either.js';
import { checkFilePath } from '../../domain/directory.js';
import { failure, type Issue, type Result } from '../../domain/errors.js';
import { notJson } from '../../domain/json.js';
import { type AnyShape, decode, mapOf, record, required, text } from '../../schema/index.js';
import { checkGeneratorText, MAX_CONFIG_BYTES } from './config.js';

/** Bytes of the JSON of a generator with all its texts, as `MAX_IMPORT_BYTES` of the contract. */
export const MAX_TEXTS_BYTES = 33_554_432;
export const MAX_FILES = 1_000;

/** A text file of a generator; `path` is relative. */
export interface GeneratorText {
  readonly path: string;
  readonly text: string;
}

const textsShape = record({
  config: required(text({ maxLength: MAX_CONFIG_BYTES }), { help: 'Text of the config file.' }),
  files: required(mapOf(text({ maxLength: MAX_TEXTS_BYTES }), { max: MAX_FILES }), {
    help: 'Texts of the other files, by path in the directory.',
  }),
});

const issue = (path: Issue['path'], type: string, message: string): Issue => ({ path, type, message });

/** Each path must be valid, and no file may be a folder of another one. */
const pathIssues = (paths: readonly string[], config_file: string): readonly Issue[] => {
  const files = new Set([config_file, ...paths]);
  return paths.flatMap((path) => {
    const flaw = checkFilePath(path);
    if (flaw !== null) return [issue(['files', path], flaw.type, `as a path ${flaw.message}`)];
    if (path === config_file)
      return [issue(['files', path], 'not_allowed', 'is the config file: send it as `config`')];
    const parts = path.split('/');
    const above = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
    return above.some((folder) => files.has(folder))
      ? [issue(['files', path], 'not_allowed', 'lies in a folder that is also the path of a file')]
      : [];
  });
};

const invalid = (issues: readonly Issue[]): Result<never> =>
  E.left(failure('invalid', 'the files of the generator are invalid', { issues }));

const parsed = (json: string): Result<unknown> => {
  try {
    return E.right(JSON.parse(json));
  } catch {
    return invalid([issue([], 'bad_format', notJson(json))]);
  }
};

/** Reads `{config, files}`, the JSON of a whole generator, and checks the config. Returns the config file first. */
export const readGeneratorTexts = (
  json: string,
  config_file: string,
  shape: AnyShape,
): Result<readonly GeneratorText[]> => {
  const body = parsed(json);
  if (E.isLeft(body)) return body;
  const decoded = decode(textsShape, body.right);
  if (E.isLeft(decoded)) return invalid(decoded.left);
  const { config, files } = decoded.right;
  const flaws = pathIssues(Object.keys(files), config_file);
  if (flaws.length > 0) return invalid(flaws);
  const checked = checkGeneratorText(config, config_file, shape);
  if (E.isLeft(checked)) {
    const found = checked.left.issues ?? [issue([], checked.left.code, checked.left.message)];
    return invalid(found.map((one) => ({ ...one, path: ['config', ...one.path] })));
  }
  const others = Object.entries(files).map(([path, written]): GeneratorText => ({ path, text: written }));
  return E.right([{ path: config_file, text: config }, ...others]);
};
