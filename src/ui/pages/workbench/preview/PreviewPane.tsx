import {
  Alert,
  Group,
  SegmentedControl,
  Stack,
  Tabs,
  Text,
  TextInput,
  useComputedColorScheme,
} from '@mantine/core';
import { lazy, memo, Suspense, useEffect, useMemo, useState } from 'react';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';
import { ErrorNote } from '../../../parts/notes.js';
import { shownCount } from '../../../parts/numbers.js';
import { VIEWS, type View } from '../address.js';
import type { CheckedConfig } from '../configCheck.js';
import { Locations } from '../Problems.js';
import { type FileProblem, fileProblemsOf, namedLocation } from '../problemLocations.js';
import { EventList } from './EventList.js';
import { ParamsPanel } from './ParamsPanel.js';
import { PreviewExplorer } from './PreviewExplorer.js';
import { StatePanel } from './StatePanel.js';
import {
  inputColor,
  inputWords,
  PERIODS,
  type Timeline,
  type TimelinePeriod,
  timelineInstantOf,
} from './timeline.js';
import { useEvents } from './useEvents.js';
import { type CountedTimeline, type PreviewSource, useNextTimestamps, useTimeline } from './useTimeline.js';

const Histogram = lazy(() => import('./Histogram.js'));

const timeIn = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
  return (iso: string): string => format.format(new Date(iso));
};

const Legend = ({ inputs, timeline }: { readonly inputs: readonly Json[]; readonly timeline: Timeline }) => {
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ul className="legend" aria-label="Inputs">
      {inputs.map((input, index) => {
        const { kind, words } = inputWords(input);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity of an input
          <li key={index}>
            <svg width={12} height={12} aria-hidden="true">
              <rect width={12} height={12} rx={3} fill={inputColor(index, isDark)} />
            </svg>
            <Text size="sm" component="span">
              <b>{kind}</b> {words}
            </Text>
            <Text size="sm" component="span" className="figure">
              {shownCount(timeline.totals[index] ?? 0)}
            </Text>
          </li>
        );
      })}
    </ul>
  );
};

const isPeriod = (value: string): value is TimelinePeriod => value in PERIODS;

const summary = (
  { timeline, first, period }: CountedTimeline,
  isFromNow: boolean,
  shownTime: (iso: string) => string,
): string => {
  const when = isFromNow ? `the coming ${period}` : `the ${period} from then on`;
  if (first === null) return `The inputs make no timestamps from ${isFromNow ? 'now' : 'then'} on.`;
  return timeline.total === 0
    ? `No timestamps in ${when}. The next is at ${shownTime(first)}.`
    : `${shownCount(timeline.total)} timestamps in ${when}, the first at ${shownTime(first)}.`;
};

/** When the events of the coming hour, day or week come. */
const TimelinePanel = ({ source }: { readonly source: PreviewSource }) => {
  const [period, setPeriod] = useState<TimelinePeriod>('hour');
  const [start, setStart] = useState('');
  const zone = source.zone ?? 'UTC';
  const startMs = timelineInstantOf(start, zone);
  const { data, error } = useTimeline(source, period, startMs);
  const shownTime = useMemo(() => timeIn(zone), [zone]);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={Object.entries(PERIODS).map(([value, { label }]) => ({ value, label }))}
          value={period}
          onChange={(value) => isPeriod(value) && setPeriod(value)}
        />
        <TextInput
          type="datetime-local"
          size="xs"
          aria-label={`From, in ${zone}; empty: now`}
          value={start}
          onChange={(event) => setStart(event.currentTarget.value)}
        />
        <Text size="sm">Times in {zone}</Text>
      </Group>
      {error !== null && <ErrorNote title="The timestamps cannot be made" error={error} />}
      {data !== null && (
        <>
          <Text size="sm" role="status">
            {summary(data, startMs === null, shownTime)}
          </Text>
          {data.cutAt !== null && (
            <Text size="sm">
              These inputs are too fast for a whole {data.period}. It is counted up to {shownTime(data.cutAt)}
              .
            </Text>
          )}
          {data.timeline.total > 0 && (
            <Suspense>
              <Histogram
                timeline={data.timeline}
                fromMs={data.fromMs}
                toMs={data.fromMs + PERIODS[data.period].ms}
                zone={zone}
                label={summary(data, startMs === null, shownTime)}
              />
            </Suspense>
          )}
          <Legend inputs={data.inputs} timeline={data.timeline} />
        </>
      )}
    </Stack>
  );
};

