import { Group, SegmentedControl, Stack, Text, TextInput, useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { Json } from '../../../../domain/json.js';
import { ErrorNote } from '../../../parts/ErrorNote.js';
import { shownCount } from '../../../parts/numbers.js';
import { inputWords, instantOf, PERIODS, type Period, type Timeline } from '../timeline.js';
import { inputColor } from './colors.js';
import { type Counted, type PreviewSource, useTimeline } from './useTimeline.js';

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

const isPeriod = (value: string): value is Period => value in PERIODS;

const summary = (
  { timeline, first, period }: Counted,
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
export const TimelinePanel = ({ source }: { readonly source: PreviewSource }) => {
  const [period, setPeriod] = useState<Period>('hour');
  const [start, setStart] = useState('');
  const zone = source.zone ?? 'UTC';
  const startMs = instantOf(start, zone);
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
