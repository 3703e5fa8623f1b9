import { Alert, Group, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { GeneratorPhase } from '../../domain/generator.js';
import { ErrorCodeLink } from './ErrorNote.js';
import { remedyOf } from './failures.js';

interface FailureNoteProps {
  readonly phase: GeneratorPhase;
  readonly reason: string;
  readonly code: string | null;
}

/** Why a generator does not run, and what to do. */
export const FailureNote = ({ phase, reason, code }: FailureNoteProps) => (
  <Alert
    color={phase === 'failed' ? 'red' : 'orange'}
    title={phase === 'failed' ? 'The generator failed' : 'The generator is restarting'}
    icon={<TriangleAlert size={18} />}
    role="alert"
  >
    <Text size="sm" className="wrapped">
      {reason}
    </Text>
    <Group gap="xs" mt={4}>
      <Text size="sm">{remedyOf(phase, code)}</Text>
      {code !== null && <ErrorCodeLink code={code} />}
    </Group>
  </Alert>
);
