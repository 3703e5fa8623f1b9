import { Button, Group, Stack, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { matcherOf } from '../../../../domain/events/search.js';
import { EventExplorer, EventSearch } from '../../../parts/events/EventExplorer.js';
import { ErrorNote } from '../../../parts/notes.js';
import { counted, shownCount } from '../../../parts/numbers.js';
import type { EventRun } from './useEvents.js';

/** Enough to see how often values occur. */
const FIRST = 100;
const MORE = 100;
/** What a browser searches and counts while somebody types. */
const MAX_EVENTS = 5_000;

const NONE: readonly string[] = [];

interface PreviewExplorerProps {
  readonly run: EventRun | null;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onStep: (count: number) => void;
}

/** The events of the preview as those of a running generator are explored, with more of them than the list begins with. */
export const PreviewExplorer = ({ run, isBusy, error, onStep }: PreviewExplorerProps) => {
  const [find, setFind] = useState('');
  const [columnText, setColumnText] = useState('');
  const round = run?.round ?? 0;
  const events = run?.events ?? NONE;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a round, however many events its timestamps make
  useEffect(() => {
    if (round > 0 && events.length < FIRST) onStep(FIRST - events.length);
  }, [round]);
  const shown = useMemo(() => {
    const matches = matcherOf(find);
    // Numbers of a stream fall from its first line on.
    return events.flatMap((text, index) =>
      matches === null || matches(text) ? [{ number: -index, value: { text, is_cut: false } }] : [],
    );
  }, [events, find]);
  const [first, ...rest] = shown;
  return (
    <Stack gap="xs">
      {error !== null && <ErrorNote title="The events cannot be made" error={error} />}
      <Group gap="xs">
        <EventSearch find={find} onFind={setFind} />
        <Button
          variant="default"
          leftSection={<Plus size={16} />}
          onClick={() => onStep(MORE)}
          disabled={run === null || run.isExhausted || events.length >= MAX_EVENTS}
          loading={isBusy}
        >
          {MORE} more
        </Button>
      </Group>
      {run !== null && (
        <Text size="sm" role="status">
          {find.trim() === ''
            ? `${counted(events.length, 'event')} of this preview.`
            : `${shownCount(shown.length)} found in ${counted(events.length, 'event')} of this preview.`}
        </Text>
      )}
      {first !== undefined && (
        <EventExplorer
          key={find}
          events={[first, ...rest]}
          label="Events of the preview"
          find={find}
          onFind={setFind}
          columnText={columnText}
          onColumnText={setColumnText}
          isNarrow
        />
      )}
    </Stack>
  );
};
