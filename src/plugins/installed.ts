import type { PluginSource } from '../domain/pluginSource.js';
import type { Fields } from '../schema/shape.js';
import type { PluginOf } from './declare.js';
import { BUILT_IN_SHAPES, type ConfigShapes, shapesOf } from './generatorShape.js';
import type { PluginKind, PluginSpec } from './kit.js';
import { allSpecs, PLUGIN_SPECS, type SpecTable, specsWith } from './specs.js';

export type AnyPlugin = PluginOf<Fields>[PluginKind];

/** A plugin of others that this thread has loaded. */
export interface LoadedPlugin {
  readonly source: PluginSource;
  readonly plugin: AnyPlugin;
}

interface Installed {
  readonly specs: SpecTable;
  readonly shapes: ConfigShapes;
  readonly loaded: readonly LoadedPlugin[];
  /** Their files, each once. */
  readonly sources: readonly PluginSource[];
}

const BUILT_IN: Installed = { specs: PLUGIN_SPECS, shapes: BUILT_IN_SHAPES, loaded: [], sources: [] };

let current = BUILT_IN;

/** The plugins that this thread knows. Read it where they are needed: a start changes it. */
export const installed = (): Installed => current;

/** Replaces the plugins of others that this thread knows. Their names must be free. */
export const install = (loaded: readonly LoadedPlugin[]): void => {
  if (loaded.length === 0) {
    current = BUILT_IN;
    return;
  }
  const specs = specsWith(loaded.map(({ plugin }) => plugin.spec));
  const sources = [...new Set(loaded.map(({ source }) => source))];
  current = { specs, shapes: shapesOf(specs), loaded, sources };
};

/** Behavior of a plugin of others; `null`: none has this name. */
export const installedPlugin = (kind: PluginKind, name: string): AnyPlugin | null =>
  current.loaded.find(({ plugin: { spec } }) => spec.kind === kind && spec.name === name)?.plugin ?? null;

/** Declarations of all plugins, by kind. */
export const installedSpecs = (): readonly PluginSpec[] => allSpecs(current.specs);
