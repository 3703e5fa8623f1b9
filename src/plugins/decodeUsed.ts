import type * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../domain/errors.js';
import { isJsonObject, type Json } from '../domain/json.js';
import { decode } from '../schema/index.js';
import type { PipelineRegistry } from './buildParts.js';
import type { FormatterSpec, OutputSpec, PluginSpec } from './kit.js';
import { formatterShapeOf, withOutputFields } from './outputFields.js';
import { shapesOf } from './shapes.js';

/** An entry of a decoded config. */
export interface PluginEntry {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface DecodedConfig {
  readonly input: readonly PluginEntry[];
  readonly event: PluginEntry;
  readonly output: readonly PluginEntry[];
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  (Array.isArray(value) ? value : [value]).flatMap((entry: unknown) =>
    isJsonObject(entry) ? Object.entries(entry) : [],
  );

const sectionsOf = (config: Json): Readonly<Record<string, unknown>> => (isJsonObject(config) ? config : {});

const namesIn = (section: unknown): readonly string[] => entriesOf(section).map(([name]) => name);

/** Returns the formats that the outputs of a config name, or undefined for an output with its default. */
const formatsIn = (section: unknown): readonly (string | undefined)[] =>
  entriesOf(section).map(([, params]) => {
    const formatter = isJsonObject(params) ? params['formatter'] : undefined;
    const format = isJsonObject(formatter) ? formatter['format'] : undefined;
    return typeof format === 'string' ? format : undefined;
  });

/** Declarations of the plugins with these names. */
const specsOf = async <S extends PluginSpec>(
  names: readonly string[],
  load: (name: string) => Promise<{ readonly spec: PluginSpec }>,
): Promise<Readonly<Record<string, S>>> => {
  const plugins = await Promise.all([...new Set(names)].map(load));
  return Object.fromEntries(plugins.map(({ spec }) => [spec.name, spec as S]));
};

/**
 * Decodes a config that is known to be valid with the declarations of the plugins that it names: those of all others would
 * only take memory of the thread. Rejects for an unknown name.
 */
export const decodeUsed = async (
  config: Json,
  registry: PipelineRegistry,
): Promise<E.Either<readonly Issue[], DecodedConfig>> => {
  const sections = sectionsOf(config);
  const [input, event, output] = await Promise.all([
    specsOf(namesIn(sections['input']), registry.input),
    specsOf(namesIn(sections['event']), registry.event),
    specsOf<OutputSpec>(namesIn(sections['output']), registry.output),
  ]);
  const formats = formatsIn(sections['output']);
  const defaults = formats.includes(undefined)
    ? Object.values(output).map(({ formatter = 'plain' }) => formatter)
    : [];
  const named = formats.filter((format) => format !== undefined);
  const formatter = await specsOf<FormatterSpec>([...named, ...defaults], registry.formatter);
  const formatters = { shape: formatterShapeOf(formatter), specs: formatter };
  const { generator } = shapesOf({
    input,
    event,
    output: withOutputFields(output, formatters),
    formatter,
  });
  return decode(generator, config);
};
