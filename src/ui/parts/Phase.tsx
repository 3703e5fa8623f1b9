import type { GeneratorPhase } from '../../domain/generator.js';
import type { Health } from '../../domain/stats/health.js';
import { useConnection } from '../api/live.js';
import { lookOfHealth } from './phases.js';

/** A state as a word with a color. Without a connection it may be over: it is gray and says so. */
export const StateBadge = ({ word, color }: { readonly word: string; readonly color: string }) => {
  const isOld = useConnection() === 'lost';
  const shown = isOld ? 'gray' : color;
  return (
    <span
      className="state"
      style={{
        background: `var(--mantine-color-${shown}-light)`,
        color: `var(--mantine-color-${shown}-light-color)`,
      }}
      {...(isOld ? { title: 'When the connection was lost', 'data-old': true } : {})}
    >
      {word}
    </span>
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
