import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { Play, SquarePen } from 'lucide-react';
import type { Goal } from '../new/launch.js';
import { type Item, shownBytes } from './examples.js';

interface LibraryCardProps {
  readonly item: Item;
  readonly onCopy: (goal: Goal) => void;
  readonly onDetails: () => void;
  /** What is being done with it. */
  readonly pending: Goal | null;
  readonly isBusy: boolean;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const LibraryCard = ({ item, onCopy, onDetails, pending, isBusy }: LibraryCardProps) => (
  <Card withBorder component="article" aria-label={item.name}>
    <Stack gap="xs" h="100%" justify="space-between">
      <div>
        <Group justify="space-between" wrap="nowrap" mb={4}>
          <Text fw={600} truncate>
            {item.name}
          </Text>
          <Badge variant="light" color="gray">
            {item.category}
          </Badge>
        </Group>
        <Text size="sm">{item.summary}</Text>
        <Text size="xs" mt={4}>
          About {shownBytes(item.event_bytes)} per event
          {item.anomalies.length > 0 && `, ${counted(item.anomalies.length, 'kind')} of attacks`}
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="compact-sm"
          leftSection={<Play size={14} />}
          onClick={() => onCopy('start')}
          loading={pending === 'start'}
          disabled={isBusy && pending !== 'start'}
          aria-label={`Start ${item.name}`}
        >
          Start
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<SquarePen size={14} />}
          onClick={() => onCopy('open')}
          loading={pending === 'open'}
          disabled={isBusy && pending !== 'open'}
          aria-label={`Open a copy of ${item.name} in the workbench`}
        >
          Workbench
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={onDetails}
          aria-label={`Details of ${item.name}`}
        >
          Details
        </Button>
      </Group>
    </Stack>
  </Card>
);
