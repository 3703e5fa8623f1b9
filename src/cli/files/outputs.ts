import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { fallbackValue, NO_SECRETS } from '../../config/generator/substitute.js';
import { withText } from '../../daemon/texts.js';
import { failure, type Result } from '../../domain/errors.js';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import { type Placeholder, replacePlaceholders } from '../../domain/placeholder.js';

/** One output with defaults applied and placeholders unresolved. */
export interface OutputEntry {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const entryOf = (entry: Json): readonly OutputEntry[] =>
  isJsonObject(entry)
    ? Object.entries(entry).map(([kind, params]) => ({ kind, params: isJsonObject(params) ? params : {} }))
    : [];

/**
 * Outputs of a config, those of destinations in place of `use`. Returns an error when it is missing or invalid, which its
 * start reports.
 */
export const outputsOf = async (
  file: string,
  params: JsonObject = {},
): Promise<Result<readonly OutputEntry[]>> => {
  const text = await nodeFiles.readText(file, MAX_CONFIG_BYTES);
  // Long configs are parsed on a thread, to keep the API responsive.
  const config = E.isRight(text) ? await withText('config.read', file, text.right, file) : text;
  if (E.isLeft(config)) return config;
  const output = isJsonObject(config.right) ? config.right['output'] : null;
  if (!Array.isArray(output)) return E.left(failure('invalid', `${file}: output must be a list`));
  const entries = (output as readonly Json[]).flatMap(entryOf);
  return E.right(
    entries.some(({ kind }) => kind === 'use') ? await filled(config.right, file, params) : entries,
  );
};

/** Outputs with those of destinations in place of `use`; as they are when one cannot be read. */
const filled = async (config: Json, file: string, params: JsonObject): Promise<readonly OutputEntry[]> => {
  // Lazy: most configs use no destination.
  const [{ installed }, { withDestinations }] = await Promise.all([
    import('../../plugins/installed.js'),
    import('../../config/generator/destinations.js'),
  ]);
  const { shapes } = installed();
  const surroundings = { path: file, files: nodeFiles, secrets: NO_SECRETS, shape: shapes.generator };
  const whole = E.getOrElse(() => config)(await withDestinations(config, params, surroundings));
  return ((whole as JsonObject)['output'] as readonly Json[]).flatMap(entryOf);
};

/** A value of an output with parameters and defaults in place; secrets and missing parameters stay placeholders. */
const shownWith =
  (params: JsonObject) =>
  (value: unknown): string => {
    const shown = ({ source, name, fallback }: Placeholder): string => {
      const given = source === 'params' && Object.hasOwn(params, name) ? params[name] : undefined;
      const byDefault = source === 'params' && fallback !== null ? fallbackValue(fallback) : null;
      const found = given ?? byDefault;
      return found === null || typeof found === 'object' ? `\${${source}.${name}}` : String(found);
    };
    return typeof value === 'string' ? replacePlaceholders(value, shown) : '';
  };

type Describe = (
  params: OutputEntry['params'],
  text: (value: unknown) => string,
  directory: string,
) => string;

const DESTINATIONS: Readonly<Record<string, Describe>> = {
  stdout: ({ stream }, text) => text(stream),
  file: ({ path }, text, directory) => resolve(directory, text(path)),
  clickhouse: ({ host, table }, text) =>
    [`table ${text(table)}`, text(host)].filter((part) => part !== '').join(' at '),
};

/** Short destination of an output, e.g. `file /var/log/x`, for a generator with these parameters. */
export const destinationOf = ({ kind, params }: OutputEntry, file: string, given: JsonObject): string => {
  const destination = Object.hasOwn(DESTINATIONS, kind)
    ? DESTINATIONS[kind]?.(params, shownWith(given), dirname(file))
    : undefined;
  if (destination === undefined || destination === kind) return kind;
  return `${kind} ${destination}`;
};
