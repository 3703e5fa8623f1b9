import type { Fields } from '../schema/shape.js';
import type { PipelineRegistry } from './buildParts.js';
import type { PluginOf } from './declare.js';
import { installedPlugin } from './installed.js';
import type { PluginKind } from './kit.js';
import { PLUGINS } from './specs.js';

interface Loader<K extends PluginKind> {
  readonly spec: { readonly name: string };
  readonly load: () => Promise<PluginOf<Fields>[K]>;
}

/** Finds behavior by the name in a decoded config. An unknown name rejects: a bug. */
const finder = <K extends PluginKind>(kind: K, rows: readonly Loader<K>[]) => {
  const loaders = new Map(rows.map(({ spec, load }) => [spec.name, load]));
  return async (name: string): Promise<PluginOf<Fields>[K]> => {
    const load = loaders.get(name);
    if (load !== undefined) return load();
    const plugin = installedPlugin(kind, name);
    if (plugin === null) throw new Error(`no ${kind} plugin is named ${name}`);
    return plugin as PluginOf<Fields>[K];
  };
};

export const registry: PipelineRegistry = {
  input: finder('input', PLUGINS.input),
  event: finder('event', PLUGINS.event),
  output: finder('output', PLUGINS.output),
  formatter: finder('formatter', PLUGINS.formatter),
};

/** Starts to load the plugins of these names, of any kind. Unknown names and failures show on the first real use. */
export const loadNamed = (names: readonly string[]): void => {
  for (const load of Object.values(registry)) for (const name of names) load(name).catch(() => {});
};
