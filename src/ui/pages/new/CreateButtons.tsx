import { Button, Group, Stack, Text } from '@mantine/core';
import { Play, SquarePen } from 'lucide-react';
import { type Goal, HalfDone } from './launch.js';

interface CreateButtonsProps {
  readonly onCreate: (goal: Goal) => void;
  /** What is being done. */
  readonly pending: Goal | null;
  /** What the workbench is better for. */
  readonly isOpenFirst?: boolean;
  /** What must be corrected first. Null when nothing must. */
  readonly obstacle: string | null;
  /** After a part is created, the workbench goes on. */
  readonly error: Error | null;
}

const GOALS = [
  { goal: 'start', label: 'Create and start', icon: Play },
  { goal: 'open', label: 'Open in the workbench', icon: SquarePen },
] as const;

export const CreateButtons = ({
  onCreate,
  pending,
  isOpenFirst = false,
  obstacle,
  error,
}: CreateButtonsProps) =>
  error instanceof HalfDone ? null : (
    <Stack gap="xs">
      {obstacle !== null && (
        <Text size="sm" className="warned" role="alert">
          {obstacle}
        </Text>
      )}
      <Group gap="sm">
        {(isOpenFirst ? GOALS.toReversed() : GOALS).map(({ goal, label, icon: Icon }, index) => (
          <Button
            key={goal}
            variant={index === 0 ? 'filled' : 'default'}
            leftSection={<Icon size={16} />}
            loading={pending === goal}
            disabled={pending !== null && pending !== goal}
            onClick={() => onCreate(goal)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Stack>
  );
