import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { MAX_CONFIG_BYTES } from '../../config/generator/config.js';
import { loadWorld } from '../../config/world.js';
import type { Result } from '../../domain/errors.js';
import { showCount } from '../../domain/text/shown.js';
import { RULES } from '../../world/activity/rules/rules.js';
import { RECIPES } from '../../world/attack/recipes.js';
import type { Recipe } from '../../world/attack/scene.js';
import { makeWorld } from '../../world/makeWorld.js';
import { DEFAULT_WORLD, type WorldSpec } from '../../world/spec.js';
import type { World } from '../../world/world.js';

/** What a command about worlds works on. */
export interface OpenedWorld {
  /** The path as it was given, or what stands for it. */
  readonly name: string;
  readonly world: World;
}

const readSpec = async (path: string, cwd: string): Promise<Result<WorldSpec>> => {
  const text = await nodeFiles.readText(resolve(cwd, path), MAX_CONFIG_BYTES);
  return E.isLeft(text) ? text : loadWorld(text.right, path);
};

/** Reads the world of a file; without a path it is the default one. `recipes` are those of its attacks. */
export const openWorld = async (
  path: string | undefined,
  cwd: string,
  recipes: Readonly<Record<string, Recipe>> = RECIPES,
): Promise<Result<OpenedWorld>> => {
  const name = path ?? 'the default world';
  const spec = path === undefined ? E.right(DEFAULT_WORLD) : await readSpec(path, cwd);
  return E.map((one: WorldSpec): OpenedWorld => ({ name, world: makeWorld(one, RULES, recipes) }))(spec);
};

/** `acme.yml, seed 7, 200 people`: the first line of what a command prints. */
export const worldTitle = ({ name, world }: OpenedWorld): string =>
  `${name}, seed ${world.spec.seed}, ${showCount(world.population.size)} people`;
