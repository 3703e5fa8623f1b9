import { Group, Text } from '@mantine/core';
import type { GeneratorPhase } from '../../../domain/generator.js';
import type { HealthReport } from '../../../domain/stats/health.js';
import { ErrorCodeLink, ErrorText, Note } from '../../parts/notes.js';
import { remedyOf } from '../../parts/phases.js';

interface FailureNoteProps {
  readonly phase: GeneratorPhase;
  readonly reason: string;
  readonly code: string | null;
  readonly config: string;
}

/** Why a generator does not run, and what to do. */
export const FailureNote = ({ phase, reason, code, config }: FailureNoteProps) => (
  <Note
    color={phase === 'failed' ? 'red' : 'orange'}
    title={phase === 'failed' ? 'The generator failed' : 'The generator is restarting'}
  >
    <ErrorText text={reason} config={config} />
    <Group gap="xs" mt={4}>
      <Text size="sm">{remedyOf(phase, code)}</Text>
      {code !== null && <ErrorCodeLink code={code} />}
    </Group>
  </Note>
);

/** What is wrong with a generator that runs, and what to do. */
export const HealthNote = ({
  health: { health, health_reason, remedy },
  config,
}: {
  readonly health: HealthReport;
  readonly config: string;
}) =>
  health === 'failing' || health === 'degraded' ? (
    <Note
      color={health === 'failing' ? 'red' : 'orange'}
      title={health === 'failing' ? 'The generator is failing' : 'The generator is degraded'}
    >
      <ErrorText text={health_reason ?? ''} config={config} />
      <Text size="sm" mt={4}>
        {remedy}
      </Text>
    </Note>
  ) : null;
