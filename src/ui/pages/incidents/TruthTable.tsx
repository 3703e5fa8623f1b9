import { Anchor, Button, Table, Text, UnstyledButton } from '@mantine/core';
import { memo, useState } from 'react';
import { Link } from 'wouter';
import { type JsonObject, parsedJson } from '../../../domain/json.js';
import type { IncidentMemberStatus } from '../../../messages/incidents.js';
import { JsonTree } from '../../parts/JsonTree.js';
import { shownCount } from '../../parts/numbers.js';
import { browserZone, shownTime } from '../../parts/times.js';
import { excerptOf, searchFor, type TruthEvent } from './truth.js';
import type { TailedEvents } from './useTruth.js';

/** Rows that show at first. */
const FIRST_ROWS = 100;

interface TruthTableProps {
  readonly events: readonly TruthEvent[];
  readonly seen: TailedEvents;
  readonly nameOf: (generator: string) => string;
  readonly members: readonly IncidentMemberStatus[];
  /** Texts by which an event shows the chosen entity, or any. */
  readonly textsOf: (event: TruthEvent) => readonly string[];
}

const keyOf = ({ generator, event, mark }: TruthEvent): string => `${mark} ${generator} ${event}`;

export const TruthTable = ({ events, seen, nameOf, members, textsOf }: TruthTableProps) => {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const [open, setOpen] = useState<string | null>(null);
  const ids = new Set(members.map(({ generator_id }) => generator_id));
  return (
    <>
      <Table.ScrollContainer minWidth={720}>
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
                texts={JSON.stringify(textsOf(event))}
                isThere={ids.has(event.generator)}
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
  /** A list as JSON: the same text while nothing changes. */
  readonly texts: string;
  /** Its generator is there, with live events. */
  readonly isThere: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (key: string | null) => void;
}

const TruthRow = memo(({ event, text, source, texts, isThere, isOpen, onOpen }: TruthRowProps) => {
  const { at, generator, phase } = event;
  const shownBy = JSON.parse(texts) as readonly string[];
  const [find = ''] = shownBy.map(searchFor);
  const query = find === '' ? '' : `?${new URLSearchParams({ find })}`;
  return (
    <>
      <Table.Tr>
        <Table.Td className="figure">{shownTime(at, browserZone())}</Table.Td>
        <Table.Td>
          {isThere ? (
            <Anchor
              component={Link}
              href={`/r/${encodeURIComponent(generator)}${query}`}
              size="sm"
              underline="always"
              title={`Live events of ${source}${find === '' ? '' : `: ${find}`}`}
            >
              {source}
            </Anchor>
          ) : (
            source
          )}
        </Table.Td>
        <Table.Td>{phase}</Table.Td>
        <Table.Td className="truth-event">
          <UnstyledButton
            aria-expanded={isOpen}
            onClick={() => onOpen(isOpen ? null : keyOf(event))}
            className="truth-text"
          >
            {text === null ? `number ${shownCount(event.event)}` : <Excerpted text={text} texts={shownBy} />}
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

/** An event on one line, from near what shows the entity on. */
const Excerpted = ({ text, texts }: { readonly text: string; readonly texts: readonly string[] }) => {
  const { before, shown, after } = excerptOf(text, texts);
  return (
    <>
      {before}
      {shown !== '' && <mark>{shown}</mark>}
      {after}
    </>
  );
};

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
