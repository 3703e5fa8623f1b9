import type { GenerationParams } from '../../domain/generator.js';

const known = new WeakMap<GenerationParams, GenerationParams>();

/** In a cluster, another node goes on where one stopped, unless an entry says otherwise. One object per settings. */
export const withCheckpoints = (generation: GenerationParams): GenerationParams => {
  const made = known.get(generation) ?? { ...generation, checkpoint: true };
  known.set(generation, made);
  return made;
};
