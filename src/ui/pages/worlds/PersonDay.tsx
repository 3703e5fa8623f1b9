import {
  ActionIcon,
  Alert,
  Button,
  CloseButton,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import {
  clockOfDay,
  factsText,
  type WorldDay,
  type WorldDayActivity,
} from '../../../domain/worlds/reports.js';
import { useAddress } from '../../parts/address.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { counted, shownCount } from '../../parts/numbers.js';
import { askWorld } from './answers.js';
import {
  dateAfter,
  filteredActivities,
  kindLanes,
  presenceLanes,
  type ShownActs,
  secondOfDay,
  shownActivities,
} from './day.js';

interface PersonDayProps {
  readonly world: string;
  /** User name. */
  readonly person: string;
  readonly onClose: () => void;
}

/** Where a person is when, and all that they do. */
export const PersonDay = ({ world, person, onClose }: PersonDayProps) => {
  const [date, setDate] = useAddress<string>('date', '');
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  const query = useQuery({
    queryKey: ['worlds', world, 'day', person, date],
    queryFn: () =>
      askWorld('readWorldDay', { path: { name: world, person }, query: date === '' ? {} : { date } }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const day = query.data;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Day of ${person}`} ref={place}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Stack gap={2}>
            <Title order={2} size="h4">
              {day?.person.full_name ?? person}
            </Title>
            {day !== undefined && (
              <Text size="sm">
                {day.person.user}, {day.person.title}, {day.person.department}, {day.person.site}. Times are
                those of {day.time_zone}.
              </Text>
            )}
          </Stack>
          <CloseButton aria-label="Close the day" onClick={onClose} />
        </Group>
        <DateChoice date={day === undefined || date !== '' ? date : day.date} onChange={setDate} />
        {query.isError && <ErrorNote title="The day cannot be shown" error={query.error} />}
        {query.isPending && (
          <>
            <Text role="status" c="dimmed">
              The day is being made. In a large world that takes up to a minute.
            </Text>
            <Loading />
          </>
        )}
        {day !== undefined && <Day key={`${day.person.user} ${day.date}`} day={day} />}
      </Stack>
    </Paper>
  );
};

const DateChoice = ({
  date,
  onChange,
}: {
  readonly date: string;
  readonly onChange: (date: string) => void;
}) => (
  <Group gap="xs" align="flex-end">
    <TextInput
      type="date"
      label="Day"
      value={date}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
    <ActionIcon
      variant="default"
      size="input-sm"
      aria-label="The day before"
      disabled={date === ''}
      onClick={() => onChange(dateAfter(date, -1))}
    >
      <ChevronLeft size={18} />
    </ActionIcon>
    <ActionIcon
      variant="default"
      size="input-sm"
      aria-label="The day after"
      disabled={date === ''}
      onClick={() => onChange(dateAfter(date, 1))}
    >
      <ChevronRight size={18} />
    </ActionIcon>
  </Group>
);

const Day = ({ day }: { readonly day: WorldDay }) => {
  const [shown, setShown] = useState<ShownActs>('acts');
  const [kind, setKind] = useState<string | null>(null);
  const activities = useMemo(() => shownActivities(day, shown), [day, shown]);
  const lanes = useMemo(() => kindLanes(activities, day.date), [activities, day.date]);
  const change = (next: ShownActs): void => {
    setShown(next);
    setKind(null);
  };
  return (
    <>
      {day.parts.length === 0 && <Alert color="gray">Does not work on this day.</Alert>}
      <SegmentedControl
        aria-label="What is shown"
        value={shown}
        onChange={(next) => change(next === 'all' ? 'all' : 'acts')}
        data={[
          { value: 'acts', label: 'What is decided' },
          { value: 'all', label: 'And all that follows' },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      <div className="world-day">
        <Presence day={day} />
        <ul className="world-lanes" aria-label="Activities over the day">
          {lanes.map((lane) => (
            <li key={lane.kind} className="world-lane">
              <button
                type="button"
                className="world-lane-name"
                aria-pressed={kind === lane.kind}
                title={`Lists ${lane.kind} only`}
                onClick={() => setKind(kind === lane.kind ? null : lane.kind)}
              >
                <span>{lane.kind}</span> <span className="world-lane-count">{shownCount(lane.count)}</span>
              </button>
              <svg
                className="world-track world-marks"
                viewBox="0 0 1440 1"
                preserveAspectRatio="none"
                role="img"
                aria-label={`${lane.kind}, ${shownCount(lane.count)} times`}
              >
                <path d={lane.marks} vectorEffect="non-scaling-stroke" />
              </svg>
            </li>
          ))}
        </ul>
        <Axis />
      </div>
      <Activities day={day} activities={activities} kind={kind} onKind={setKind} />
    </>
  );
};

const Presence = ({ day }: { readonly day: WorldDay }) => (
  <ul className="world-lanes" aria-label="Where the person is">
    {presenceLanes(day).map(({ what, bars }) => (
      <li key={what} className="world-lane">
        <span className="world-lane-name">{what}</span>
        <div className="world-track">
          {bars.map(({ part, left, width }) => {
            const text = `${what}, ${clockOfDay(part.from, day.date)} to ${clockOfDay(part.to, day.date)}${part.host === null ? '' : `, ${part.host}`}`;
            return (
              <div
                key={part.from}
                className="world-bar"
                data-what={what}
                role="img"
                aria-label={text}
                title={text}
                style={{ left: `${left}%`, width: `${width}%` }}
              />
            );
          })}
        </div>
      </li>
    ))}
  </ul>
);

const TICKS = [0, 3, 6, 9, 12, 15, 18, 21, 24];

const Axis = () => (
  <div className="world-axis" aria-hidden="true">
    {TICKS.map((hour) => (
      <span key={hour} className="world-tick" style={{ left: `${(100 * hour) / 24}%` }}>
        {hour}
      </span>
    ))}
  </div>
);

const FIRST_ROWS = 100;

interface ActivitiesProps {
  readonly day: WorldDay;
  readonly activities: readonly WorldDayActivity[];
  /** The only kind that is listed. Null for all. */
  readonly kind: string | null;
  readonly onKind: (kind: string | null) => void;
}

const Activities = ({ day, activities, kind, onKind }: ActivitiesProps) => {
  const [words, setWords] = useState('');
  const [hour, setHour] = useState<string | null>(null);
  const [rows, setRows] = useState(FIRST_ROWS);
  const found = useMemo(
    () =>
      filteredActivities(activities, day.date, { kind, hour: hour === null ? null : Number(hour), words }),
    [activities, day.date, kind, hour, words],
  );
  const hours = useMemo(
    () => [...new Set(activities.map(({ at }) => Math.floor(secondOfDay(at, day.date) / 3_600)))],
    [activities, day.date],
  );
  return (
    <>
      <Group gap="sm" align="flex-end">
        <TextInput
          aria-label="Filter the activities"
          placeholder="Kind, host or fact"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <Select
          aria-label="Hour"
          placeholder="All hours"
          clearable
          w={150}
          value={hour}
          onChange={setHour}
          data={hours.map((one) => ({
            value: String(one),
            label: `from ${String(one).padStart(2, '0')}:00`,
          }))}
        />
        {kind !== null && (
          <Button variant="default" rightSection={<X size={14} />} onClick={() => onKind(null)}>
            {kind}
          </Button>
        )}
        <Text size="sm" role="status">
          {counted(found.length, 'activity', 'activities')}
        </Text>
      </Group>
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label="Activities" verticalSpacing={4} className="world-activities">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>Host</Table.Th>
              <Table.Th>Details</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.slice(0, rows).map(({ id, at, kind: one, host, facts }) => (
              <Table.Tr key={id}>
                <Table.Td>{clockOfDay(at, day.date)}</Table.Td>
                <Table.Td>{one}</Table.Td>
                <Table.Td>{host ?? '–'}</Table.Td>
                <Table.Td className="wrapped">{factsText(facts)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {found.length > rows && (
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setRows(rows + 5 * FIRST_ROWS)}
        >
          Show more
        </Button>
      )}
    </>
  );
};
