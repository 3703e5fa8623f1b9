import { Badge } from '@mantine/core';
import type { GeneratorPhase } from '../../domain/generator.js';
import { LOOKS } from './phases.js';

/** The state of a generator as a word with a color. */
export const Phase = ({ phase }: { readonly phase: GeneratorPhase }) => {
  const { word, color } = LOOKS[phase];
  return (
    <Badge variant="light" color={color} autoContrast>
      {word}
    </Badge>
  );
};
