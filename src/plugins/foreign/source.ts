import type { PluginSource } from '../../domain/foreign.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import type { PluginKind } from '../kit.js';

/** The key of a dotted key: `file.path` is `file`. */
const first = (key: string): string => key.split('.', 1)[0] ?? '';

const namesIn = (entry: Json | undefined): readonly string[] =>
  isJsonObject(entry) ? Object.keys(entry).map(first) : [];

const entriesOf = (section: Json | undefined): readonly Json[] =>
  Array.isArray(section) ? section : section === undefined ? [] : [section];

const formatsIn = (entry: Json): readonly string[] =>
  isJsonObject(entry)
    ? Object.values(entry).flatMap((params) => {
        if (!isJsonObject(params)) return [];
        const format = isJsonObject(params['formatter'])
          ? params['formatter']['format']
          : params['formatter.format'];
        return typeof format === 'string' ? [format] : [];
      })
    : [];

/** Sources with plugins that a config uses, or sections of one; `formatter`: that of a preview. */
export const sourcesUsedBy = (config: Json, sources: readonly PluginSource[]): readonly PluginSource[] => {
  if (sources.length === 0 || !isJsonObject(config)) return [];
  const { input, event, output, formatter } = config;
  const outputs = entriesOf(output);
  const own = isJsonObject(formatter) ? formatter['format'] : undefined;
  const used: Readonly<Record<PluginKind, ReadonlySet<string>>> = {
    input: new Set(entriesOf(input).flatMap(namesIn)),
    event: new Set(namesIn(event)),
    output: new Set(outputs.flatMap(namesIn)),
    formatter: new Set([...outputs.flatMap(formatsIn), ...(typeof own === 'string' ? [own] : [])]),
  };
  return sources.filter(({ plugins }) =>
    plugins.some(({ kind, names }) => names.some((name) => used[kind].has(name))),
  );
};
