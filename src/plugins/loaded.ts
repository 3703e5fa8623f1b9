import type { PluginSource } from '../domain/thirdParty.js';
import type { Fields } from '../schema/shape.js';
import type { PluginOf } from './declare.js';
import type { PluginKind } from './kit.js';

export type AnyPlugin = PluginOf<Fields>[PluginKind];

/** A third-party plugin that this thread has loaded. */
export interface LoadedPlugin {
  readonly source: PluginSource;
  readonly plugin: AnyPlugin;
}

let current: readonly LoadedPlugin[] = [];
let sources: readonly PluginSource[] = [];

/** Returns the third-party plugins that this thread knows. Read it where they are needed: a start changes it. */
export const loadedPlugins = (): readonly LoadedPlugin[] => current;

/** Their files, each once. */
export const loadedSources = (): readonly PluginSource[] => sources;

/** Replaces the third-party plugins that this thread knows. Their names must be free. */
export const install = (loaded: readonly LoadedPlugin[]): void => {
  current = loaded;
  sources = [...new Set(loaded.map(({ source }) => source))];
};

/** Returns the third-party plugin with this name or alias, or null when there is none. */
export const loadedPlugin = (kind: PluginKind, name: string): AnyPlugin | null =>
  current.find(
    ({ plugin: { spec } }) => spec.kind === kind && [spec.name, ...(spec.aliases ?? [])].includes(name),
  )?.plugin ?? null;
