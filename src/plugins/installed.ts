import { BUILT_IN_SHAPES, type ConfigShapes } from './generatorShape.js';
import type { PluginSpec } from './kit.js';
import { configShapeOf } from './knobs.js';
import { type LoadedPlugin, loadedPlugins } from './loaded.js';
import { type SpecTable, shapesOf } from './shapes.js';
import { allSpecs, PLUGIN_SPECS, specsWith } from './specs.js';
import { useShape } from './useShape.js';

interface Installed {
  readonly specs: SpecTable;
  readonly shapes: ConfigShapes;
}

const BUILT_IN: Installed = { specs: PLUGIN_SPECS, shapes: BUILT_IN_SHAPES };

let made: { readonly for: readonly LoadedPlugin[]; readonly installed: Installed } | null = null;

/** Declarations and shapes of all plugins, those of others included. Read it where they are needed: a start changes it. */
export const installed = (): Installed => {
  const loaded = loadedPlugins();
  if (loaded.length === 0) return BUILT_IN;
  if (made?.for === loaded) return made.installed;
  const specs = specsWith(loaded.map(({ plugin }) => plugin.spec));
  const shapes = shapesOf(specs, { use: useShape });
  // Their types know the plugins of this program.
  made = {
    for: loaded,
    installed: { specs, shapes: { ...shapes, generator: configShapeOf(shapes) } as unknown as ConfigShapes },
  };
  return made.installed;
};

/** Declarations of all plugins, by kind. */
export const installedSpecs = (): readonly PluginSpec[] => allSpecs(installed().specs);
