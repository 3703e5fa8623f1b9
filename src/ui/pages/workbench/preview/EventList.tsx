import { Alert, Badge, Button, Group, Loader, Select, Stack, Text } from '@mantine/core';
import { Plus, RotateCw } from 'lucide-react';
import { memo, useState } from 'react';
import { ErrorNote, ErrorText } from '../../../parts/notes.js';
import type { PreviewFormatter } from '../configCheck.js';
import { Locations } from '../Problems.js';
import { countedTexts, type FileProblem } from '../problemLocations.js';
import { changedPieces, type DiffPiece, unfolded } from './formerEvents.js';
import type { EventRun } from './useEvents.js';

const Pieces = ({ pieces }: { readonly pieces: readonly DiffPiece[] }) =>
  pieces.map(({ text, isNew }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity
    isNew ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  );

/** One event; JSON folds out. Marked: what the run before did not have. */
const Event = memo(({ text, before }: { readonly text: string; readonly before: string | null }) => {
  const [isOpen, setIsOpen] = useState(false);
  const long = unfolded(text);
  if (long === null)
    return (
      <li className="event">
        <code>
          <Pieces pieces={changedPieces(before, text)} />
        </code>
      </li>
    );
  return (
    <li className="event">
      <details onToggle={(toggled) => setIsOpen(toggled.currentTarget.open)}>
        <summary>
          <span className="fold-up">Fold</span>
          <code>
            <Pieces pieces={changedPieces(before, text)} />
          </code>
        </summary>
        {isOpen && (
          <pre>
            <Pieces pieces={changedPieces(before === null ? null : unfolded(before), long)} />
          </pre>
        )}
      </details>
    </li>
  );
});

interface EventListProps {
  readonly run: EventRun | null;
  readonly error: unknown;
  readonly problems: readonly FileProblem[];
  readonly onGo: (problem: FileProblem) => void;
  readonly isBusy: boolean;
  readonly isReady: boolean;
  readonly areSteady: boolean;
  readonly formatters: readonly PreviewFormatter[];
  readonly formatter: number;
  readonly onFormatter: (index: number) => void;
  readonly onStep: (count?: number) => void;
  readonly onAgain: () => void;
}

const Controls = (props: EventListProps) => {
  const { run, isReady, isBusy, formatters, formatter, onFormatter, onStep, onAgain } = props;
  return (
    <Group gap="xs" justify="space-between">
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => onStep()}
          disabled={!isReady || run === null || run.isExhausted}
        >
          Step
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<RotateCw size={14} />}
          onClick={onAgain}
          disabled={!isReady || isBusy}
        >
          From now
        </Button>
        {isBusy && <Loader size={14} className="slowly" role="status" aria-label="Making events" />}
      </Group>
      {formatters.length > 1 && (
        <Select
          aria-label="Format as output"
          size="xs"
          w={160}
          allowDeselect={false}
          data={formatters.map(({ label }, index) => ({ value: String(index), label }))}
          value={String(formatter)}
          onChange={(value) => onFormatter(Number(value))}
        />
      )}
    </Group>
  );
};

/** The next events, as an output writes them. */
export const EventList = (props: EventListProps) => {
  const { run, error, areSteady, problems, onGo } = props;
  const formerOf = (index: number): string | null => run?.before?.get(run.origins[index] ?? '') ?? null;
  const changed = (run?.events ?? []).filter((text, index) => ![null, text].includes(formerOf(index))).length;
  return (
    <Stack gap="xs">
      <Controls {...props} />
      {error !== null && <ErrorNote title="The events cannot be made" error={error} />}
      {run !== null && run.failures.length > 0 && (
        <Alert
          color="red"
          p="xs"
          title={run.failures.length === 1 ? 'One failed' : `${run.failures.length} failed`}
          role="alert"
        >
          <ul className="failures">
            {countedTexts(run.failures)
              .slice(0, 5)
              .map(([text, count]) => (
                <li key={text}>
                  {count > 1 && <b>{count} times: </b>}
                  <ErrorText text={text} />
                </li>
              ))}
          </ul>
        </Alert>
      )}
      <Locations problems={problems} onGo={onGo} />
      {areSteady && (
        <Text size="sm">The inputs make no timestamps from now on. These events are one second apart.</Text>
      )}
      {run?.isExhausted && <Badge variant="light">No more events</Badge>}
      {run !== null && run.events.length === 0 && run.failures.length === 0 && (
        <Text size="sm">These timestamps make no events. Step to go on.</Text>
      )}
      {changed > 0 && (
        <Text size="sm" role="status">
          {changed} of {run?.events.length} differ from the last run. Differences are marked.
        </Text>
      )}
      {run !== null && (
        <ol className="events" aria-label="Next events" data-old={error !== null || undefined}>
          {run.events.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity of an event
            <Event key={index} text={text} before={formerOf(index)} />
          ))}
        </ol>
      )}
    </Stack>
  );
};
