import { Badge } from '@mantine/core';
import type { GeneratorPhase } from '../../domain/generator.js';
import type { Health } from '../../domain/stats/health.js';
import { useConnection } from '../api/live.js';
import { lookOfHealth } from './phases.js';

/** A state as a word with a color. Without a connection it may be over: it is gray and says so. */
export const StateBadge = ({ word, color }: { readonly word: string; readonly color: string }) => {
  const isOld = useConnection() === 'lost';
  return (
    <Badge
      variant="light"
      color={isOld ? 'gray' : color}
      autoContrast
      {...(isOld ? { title: 'When the connection was lost', 'data-old': true } : {})}
    >
      {word}
    </Badge>
  );
};

/** The state of a generator; a running one that is not well shows its health. */
export const PhaseBadge = ({
  phase,
  health,
}: {
  readonly phase: GeneratorPhase;
  readonly health?: Health;
}) => <StateBadge {...lookOfHealth(phase, health)} />;
