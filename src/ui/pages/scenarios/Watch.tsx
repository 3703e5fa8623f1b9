import { Anchor, Button, Group, Select, Text, useMantineTheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client.js';
import { link, useLive } from '../../api/live.js';
import { useAddress } from '../../parts/address.js';
import { patchMarks } from '../../parts/charts/marks.js';
import { alignedRates, lastOf } from '../../parts/charts/steps.js';
import { TimeChart, useLineColors } from '../../parts/charts/TimeChart.js';
import { type Numbered, withNews } from '../../parts/events/numbered.js';
import { StreamList } from '../../parts/events/StreamList.js';
import { perSecond, shownRate } from '../../parts/numbers.js';
import { useHistoryOfGlobals } from './useGlobals.js';

/** Members that the chart and the events of all have room for. */
export const MAX_WATCHED = 8;

/** Seconds that the chart shows, and those of a step. */
const SHOWN_SECONDS = 300;
const STEP_SECONDS = 2;
const WINDOW = { seconds: SHOWN_SECONDS, zoom: null };

const REFRESH_MS = 2_000;
const HEIGHT = 200;

/** Series of members; null for one that the service does not know. */
const useMemberSeries = (ids: readonly string[]) =>
  useQuery({
    queryKey: ['member-series', ...ids],
    queryFn: () =>
      Promise.all(
        ids.map((id) =>
          call('readGeneratorSeries', {
            path: { id },
            query: { last: SHOWN_SECONDS, step: STEP_SECONDS },
          }).catch(() => null),
        ),
      ),
    refetchInterval: REFRESH_MS,
    structuralSharing: false,
  });

interface MemberRatesProps {
  readonly name: string;
  readonly ids: readonly string[];
}

/** Events per second of the members, one on top of the other, with a line at each change of globals over the API. */
export const MemberRates = ({ name, ids }: MemberRatesProps) => {
  const watched = ids.slice(0, MAX_WATCHED);
  const series = useMemberSeries(watched);
  const history = useHistoryOfGlobals(name);
  const colors = useLineColors();
  const theme = useMantineTheme();
  const steps = useMemo(() => alignedRates(series.data ?? []), [series.data]);
  const marks = useMemo(() => patchMarks(history.data ?? [], theme.colors.violet[5]), [history.data, theme]);
  const reached = marks.filter(({ at_ms }) => at_ms >= steps.end_ms - SHOWN_SECONDS * 1_000);
  const [last] = reached;
  const now = watched
    .map((id, index) => `${id} ${shownRate(lastOf(steps.lists[index] ?? []) ?? 0)}`)
    .join(', ');
  return (
    <div>
      <TimeChart
        label={`Events per second of the members in the last five minutes; now ${now}; ${reached.length} changes of globals`}
        height={HEIGHT}
        window={WINDOW}
        steps={steps}
        lines={watched.map((id, index) => ({ name: id, color: colors[index] ?? 'currentColor' }))}
        isStacked
        shown={perSecond}
        unknown="no member ran"
        marks={marks}
        empty={series.isPending ? '' : 'No member has made events in the last five minutes.'}
      />
      <Text size="xs">
        Events per second, one member on top of the other.
        {last !== undefined && ` Dashed: changes of globals; the last: ${last.text}.`}
        {ids.length > watched.length && ` The first ${watched.length} of ${ids.length} members.`}
      </Text>
    </div>
  );
};

interface MemberEvent {
  readonly id: string;
  readonly text: string;
}

const MAX_EVENTS = 60;
/** Events per second and member. */
const RATES = { all: 2, one: 5 } as const;

const useMemberTail = (ids: readonly string[], isPaused: boolean) => {
  const [events, setEvents] = useState<readonly Numbered<MemberEvent>[]>([]);
  const wanted = ids.join('\n');
  useEffect(() => {
    const watched = new Set(wanted.split('\n'));
    setEvents((former) => former.filter(({ value }) => watched.has(value.id)));
  }, [wanted]);
  useEffect(() => {
    if (isPaused || wanted === '') return;
    const watched = wanted.split('\n');
    const rate = watched.length === 1 ? RATES.one : RATES.all;
    const leave = watched.map((id) =>
      link.tail({ id, rate, find: '' }, ({ events: news }) =>
        setEvents((former) =>
          withNews(
            former,
            news.map(({ text }) => ({ id, text })),
            MAX_EVENTS,
          ),
        ),
      ),
    );
    return () => {
      for (const one of leave) one();
    };
  }, [wanted, isPaused]);
  return events;
};

const ALL = '';

/** A short tail of the events of all members, or of one. */
export const MemberEvents = ({
  ids,
  colorOf,
}: {
  readonly ids: readonly string[];
  readonly colorOf: (id: string) => string | undefined;
}) => {
  const [given, choose] = useAddress<string>('member', ALL);
  const member = ids.includes(given) ? given : ALL;
  const [isPaused, setPaused] = useState(false);
  const events = useMemberTail(member === ALL ? ids.slice(0, MAX_WATCHED) : [member], isPaused);
  const live = useLive();
  const isRunning = ids.some((id) => live.generators.get(id)?.phase === 'running');
  return (
    <>
      <Group gap="sm">
        <Select
          aria-label="Member whose events are shown"
          data={[{ value: ALL, label: 'All members' }, ...ids.map((id) => ({ value: id, label: id }))]}
          value={member}
          onChange={(id) => choose(id ?? ALL)}
          allowDeselect={false}
          size="xs"
          w={200}
        />
        <Button
          variant="default"
          size="xs"
          leftSection={isPaused ? <Play size={14} /> : <Pause size={14} />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        {member !== ALL && (
          <Anchor component={Link} href={`/r/${encodeURIComponent(member)}`} size="sm" underline="always">
            Search all events of {member}
          </Anchor>
        )}
      </Group>
      {events.length === 0 ? (
        <Text size="sm">
          {isRunning ? 'Waiting for the next event.' : 'No member runs. Start one to see its events.'}
        </Text>
      ) : (
        <StreamList
          lines={events}
          label="Events of members, newest first"
          height={260}
          row={({ value: { id, text } }) => (
            <div className="line member-event">
              <span
                className="swatch"
                style={{ background: colorOf(id) ?? 'currentColor' }}
                title={id}
                aria-hidden
              />
              <span>
                {member === ALL && <b>{id} </b>}
                {text.slice(0, MAX_SHOWN)}
              </span>
            </div>
          )}
        />
      )}
    </>
  );
};

/** Characters of an event in the list. */
const MAX_SHOWN = 400;
