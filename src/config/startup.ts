import { isAbsolute, relative, resolve, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Issue, SpateError } from '../domain/errors.js';
import type { GenerationParams, GeneratorParams, StartupEntry } from '../domain/generator.js';
import { checkGeneratorId, checkScenarioName } from '../domain/identifiers.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import {
  boolean,
  decode,
  defaulted,
  expandDotted,
  freeObject,
  listOf,
  optional,
  path,
  record,
  required,
  type Shape,
  text,
} from '../schema/index.js';
import { scalar } from '../schema/reader.js';
import { encodeGeneration, generationFields } from './generationFields.js';
import { invalid } from './report.js';
import { parseYaml, placeIssues, type YamlSource } from './yamlSource.js';

/** Longest seed, in characters. */
const MAX_SEED_LENGTH = 256;

/** A seed is text; a whole number is taken for its digits, because people write `seed: 42`. */
const seed: Shape<string> = scalar(
  `text or integer of 1..${MAX_SEED_LENGTH} characters`,
  { type: ['string', 'integer'] },
  (value): value is string => typeof value === 'string',
  (value) => {
    const written = Number.isSafeInteger(value) ? String(value) : value;
    if (typeof written !== 'string')
      return E.left({ type: 'wrong_type', message: 'must be text or an integer' });
    return written === '' || written.length > MAX_SEED_LENGTH
      ? E.left({ type: 'out_of_range', message: `must have 1..${MAX_SEED_LENGTH} characters` })
      : E.right(written);
  },
);

const generatorFields = {
  id: required(text({ label: 'generator id', check: checkGeneratorId }), {
    help: 'Name in the API, in logs and of the folder of state; one per instance.',
  }),
  path: required(path(), { help: 'Config file, relative to the generators directory.' }),
  live_mode: defaulted(boolean(), true, { help: 'Deliver events at their time instead of at once.' }),
  skip_past: defaulted(boolean(), true, { help: 'In live mode leave out what was due before the start.' }),
  params: defaulted(freeObject(), {}, { help: 'Values of the placeholders ${params.name}.' }),
  seed: optional(seed, { help: 'Makes every run the same; none: each start draws one.' }),
  ...generationFields,
} as const;

/** What a generator is made from, as the API and the command line give it. */
export const generatorParamsShape = record(generatorFields);

/** One entry of the startup file. */
export const startupEntryShape = record({
  ...generatorFields,
  autostart: defaulted(boolean(), true, { help: 'Start with the instance; false only registers it.' }),
  scenarios: defaulted(listOf(text({ label: 'scenario name', check: checkScenarioName })), [], {
    help: 'Scenarios it belongs to; the first is its home, whose state it may change.',
  }),
});

/**
 * Lays defaults under an object key by key, nested ones too. `null` means not given, except in `batch`,
 * where it means no limit.
 */
const layUnder = (defaults: JsonObject, over: JsonObject, isNullGiven: boolean): JsonObject => {
  const entries = new Map<string, Json>(Object.entries(over));
  for (const [key, fallback] of Object.entries(defaults)) {
    const given = entries.get(key);
    if (given === undefined || (given === null && !isNullGiven)) entries.set(key, fallback);
    else if (isJsonObject(given) && isJsonObject(fallback)) {
      entries.set(key, layUnder(fallback, given, key === 'batch'));
    }
  }
  return Object.fromEntries(entries);
};

const withDefaults = (value: Json, generation: GenerationParams): Json => {
  const defaults = encodeGeneration(generation);
  return isJsonObject(value) && isJsonObject(defaults) ? layUnder(defaults, value, false) : value;
};

/**
 * Parameters of one generator from what the API or the command line gives; the values of `generation`
 * stand in for those that are missing. A relative `path` resolves against `baseDirectory`.
 */
export const generatorParams = (
  partial: Json,
  generation: GenerationParams,
  baseDirectory: string,
): E.Either<SpateError, GeneratorParams> =>
  E.bimap(
    (issues: readonly Issue[]) => invalid('', issues),
    (params: GeneratorParams): GeneratorParams => ({ ...params, path: resolve(baseDirectory, params.path) }),
  )(decode(generatorParamsShape, withDefaults(partial, generation)));

/** An entry that cannot be used; the others run. */
export interface RejectedEntry {
  /** Position in the file, from 0. */
  readonly index: number;
  /** The id as written, if it is a text. */
  readonly id: string | null;
  readonly error: SpateError;
}

export interface StartupList {
  readonly entries: readonly StartupEntry[];
  readonly rejected: readonly RejectedEntry[];
  readonly warnings: readonly string[];
}

const isOutside = (folder: string, file: string): boolean => {
  const way = relative(folder, file);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
};

const readEntry = (
  value: Json,
  generation: GenerationParams,
  generatorsDir: string,
): E.Either<readonly Issue[], StartupEntry> =>
  E.flatMap((expanded: Json) =>
    E.map(
      (entry: StartupEntry): StartupEntry => ({
        ...entry,
        path: resolve(generatorsDir, entry.path),
        scenarios: [...new Set(entry.scenarios)],
      }),
    )(decode(startupEntryShape, withDefaults(expanded, generation))),
  )(expandDotted(value, startupEntryShape));

const readEntries = (
  source: YamlSource,
  values: readonly Json[],
  generation: GenerationParams,
  generatorsDir: string,
): StartupList => {
  const { file } = source;
  const entries = new Map<string, { readonly entry: StartupEntry; readonly index: number }>();
  const rejected: RejectedEntry[] = [];
  const warnings: string[] = [];
  for (const [index, value] of values.entries()) {
    const written = isJsonObject(value) ? value['id'] : null;
    const id = typeof written === 'string' ? written : null;
    const reject = (issues: readonly Issue[]): void => {
      const placed = issues.map((issue) => ({ ...issue, path: [index, ...issue.path] }));
      rejected.push({ index, id, error: invalid(file, placeIssues(source, placed)) });
    };
    const read = readEntry(value, generation, generatorsDir);
    if (E.isLeft(read)) {
      reject(read.left);
      continue;
    }
    const entry = read.right;
    const first = entries.get(entry.id);
    if (first !== undefined) {
      const message = `'${entry.id}' is the id of entry ${first.index + 1} already`;
      reject([{ path: ['id'], type: 'duplicate', message, hint: 'Give this entry another id.' }]);
      continue;
    }
    entries.set(entry.id, { entry, index });
    if (isOutside(generatorsDir, entry.path)) {
      const { line } = source.locate([index, 'path']);
      warnings.push(`${file}:${line}: '${entry.id}' runs a config outside of the generators directory`);
    }
  }
  return { entries: [...entries.values()].map(({ entry }) => entry), rejected, warnings };
};

/**
 * The generators that a startup file lists. One bad entry does not keep the others from running: it is
 * in `rejected` with its problems, as is each later entry with an id that is taken. Left: the file is
 * no YAML list. An empty file lists nothing.
 */
export const loadStartup = (
  text: string,
  file: string,
  generation: GenerationParams,
  generatorsDir: string,
): E.Either<SpateError, StartupList> =>
  E.flatMap((source: YamlSource): E.Either<SpateError, StartupList> => {
    const values = source.value ?? [];
    if (Array.isArray(values)) {
      return E.right(readEntries(source, values as readonly Json[], generation, generatorsDir));
    }
    const hint = 'Begin each generator with "- id: ...".';
    const issue = { path: [], type: 'wrong_type', message: 'must be a list of generators', hint };
    return E.left(invalid(file, placeIssues(source, [issue])));
  })(parseYaml(text, file));
