import { Alert, Group, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { GeneratorPhase } from '../../domain/generator.js';
import type { HealthReport } from '../../domain/stats/health.js';
import { ErrorCodeLink, ErrorText } from './ErrorNote.js';
import { remedyOf } from './failures.js';

interface FailureNoteProps {
  readonly phase: GeneratorPhase;
  readonly reason: string;
  readonly code: string | null;
  readonly config: string;
}

/** Why a generator does not run, and what to do. */
export const FailureNote = ({ phase, reason, code, config }: FailureNoteProps) => (
  <Alert
    color={phase === 'failed' ? 'red' : 'orange'}
    title={phase === 'failed' ? 'The generator failed' : 'The generator is restarting'}
    icon={<TriangleAlert size={18} />}
    role="alert"
  >
    <ErrorText text={reason} config={config} />
    <Group gap="xs" mt={4}>
      <Text size="sm">{remedyOf(phase, code)}</Text>
      {code !== null && <ErrorCodeLink code={code} />}
    </Group>
  </Alert>
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
    <Alert
      color={health === 'failing' ? 'red' : 'orange'}
      title={health === 'failing' ? 'The generator is failing' : 'The generator is degraded'}
      icon={<TriangleAlert size={18} />}
      role="alert"
    >
      <ErrorText text={health_reason ?? ''} config={config} />
      <Text size="sm" mt={4}>
        {remedy}
      </Text>
    </Alert>
  ) : null;
