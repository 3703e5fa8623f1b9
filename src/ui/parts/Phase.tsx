import { Badge } from '@mantine/core';
import type { GeneratorPhase } from '../../domain/generator.js';
import type { Health } from '../../domain/stats/health.js';
import { lookOfHealth } from './phases.js';

/** The state of a generator as a word with a color; a running one that is not well shows its health. */
export const Phase = ({ phase, health }: { readonly phase: GeneratorPhase; readonly health?: Health }) => {
  const { word, color } = lookOfHealth(phase, health);
  return (
    <Badge variant="light" color={color} autoContrast>
      {word}
    </Badge>
  );
};
