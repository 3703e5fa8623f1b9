import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result, SpateError } from '../../domain/errors.js';
import { checkDestinationName } from '../../domain/identifiers.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { Files, Secrets } from '../../ports/files.js';
import { type AnyShape, decodeStored } from '../../schema/index.js';
import { invalid } from '../report.js';
import { checkStored, type Expanded, readDocument } from '../yaml/document.js';
import { NO_SECRETS, substitute } from './substitute.js';

/** Bytes of the file of a destination. */
export const MAX_DESTINATION_BYTES = 262_144;

/** The key of an output that stands for a destination. */
const USE = 'use';

const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * The file of a destination for a generator, whose config is in a folder of the generators directory: the folder beside that
 * one is `path.destinations` of settings.
 */
const fileFor = (config: string, name: string): string =>
  `${above(above(above(config)))}/destinations/${name}.yml`;

/** Shape of one output of a config with this shape. */
export const outputShapeIn = (generator: AnyShape): AnyShape =>
  generator.child?.({}, 'output')?.child?.([], 0) as AnyShape;

/** The text of a destination as one output, dotted keys expanded. Returns an error when it is not valid as such. */
export const readDestination = (text: string, file: string, output: AnyShape): Result<JsonObject> =>
  E.flatMap((document: Expanded): Result<JsonObject> => {
    const checked = checkStored(document, output);
    if (E.isLeft(checked)) return checked;
    const value = document.value as JsonObject;
    if (!Object.hasOwn(value, USE)) return E.right(value);
    const message = 'must be an output: a destination cannot use another one';
    return E.left(invalid(file, [{ path: [USE], type: 'not_allowed', message }]));
  })(readDocument(text, file, output));

/** An output that uses a destination. */
interface Use {
  readonly index: number;
  readonly name: string;
  /** Parameters that replace those of the destination. */
  readonly changes: JsonObject;
  /** As it is written. */
  readonly output: JsonObject;
}

const useIn = (output: Json, index: number): readonly Use[] => {
  if (!isJsonObject(output) || !Object.hasOwn(output, USE)) return [];
  const use = output[USE] ?? null;
  const { name, with: changes } = isJsonObject(use) ? use : { name: use, with: null };
  return [{ index, name: String(name), changes: isJsonObject(changes) ? changes : {}, output }];
};

const usesIn = (config: Json): readonly Use[] => {
  const outputs = isJsonObject(config) ? config['output'] : undefined;
  return Array.isArray(outputs) ? (outputs as readonly Json[]).flatMap(useIn) : [];
};

/** Names of the destinations that a config uses, placeholders as written. */
export const destinationsUsed = (config: Json): readonly string[] => usesIn(config).map(({ name }) => name);

export interface ConfigSurroundings {
  /** Path of the config. */
  readonly path: string;
  readonly files: Pick<Files, 'readText'>;
  readonly secrets: Secrets;
  /** Shape of a whole config. */
  readonly shape: AnyShape;
}

const wrongFile = (name: string, file: string, { code, message }: SpateError): Issue =>
  code === 'not_found'
    ? {
        path: [],
        type: 'missing_destination',
        message: `names a destination '${name}' that does not exist`,
        hint: `Create ${file}: it has one output, as a config has.`,
      }
    : { path: [], type: 'bad_file', message: `names a destination that cannot be read: ${message}` };

const refused = (issues: readonly Issue[], at: Issue['path']): Result<never> =>
  E.left(
    invalid(
      '',
      issues.map((issue) => ({ ...issue, path: [...at, ...issue.path] })),
    ),
  );

/** The output that stands in place of a `use`. Errors without a file are issues of the config. */
const outputFor = async (
  { index, name: written, changes, output: use }: Use,
  params: JsonObject,
  { path, files, secrets, shape }: ConfigSurroundings,
): Promise<Result<JsonObject>> => {
  const checked = decodeStored(outputShapeIn(shape), use);
  if (E.isLeft(checked)) return refused(checked.left, ['output', index]);
  const at = ['output', index, USE];
  const named = await substitute(written, params, secrets);
  if (E.isLeft(named)) return refused(named.left, at);
  const name = String(named.right.value);
  const flaw = checkDestinationName(name);
  if (flaw !== null) return refused([{ path: [], ...flaw }], at);
  const file = fileFor(path, name);
  const text = await files.readText(file, MAX_DESTINATION_BYTES);
  if (E.isLeft(text)) return refused([wrongFile(name, file, text.left)], at);
  const output = readDestination(text.right, file, outputShapeIn(shape));
  if (E.isLeft(output)) return output;
  const [[kind, given] = ['', {}]] = Object.entries(output.right);
  return E.right({ [kind]: { ...(given as JsonObject), ...changes } });
};

/**
 * A config with the outputs of destinations in place of `use`; parameters of the config win. Placeholders of a destination
 * are those of the config. Errors without a file have issues of the config; others are of the file of a destination.
 */
export const withDestinations = async (
  config: Json,
  params: JsonObject,
  surroundings: ConfigSurroundings,
): Promise<Result<Json>> => {
  const uses = usesIn(config);
  if (uses.length === 0) return E.right(config);
  const issues: Issue[] = [];
  const outputs = [...((config as JsonObject)['output'] as readonly Json[])];
  for (const use of uses) {
    const output = await outputFor(use, params, surroundings);
    if (E.isRight(output)) outputs[use.index] = output.right;
    else if (output.left.file !== undefined) return output;
    else issues.push(...(output.left.issues ?? []));
  }
  return issues.length > 0
    ? E.left(invalid('', issues))
    : E.right({ ...(config as JsonObject), output: outputs });
};

/** The texts of the destinations that a config uses, for whoever looks for placeholders; those that cannot be read are left out. */
export const destinationTexts = async (
  config: Json,
  params: JsonObject,
  { path, readText }: { readonly path: string; readonly readText: Files['readText'] },
): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (const { name: written } of usesIn(config)) {
    const name = await substitute(written, params, NO_SECRETS);
    if (E.isLeft(name) || checkDestinationName(String(name.right.value)) !== null) continue;
    const text = await readText(fileFor(path, String(name.right.value)), MAX_DESTINATION_BYTES);
    if (E.isRight(text)) texts.push(text.right);
  }
  return texts;
};

/** Problems of the destinations that a stored config uses. Names that need a parameter are left out. */
export const destinationErrors = async (
  config: Json,
  surroundings: Omit<ConfigSurroundings, 'secrets'>,
): Promise<readonly SpateError[]> => {
  const whole = await withDestinations(config, {}, { ...surroundings, secrets: NO_SECRETS });
  if (E.isRight(whole)) return [];
  const { file, issues = [] } = whole.left;
  if (file !== undefined) return [whole.left];
  const known = issues.filter(({ type }) => type !== 'missing_param' && type !== 'missing_secret');
  return known.length === 0 ? [] : [invalid('', known)];
};
