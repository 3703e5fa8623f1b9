import { Badge, Button, Table, Text } from '@mantine/core';
import { memo, useState } from 'react';
import type { IncidentMoment } from '../../../messages/incidents.js';
import { Needs } from '../../app/role.js';
import { shownCount } from '../../parts/numbers.js';
import { incidentTitleOf, spanText } from './position.js';

/** Rows that show at first. */
const FIRST_ROWS = 100;

interface RowProps {
  readonly moment: IncidentMoment;
  readonly isCurrent: boolean;
  /** Made and expected events of the phase. */
  readonly events: string;
  readonly onJump: ((seconds: number) => void) | null;
}

const Row = memo(({ moment, isCurrent, events, onJump }: RowProps) => (
  <Table.Tr {...(isCurrent ? { 'aria-current': 'step' as const, className: 'phase-now' } : {})}>
    <Table.Th scope="row" className="wrapped">
      {incidentTitleOf(moment)}{' '}
      {isCurrent && (
        <Badge size="sm" variant="filled">
          now
        </Badge>
      )}
    </Table.Th>
    <Table.Td className="figure">{spanText(moment)}</Table.Td>
    <Table.Td className="figure">
      {events}
      {moment.of > 1 && ' in all'}
    </Table.Td>
    <Table.Td className="wrapped">
      {moment.effects.map(({ member, effect }) => (
        <div key={`${member} ${effect}`}>
          <b>{member}</b> {effect}
        </div>
      ))}
    </Table.Td>
    {onJump !== null && (
      <Table.Td>
        <Needs to="jumpInIncident">
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Jump to ${incidentTitleOf(moment)}`}
            onClick={() => onJump(moment.from)}
          >
            Jump
          </Button>
        </Needs>
      </Table.Td>
    )}
  </Table.Tr>
));

interface PhasesProps {
  readonly timeline: readonly IncidentMoment[];
  /** Indices of the current phases, joined. */
  readonly current: string;
  /** Made and expected events by phase. */
  readonly counts: ReadonlyMap<string, string>;
  /** Jumps to a time of the incident. Null when nothing is under way. */
  readonly onJump: ((seconds: number) => void) | null;
}

/** The phases in words, in the order of their beginnings. */
export const Phases = ({ timeline, current, counts, onJump }: PhasesProps) => {
  const [limit, setLimit] = useState(FIRST_ROWS);
  const now = new Set(current.split(','));
  return (
    <>
      <Table aria-label="Phases" verticalSpacing="xs" horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Phase</Table.Th>
            <Table.Th scope="col">When</Table.Th>
            <Table.Th scope="col">Events made</Table.Th>
            <Table.Th scope="col">Effects</Table.Th>
            {onJump !== null && <Table.Th scope="col">Jump</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {timeline.slice(0, limit).map((moment, index) => (
            <Row
              key={`${moment.phase} ${moment.number}`}
              moment={moment}
              isCurrent={now.has(String(index))}
              events={counts.get(moment.phase) ?? ''}
              onJump={onJump}
            />
          ))}
        </Table.Tbody>
      </Table>
      {timeline.length > limit && (
        <Button variant="default" onClick={() => setLimit(limit + 5 * FIRST_ROWS)}>
          Show more of {shownCount(timeline.length)}
        </Button>
      )}
      {timeline.length === 0 && <Text size="sm">No phase.</Text>}
    </>
  );
};
