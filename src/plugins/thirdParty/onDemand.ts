import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../domain/errors.js';
import { isJsonObject, type Json } from '../../domain/json.js';
import type { PluginSource } from '../../domain/thirdParty.js';
import { serialQueue } from '../../domain/waiting.js';
import type { Clock } from '../../ports/clock.js';
import type { PluginKind } from '../kit.js';
import { loadedPlugins, loadedSources } from '../loaded.js';

/** Loads third-party plugins into this thread when a config first uses them. */
interface OnDemand {
  /** Returns null when nothing is left to load. */
  readonly forConfig: (config: Json) => Promise<Result<void>> | null;
  readonly all: () => Promise<Result<void>> | null;
}

/** Code of the loader is loaded only where a config uses third-party plugins. */
export const loadOnDemand = (sources: readonly PluginSource[], clock: Pick<Clock, 'after'>): OnDemand => {
  const inTurn = serialQueue();
  const load = async (wanted: readonly PluginSource[]): Promise<Result<void>> => {
    const { installSources } = await import('./load.js');
    return inTurn(async () => {
      const missing = wanted.filter((source) => !loadedSources().includes(source));
      return missing.length === 0 ? E.right(undefined) : installSources(missing, loadedPlugins(), clock);
    });
  };
  const need = (wanted: readonly PluginSource[]): Promise<Result<void>> | null =>
    wanted.every((source) => loadedSources().includes(source)) ? null : load(wanted);
  return { forConfig: (config) => need(sourcesUsedBy(config, sources)), all: () => need(sources) };
};

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
