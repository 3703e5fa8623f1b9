import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import type {
  GenerationParams,
  GeneratorParams,
  SkippedEntry,
  StartupEntry,
  StartupList,
} from '../../domain/generator.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import { decode } from '../../schema/index.js';
import { invalid } from '../report.js';
import { locateIssues, parseYaml, type YamlSource } from '../yaml/source.js';
import { entryOfFile, isOutside, type StartupContext, withDefaults } from './entry.js';
import { generatorParamsShape } from './shape.js';

export { generatorParamsShape, startupEntryShape } from './shape.js';

/** Decodes generator parameters with the defaults of `generation`; paths resolve against `baseDirectory`. */
export const generatorParams = (
  partial: Json,
  generation: GenerationParams,
  baseDirectory: string,
): Result<GeneratorParams> =>
  E.bimap(
    (issues: readonly Issue[]) => invalid('', issues),
    (params: GeneratorParams): GeneratorParams => ({ ...params, path: resolve(baseDirectory, params.path) }),
  )(decode(generatorParamsShape, withDefaults(partial, generation)));

const readEntries = (source: YamlSource, values: readonly Json[], context: StartupContext): StartupList => {
  const { file } = source;
  const entries = new Map<string, { readonly entry: StartupEntry; readonly index: number }>();
  const rejected: SkippedEntry[] = [];
  const warnings: string[] = [];
  for (const [index, value] of values.entries()) {
    const written = isJsonObject(value) ? value : {};
    const id = typeof written['id'] === 'string' ? written['id'] : null;
    const autostart = written['autostart'] !== false;
    const reject = (issues: readonly Issue[]): void => {
      const located = issues.map((issue) => ({ ...issue, path: [index, ...issue.path] }));
      rejected.push({
        index,
        id,
        written: value,
        autostart,
        error: invalid(file, locateIssues(source, located)),
      });
    };
    const read = entryOfFile(value, context);
    if (E.isLeft(read)) {
      reject(read.left);
      continue;
    }
    const entry = read.right;
    const first = entries.get(entry.id);
    if (first !== undefined) {
      const message = `'${entry.id}' is already the id of entry ${first.index + 1}`;
      reject([{ path: ['id'], type: 'duplicate', message, hint: 'Give this entry another id.' }]);
      continue;
    }
    entries.set(entry.id, { entry, index });
    if (isOutside(context.generators_dir, entry.path)) {
      const { line } = source.locate([index, 'path']);
      warnings.push(`${file}:${line}: '${entry.id}' uses a config outside of the generators directory`);
    }
  }
  return { entries: [...entries.values()].map(({ entry }) => entry), rejected, warnings };
};

/** Returns the entries of a parsed file, or an error when it is not a list. An empty file is an empty list. */
export const startupOf = (source: YamlSource, context: StartupContext): Result<StartupList> => {
  const values = source.value ?? [];
  if (Array.isArray(values)) return E.right(readEntries(source, values as readonly Json[], context));
  const hint = 'Start each generator with "- id: ...".';
  const issue = { path: [], type: 'wrong_type', message: 'must be a list of generators', hint };
  return E.left(invalid(source.file, locateIssues(source, [issue])));
};

/** Reads a startup file; valid entries run beside `rejected` ones. Returns an error when it is no YAML list. */
export const loadStartup = (
  text: string,
  file: string,
  generation: GenerationParams,
  generatorsDir: string,
): Result<StartupList> =>
  E.flatMap((source: YamlSource) => startupOf(source, { generation, generators_dir: generatorsDir }))(
    parseYaml(text, file),
  );
