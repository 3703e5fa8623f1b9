import * as E from 'fp-ts/lib/Either.js';
import type { Issue, Result } from '../../domain/errors.js';
import type { GeneratorDefinition, GeneratorParams, PluginNames } from '../../domain/generator.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { Files, Secrets } from '../../ports/files.js';
import { SECRET_MASK } from '../../schema/decode.js';
import { type AnyShape, decode } from '../../schema/index.js';
import { invalid } from '../report.js';
import { checkStored, type Expanded, readDocument } from '../yaml/document.js';
import { locateIssues } from '../yaml/source.js';
import type { ConfigSurroundings } from './destinations.js';
import { substitute } from './substitute.js';

export const MAX_CONFIG_BYTES = 2_097_152;

/** `shape`: that of a whole generator config. */
interface LoadContext {
  readonly files: Pick<Files, 'readText'>;
  readonly secrets: Secrets;
  readonly shape: AnyShape;
  readonly reader?: ConfigReader;
}

type Text<A> = Result<A> | Promise<Result<A>>;

export interface ConfigReader {
  /** Dotted keys expanded. */
  readonly value: (text: string, file: string) => Text<Json>;
  readonly locate: (text: string, file: string, issues: readonly Issue[]) => Text<readonly Issue[]>;
}

const readerOf = (shape: AnyShape): ConfigReader => ({
  value: (text, file) => E.map(({ value }: Expanded) => value)(readDocument(text, file, shape)),
  locate: (text, file, issues) =>
    E.map(({ source }: Expanded) => locateIssues(source, issues))(readDocument(text, file, shape)),
});

/** Masks secrets in a message: it may quote a name that came from a placeholder. */
const hideSecrets = (issue: Issue, secrets: readonly string[]): Issue => {
  const hide = (text: string): string =>
    secrets.reduce(
      (hidden, secret) => (secret === '' ? hidden : hidden.replaceAll(secret, SECRET_MASK)),
      text,
    );
  return {
    ...issue,
    path: issue.path.map((part) => (typeof part === 'string' ? hide(part) : part)),
    message: hide(issue.message),
    ...(issue.hint === undefined ? {} : { hint: hide(issue.hint) }),
  };
};

const firstKey = (entry: Json | undefined): string =>
  isJsonObject(entry) ? (Object.keys(entry)[0] ?? '') : '';

const firstKeys = (entries: unknown): readonly string[] =>
  Array.isArray(entries) ? entries.map((entry: Json) => firstKey(entry)) : [];

export const pluginNames = (config: Json): PluginNames => {
  const parts: Readonly<Record<string, unknown>> = isJsonObject(config) ? config : {};
  const event = parts['event'] as Json | undefined;
  const { template } = isJsonObject(event) ? event : {};
  const templates = isJsonObject(template) ? firstKeys(template['templates']) : [];
  return {
    inputs: firstKeys(parts['input']),
    event: firstKey(event),
    outputs: firstKeys(parts['output']),
    ...(templates.length > 1 ? { templates } : {}),
  };
};

/** Problems of given parameters. Most generators have none, so what looks for them is loaded when needed. */
const wrongParams = async (
  path: string,
  config: Json,
  params: JsonObject,
  { readText }: Pick<Files, 'readText'>,
): Promise<readonly Issue[]> => {
  if (Object.keys(params).length === 0) return [];
  const { paramIssues } = await import('./given.js');
  return paramIssues({ path, config, readText }, params);
};

/** As `withDestinations`. Most configs use none, so what reads them is loaded when needed. */
const filledConfig = async (
  config: Json,
  params: JsonObject,
  surroundings: ConfigSurroundings,
): Promise<Result<Json>> => {
  if (!pluginNames(config).outputs.includes('use')) return E.right(config);
  const { withDestinations } = await import('./destinations.js');
  return withDestinations(config, params, surroundings);
};

/**
 * Reads a generator's config file: parses it, expands dotted keys, replaces placeholders, fills in defaults.
 * Returns an error when the file cannot be read, or `invalid` with every problem of the first step that failed: parameters
 * that nothing reads, then the file by line and column.
 */
export const loadGenerator = async (
  { files, secrets, shape, reader = readerOf(shape) }: LoadContext,
  params: GeneratorParams,
  scenarios: readonly string[],
): Promise<Result<GeneratorDefinition>> => {
  const text = await files.readText(params.path, MAX_CONFIG_BYTES);
  if (E.isLeft(text)) return text;
  const { path } = params;
  const value = await reader.value(text.right, path);
  if (E.isLeft(value)) return value;
  // Look up locations by the written names, before `hide` changes paths.
  const refuse = async (issues: readonly Issue[], used: readonly string[]): Promise<Result<never>> => {
    const located = E.getOrElse(() => issues)(await reader.locate(text.right, path, issues));
    return E.left(
      invalid(
        path,
        located.map((issue) => hideSecrets(issue, used)),
      ),
    );
  };
  const wrong = await wrongParams(path, value.right, params.params, files);
  if (wrong.length > 0) return E.left(invalid('', wrong));
  const filled = await filledConfig(value.right, params.params, { path, files, secrets, shape });
  if (E.isLeft(filled)) return filled.left.file === undefined ? refuse(filled.left.issues ?? [], []) : filled;
  const substituted = await substitute(filled.right, params.params, secrets);
  if (E.isLeft(substituted)) return refuse(substituted.left, []);
  const { secrets: used } = substituted.right;
  const decoded = decode(shape, substituted.right.value);
  if (E.isLeft(decoded)) return refuse(decoded.left, used);
  const config = shape.codec.encode(decoded.right);
  return E.right({ params, scenarios, config, plugins: pluginNames(config), secrets: used });
};

/** Checks a stored config without looking at files or hosts. Returns it with every default. */
export const checkGeneratorText = (text: string, file: string, shape: AnyShape): Result<Json> =>
  E.flatMap((document: Expanded) => checkStored(document, shape))(readDocument(text, file, shape));

/** A stored config for the API: dotted keys nested, defaults filled in, 'none' as `null`, placeholders untouched. */
export const readBackConfig = checkGeneratorText;

/** Returns a definition with whole sections replaced, ready to run. Paths of an error start at `sections`. */
export const patchDefinition = async (
  context: Omit<LoadContext, 'reader'>,
  definition: GeneratorDefinition,
  sections: JsonObject,
): Promise<Result<GeneratorDefinition>> => {
  const { secrets, shape } = context;
  const { path, params } = definition.params;
  const filled = await filledConfig(sections, params, { path, ...context });
  if (E.isLeft(filled)) return filled;
  // Values from earlier placeholders are never substituted again.
  const substituted = await substitute(filled.right, params, secrets);
  if (E.isLeft(substituted)) return E.left(invalid('', substituted.left));
  const { value, secrets: used } = substituted.right;
  const merged = { ...(definition.config as JsonObject), ...(value as JsonObject) };
  return E.bimap(
    (issues: readonly Issue[]) =>
      invalid(
        '',
        issues.map((issue) => hideSecrets(issue, used)),
      ),
    (decoded: unknown): GeneratorDefinition => {
      const config = shape.codec.encode(decoded);
      const known = new Set([...(definition.secrets ?? []), ...used]);
      return { ...definition, config, plugins: pluginNames(config), secrets: [...known] };
    },
  )(decode(shape, merged));
};
