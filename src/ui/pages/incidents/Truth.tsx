import { Anchor, Button, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type JsonObject, parsedJson } from '../../../domain/json.js';
import type { IncidentMemberStatus } from '../../../messages/incidents.js';
import { call } from '../../api/client.js';
import { link } from '../../api/live.js';
import { saveAs } from '../../api/saveAs.js';
import { useAddress } from '../../parts/address.js';
import { JsonTree } from '../../parts/JsonTree.js';
import { ErrorNote } from '../../parts/notes.js';
import { counted, shownCount } from '../../parts/numbers.js';
import { browserZone, shownTime } from '../../parts/times.js';
import {
  type Choice,
  choicesOf,
  entityTexts,
  isChosen,
  MAX_TRUTH,
  markIn,
  NO_TRUTH,
  type SeenEvent,
  searchFor,
  sourceOf,
  strangersOf,
  type Truth,
  type TruthEvent,
  withTruth,
} from './truth.js';
import type { Shown } from './useIncident.js';

/** Rows that show at first. */
const FIRST_ROWS = 100;

/** Every event that a phase has added, as it is made: what it is, who made it, and which entities it shows. */
export const GroundTruth = ({ incident }: { readonly incident: Shown }) => {
  const { name, members, run, state } = incident;
  const { truth, error } = useTruth(incident);
  const { events, problem } = truth;
  const [source, setSource] = useAddress<string>('source', '');
  const [phase, setPhase] = useAddress<string>('phase', '');
  const [entity, setEntity] = useEntityFilter();
  const drawn = useMemo(() => drawnIn(events, incident.entities), [events, incident.entities]);
  const seen = useSeen(members, run === null ? {} : drawn, entity);
  const nameOf = useMemo(() => sourceOf(name, members), [name, members]);
  const shown = useMemo(
    () => events.filter((event) => isChosen(event, { source, phase, entity }, nameOf)),
    [events, source, phase, entity, nameOf],
  );
  const sources = useMemo(() => choicesOf(events, ({ generator }) => [nameOf(generator)]), [events, nameOf]);
  const phases = useMemo(() => choicesOf(events, (event) => [event.phase]), [events]);
  const entities = useMemo(() => choicesOf(events, (event) => Object.keys(event.entities)), [events]);
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
        searchOf={(event) => searchOf(event, drawn, entity)}
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

/** What finds an event of the ground truth, or its like, in the live events of its generator. */
const searchOf = ({ entities }: TruthEvent, drawn: JsonObject, chosen: string): string => {
  const [text] = entityTexts(chosen === '' ? Object.values(entities) : drawn[chosen]);
  return text === undefined ? '' : searchFor(text);
};

interface ChoicesProps {
  readonly label: string;
  readonly choices: readonly Choice[];
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

interface TruthTableProps {
  readonly events: readonly TruthEvent[];
  readonly seen: ReadonlyMap<string, SeenEvent>;
  readonly nameOf: (generator: string) => string;
  readonly members: readonly IncidentMemberStatus[];
  readonly searchOf: (event: TruthEvent) => string;
}

const keyOf = ({ generator, event, mark }: TruthEvent): string => `${mark} ${generator} ${event}`;

const TruthTable = ({ events, seen, nameOf, members, searchOf: findOf }: TruthTableProps) => {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const [open, setOpen] = useState<string | null>(null);
  const ids = new Set(members.map(({ generator_id }) => generator_id));
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table aria-label="Events of the ground truth" verticalSpacing={4} className="truth">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Time</Table.Th>
              <Table.Th scope="col">Source</Table.Th>
              <Table.Th scope="col">Phase</Table.Th>
              <Table.Th scope="col">Event</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {events.slice(0, limit).map((event) => (
              <TruthRow
                key={keyOf(event)}
                event={event}
                text={seen.get(event.mark ?? '')?.text ?? null}
                source={nameOf(event.generator)}
                find={ids.has(event.generator) ? findOf(event) : null}
                isOpen={open === keyOf(event)}
                onOpen={setOpen}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {events.length > limit && (
        <Button variant="default" onClick={() => setLimit(limit + 5 * FIRST_ROWS)}>
          Show more of {shownCount(events.length)}
        </Button>
      )}
    </>
  );
};

interface TruthRowProps {
  readonly event: TruthEvent;
  /** The event itself. Null when the page has not seen it. */
  readonly text: string | null;
  readonly source: string;
  /** Search for it among the live events. Null when its generator is gone. */
  readonly find: string | null;
  readonly isOpen: boolean;
  readonly onOpen: (key: string | null) => void;
}

const TruthRow = memo(({ event, text, source, find, isOpen, onOpen }: TruthRowProps) => {
  const { at, generator, phase } = event;
  const query = find === null || find === '' ? '' : `?${new URLSearchParams({ find })}`;
  return (
    <>
      <Table.Tr>
        <Table.Td className="figure">{shownTime(at, browserZone())}</Table.Td>
        <Table.Td>
          {find === null ? (
            source
          ) : (
            <Anchor
              component={Link}
              href={`/r/${encodeURIComponent(generator)}${query}`}
              size="sm"
              underline="always"
              title={`Live events of ${source}${query === '' ? '' : `: ${find}`}`}
            >
              {source}
            </Anchor>
          )}
        </Table.Td>
        <Table.Td>{phase}</Table.Td>
        <Table.Td className="truth-event">
          <UnstyledButton
            aria-expanded={isOpen}
            onClick={() => onOpen(isOpen ? null : keyOf(event))}
            className="truth-text"
          >
            {text ?? `number ${shownCount(event.event)}`}
          </UnstyledButton>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr>
          <Table.Td colSpan={4}>
            <TruthDetail event={event} text={text} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
});

/** An event beside what the ground truth says of it. */
const TruthDetail = ({ event: { line, mark }, text }: Pick<TruthRowProps, 'event' | 'text'>) => {
  const document = text === null ? undefined : (parsedJson(text) as JsonObject | string | undefined);
  return (
    <div className="truth-detail">
      <section aria-label="In the ground truth">
        <Text size="sm" fw={600}>
          In the ground truth
        </Text>
        <JsonTree value={parsedJson(line) as JsonObject} />
      </section>
      <section aria-label="The event">
        <Text size="sm" fw={600}>
          The event
        </Text>
        {text === null ? (
          <Text size="sm">
            {mark === null
              ? 'Without `marks` in the file of the incident, it cannot be told which event this is.'
              : 'It was made while this page did not listen: the output of its generator has it. An open page shows those with an entity.'}
          </Text>
        ) : typeof document === 'object' ? (
          <JsonTree value={document} />
        ) : (
          <Text component="pre" size="xs" ff="monospace" m={0} className="wrapped">
            {text}
          </Text>
        )}
      </section>
    </div>
  );
};

const TRUTH_MS = 1_000;

/** The ground truth so far; it begins anew with each run. */
const useTruth = ({ name, state, run, last, problem }: Shown) => {
  const client = useQueryClient();
  const key = ['incident', name, 'truth', run?.started_at ?? last?.at ?? ''];
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: async () => {
      let truth = client.getQueryData<Truth>(key) ?? NO_TRUTH;
      for (let isMore = true; isMore; ) {
        const query = truth.next === null ? {} : { after: truth.next };
        const part = await call('readIncidentTruth', { path: { name }, query });
        truth = withTruth(truth, part);
        isMore = part.is_more;
      }
      return truth;
    },
    enabled: problem === null || state !== 'idle',
    placeholderData: (former) => former,
    refetchInterval: state === 'idle' ? false : TRUTH_MS,
  });
  return { truth: data ?? NO_TRUTH, error };
};

/** Events with a mark that a page keeps. */
const MAX_SEEN = 5_000;
/** A stream has room for eight searches, and other pages have theirs. */
const MAX_TEXTS = 6;
/** Events a second that each search may find. */
const SEEN_RATE = 100;

/** Events of the members that show an entity, by their marks, from now on; first those of the chosen one. */
const useSeen = (
  members: readonly IncidentMemberStatus[],
  drawn: JsonObject,
  chosen: string,
): ReadonlyMap<string, SeenEvent> => {
  const [seen, setSeen] = useState<ReadonlyMap<string, SeenEvent>>(new Map());
  const kept = useRef(new Map<string, SeenEvent>());
  const ids = members.flatMap(({ generator_id }) => generator_id ?? []);
  const texts = [...new Set([...entityTexts(drawn[chosen]), ...entityTexts(drawn)])].slice(0, MAX_TEXTS);
  const wanted = JSON.stringify({ ids, texts });
  useEffect(() => {
    const wish = JSON.parse(wanted) as { readonly ids: typeof ids; readonly texts: typeof texts };
    const stops = wish.texts.flatMap((text) =>
      wish.ids.map((id) =>
        link.tail({ id, rate: SEEN_RATE, find: searchFor(text) }, ({ events }) => {
          const found = events.flatMap((event) => {
            const mark = markIn(event.text);
            return mark === null ? [] : [{ mark, text: event.text, at_ms: performance.now() }];
          });
          if (found.length === 0) return;
          for (const event of found) kept.current.set(event.mark, event);
          for (const mark of [...kept.current.keys()].slice(0, -MAX_SEEN)) kept.current.delete(mark);
          setSeen(new Map(kept.current));
        }),
      ),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [wanted]);
  return seen;
};
