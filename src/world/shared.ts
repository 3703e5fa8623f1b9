import { makeWorld } from './makeWorld.js';
import type { WorldSpec } from './spec.js';
import type { World } from './world.js';

/** A thread rarely has generators of more worlds. */
const MAX_WORLDS = 4;

const worlds = new Map<string, World>();

/** One world for all generators of this thread that have the same spec: a minute is computed once for all of them. */
export const worldOf = (spec: WorldSpec): World => {
  const key = JSON.stringify(spec);
  const known = worlds.get(key);
  if (known !== undefined) return known;
  const world = makeWorld(spec);
  worlds.set(key, world);
  const [oldest] = worlds.keys();
  if (worlds.size > MAX_WORLDS && oldest !== undefined) worlds.delete(oldest);
  return world;
};