export interface PreviewPaneProps {
  readonly name: string;
  readonly checked: CheckedConfig;
  readonly zone: string | null;
  readonly revision: number;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly params: JsonObject;
  readonly onParams: (params: JsonObject) => void;
  readonly configPath: string;
  readonly onProblems: (problems: readonly FileProblem[]) => void;
  readonly onGo: (problem: FileProblem) => void;
  /** Unsaved texts of files. */
  readonly files: Readonly<Record<string, string>>;
  /** Files with unsaved changes that the preview does not see. */
  readonly unseen: readonly string[];
}

const worldsOf = (inputs: readonly Json[] | null): readonly Json[] =>
  (inputs ?? []).filter((input) => isJsonObject(input) && 'world' in input);

const LABELS: Readonly<Record<View, string>> = {
  events: 'Events',
  explore: 'Explore',
  timeline: 'Timeline',
  state: 'State',
};

/** What the config on the left makes, while it is typed. */
export const PreviewPane = memo((props: PreviewPaneProps) => {
  const {
    name,
    checked,
    zone,
    revision,
    view,
    onView,
    params,
    onParams,
    files,
    unseen,
    configPath,
    onProblems,
    onGo,
  } = props;
  const [round, setRound] = useState(0);
  const [output, setOutput] = useState(0);
  const source = { name, inputs: checked.inputs, zone, round };
  const next = useNextTimestamps(source);
  const formatter = checked.formatters[output] ?? checked.formatters[0] ?? null;
  const events = useEvents({
    name,
    event: checked.event,
    worlds: useMemo(() => worldsOf(checked.inputs), [checked.inputs]),
    stamps: next.data?.stamps ?? null,
    formatter: formatter?.config ?? null,
    zone,
    files,
    revision: revision + round,
  });
  const problems = useMemo(() => {
    const { locate } = checked;
    const failures = (events.run?.failures ?? []).flatMap((text) => namedLocation(text) ?? []);
    return [
      ...fileProblemsOf(next.error, { key: 'input', path: configPath, locate }),
      ...fileProblemsOf(events.error, { key: 'event', path: configPath, locate }),
      ...(events.error === null ? failures : []),
    ];
  }, [checked, next.error, events.error, events.run, configPath]);
  const broken =
    checked.inputs === null || checked.event === null
      ? checked.problems.find(({ severity }) => severity === 'error')
      : undefined;
  useEffect(() => onProblems(problems), [problems, onProblems]);
  return (
    <Tabs
      value={view}
      onChange={(value) => onView(VIEWS.find((one) => one === value) ?? 'events')}
      className="preview"
      keepMounted={false}
    >
      <Group justify="space-between" gap="xs" className="pane-head" px="xs">
        <Group gap="xs">
          <Tabs.List>
            {VIEWS.map((one) => (
              <Tabs.Tab key={one} value={one} px="xs">
                {LABELS[one]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Group>
        <ParamsPanel params={checked.params} values={params} onValues={onParams} missing={checked.missing} />
      </Group>
      <div className="pane-body padded">
        {broken !== undefined && (
          <Alert color="red" p="xs" mb="xs" role="status">
            <Text size="sm" mb="xs" className="wrapped">
              {broken.message}
            </Text>
            <Locations problems={[{ ...broken, path: configPath }]} onGo={onGo} />
            <Text size="sm" mt="xs">
              Below is the last good preview.
            </Text>
          </Alert>
        )}
        {unseen.length > 0 && (
          <Text size="sm" mb="xs" role="status">
            The preview uses the saved text of {unseen.join(', ')}. Save to see your changes.
          </Text>
        )}
        <Tabs.Panel value="events">
          <EventList
            {...events}
            error={events.error ?? next.error}
            problems={problems}
            onGo={onGo}
            areSteady={next.data?.areSteady ?? false}
            formatters={checked.formatters}
            formatter={formatter === null ? 0 : checked.formatters.indexOf(formatter)}
            onFormatter={setOutput}
            onStep={events.step}
            onAgain={() => setRound((former) => former + 1)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="explore">
          <PreviewExplorer
            run={events.run}
            isBusy={events.isBusy}
            error={events.error ?? next.error}
            onStep={events.step}
          />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <TimelinePanel source={source} />
        </Tabs.Panel>
        <Tabs.Panel value="state">
          <StatePanel
            name={name}
            event={checked.event}
            made={events.run?.made ?? 0}
            onStep={() => events.step()}
          />
        </Tabs.Panel>
      </div>
    </Tabs>
  );
});
