import { Button, Group, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import type { JsonObject } from '../../../domain/json.js';
import { saveAs } from '../../api/saveAs.js';
import { useAddress } from '../../parts/address.js';
import { ErrorNote } from '../../parts/notes.js';
import { counted, shownCount } from '../../parts/numbers.js';
import { TruthTable } from './TruthTable.js';
import {
  entityTexts,
  isChosen,
  MAX_TRUTH,
  sourceOf,
  strangersOf,
  type TruthChoice,
  type TruthEvent,
  truthChoices,
} from './truth.js';
import type { Shown } from './useIncident.js';
import { useSeen, useTruth } from './useTruth.js';

/** Every event that a phase has added, as it is made: what it is, who made it, and which entities it shows. */
export const GroundTruth = ({ incident }: { readonly incident: Shown }) => {
  const { name, members, run, state } = incident;
  const { truth, error } = useTruth(incident);
  const { events, problem } = truth;
  const [source, setSource] = useAddress<string>('source', '');
  const [phase, setPhase] = useAddress<string>('phase', '');
  const [entity, setEntity] = useEntityFilter();
  const drawn = useMemo(() => drawnIn(events, incident.entities), [events, incident.entities]);
  const seen = useSeen(name, members, run === null ? {} : drawn, entity);
  const nameOf = useMemo(() => sourceOf(name, members), [name, members]);
  const shown = useMemo(
    () => events.filter((event) => isChosen(event, { source, phase, entity }, nameOf)),
    [events, source, phase, entity, nameOf],
  );
  const sources = useMemo(
    () => truthChoices(events, ({ generator }) => [nameOf(generator)]),
    [events, nameOf],
  );
  const phases = useMemo(() => truthChoices(events, (event) => [event.phase]), [events]);
  const entities = useMemo(() => truthChoices(events, (event) => Object.keys(event.entities)), [events]);
  if (error !== null) return <ErrorNote title="The ground truth cannot be read" error={error} />;
  if (problem !== null) return <Text size="sm">{problem}</Text>;
  if (events.length === 0)
    return (
      <Text size="sm">
        {state === 'idle'
          ? 'Each event that a phase adds is listed here as soon as it is made. Start the incident.'
          : 'No phase has added an event so far.'}
      </Text>
    );
  const strangers = entity === '' ? 0 : strangersOf(seen.values(), events, drawn[entity], performance.now());
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" role="status">
          {shownText(shown.length, events.length)}
          {sources.length > 1 &&
            ` ${sources.map(({ value, count }) => `${value} ${shownCount(count)}`).join(', ')} in all.`}
        </Text>
        <Button
          variant="default"
          leftSection={<Download size={16} />}
          disabled={shown.length === 0}
          onClick={() => save(name, shown)}
        >
          Download
        </Button>
      </Group>
      <Stack gap={6}>
        <Choices label="Source" choices={sources} chosen={source} onChoose={setSource} />
        <Choices label="Phase" choices={phases} chosen={phase} onChoose={setPhase} />
        <Choices
          label="Entity"
          choices={entities}
          chosen={entity}
          onChoose={setEntity}
          title={(value) => `${value} ${entityTexts(drawn[value]).join(', ')}`}
        />
      </Stack>
      {strangers > 0 && (
        <Text size="sm">
          {counted(strangers, 'more event')} of these sources {strangers === 1 ? 'shows' : 'show'} {entity}{' '}
          and {strangers === 1 ? 'is' : 'are'} not of the incident.
        </Text>
      )}
      <TruthTable
        events={shown}
        seen={seen}
        nameOf={nameOf}
        members={members}
        textsOf={(event) => entityTexts(entity === '' ? event.entities : drawn[entity])}
      />
      {truth.left_out > 0 && (
        <Text size="sm">
          The newest {shownCount(MAX_TRUTH)} events are here; the file has {shownCount(truth.left_out)} more.
        </Text>
      )}
    </>
  );
};

/** The entity whose events are shown; the tree of entities chooses it, too. */
export const useEntityFilter = () => useAddress<string>('entity', '', true);

const shownText = (shown: number, all: number): string =>
  shown === all ? `${counted(all, 'event')}.` : `${shownCount(shown)} of ${counted(all, 'event')}.`;

/** Oldest first, as the members wrote them. */
const save = (name: string, events: readonly TruthEvent[]): void => {
  const lines = events.map(({ line }) => line).toReversed();
  saveAs(`${name}-truth.ndjson`, new Blob([`${lines.join('\n')}\n`], { type: 'application/x-ndjson' }));
};

/** Entities as they were drawn for the run of these events: the ground truth has them after its end, too. */
const drawnIn = (events: readonly TruthEvent[], entities: JsonObject | null): JsonObject => {
  const drawn = new Map(Object.entries(entities ?? {}));
  for (const event of events)
    for (const [name, entity] of Object.entries(event.entities))
      if (!drawn.has(name)) drawn.set(name, entity);
  return Object.fromEntries(drawn);
};

interface ChoicesProps {
  readonly label: string;
  readonly choices: readonly TruthChoice[];
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
  readonly title?: (value: string) => string;
}

/** Values to choose from; a second click takes the choice back. */
const Choices = ({ label, choices, chosen, onChoose, title = (value) => value }: ChoicesProps) =>
  choices.length === 0 ? null : (
    <Group gap={6} role="group" aria-label={label}>
      <Text size="sm" w={56} aria-hidden="true">
        {label}
      </Text>
      {choices.map(({ value, count }) => (
        <Button
          key={value}
          size="compact-sm"
          variant={value === chosen ? 'filled' : 'default'}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value === chosen ? '' : value)}
        >
          {title(value)} ({shownCount(count)})
        </Button>
      ))}
    </Group>
  );
