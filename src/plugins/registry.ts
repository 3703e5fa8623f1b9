import type { Fields } from '../schema/shape.js';
import type { PipelineRegistry } from './buildParts.js';
import type { PluginOf } from './declare.js';
import type { PluginKind } from './kit.js';
import { loadedPlugin } from './loaded.js';
import { ALIASES, LOADERS } from './loaders.js';

type Loaders<K extends PluginKind> = Readonly<Record<string, () => Promise<PluginOf<Fields>[K]>>>;

/** Finds behavior by a name in a config. An unknown name rejects: a bug. */
const finder =
  <K extends PluginKind>(kind: K, loaders: Loaders<K>) =>
  async (name: string): Promise<PluginOf<Fields>[K]> => {
    const known = ALIASES[kind][name] ?? name;
    const load = Object.hasOwn(loaders, known) ? loaders[known] : undefined;
    if (load !== undefined) return load();
    const plugin = loadedPlugin(kind, known);
    if (plugin === null) throw new Error(`no ${kind} plugin is named ${name}`);
    return plugin as PluginOf<Fields>[K];
  };

export const registry: PipelineRegistry = {
  input: finder('input', LOADERS.input),
  event: finder('event', LOADERS.event),
  output: finder('output', LOADERS.output),
  formatter: finder('formatter', LOADERS.formatter),
};

/** Starts to load the plugins of these names, of any kind. Unknown names and failures show on the first real use. */
export const loadNamed = (names: readonly string[]): void => {
  for (const load of Object.values(registry)) for (const name of names) load(name).catch(() => {});
};
