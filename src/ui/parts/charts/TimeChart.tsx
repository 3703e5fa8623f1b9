import { Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useMemo } from 'react';
import type uPlot from 'uplot';
import { browserZone, clockTime, shownTime, type TimeMark } from '../times.js';
import { Chart, type ChartColors, type ChartOptions } from './Chart.js';
import { type Steps, type StepValues, stackedSteps } from './steps.js';
import type { TimeWindow, Zoom } from './TimeWindow.js';

const HUES = ['cyan', 'orange', 'grape', 'lime', 'pink', 'indigo', 'yellow', 'teal'] as const;

/** Colors of the lines of a chart. */
export const useLineColors = (): readonly string[] => {
  const { colors } = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return useMemo(() => HUES.map((hue) => colors[hue][isDark ? 5 : 6]), [colors, isDark]);
};

export interface TimeLine {
  /** Not told by a chart with one line. */
  readonly name: string;
  readonly color: string;
}

interface TimeChartProps {
  /** What the chart shows, with its main numbers. */
  readonly label: string;
  readonly height: number;
  readonly window: Pick<TimeWindow, 'seconds' | 'zoom'> & Partial<Pick<TimeWindow, 'zoomTo'>>;
  /** One list for each line. */
  readonly steps: Steps;
  readonly lines: readonly TimeLine[];
  /** Areas on top of each other instead of lines. */
  readonly isStacked?: boolean;
  /** Must be stable, as `onAxis`. */
  readonly shown: (value: number) => string;
  /** As `shown`, where there is little room. */
  readonly onAxis?: (value: number) => string;
  /** Words for a step of which nothing is known. */
  readonly unknown?: string;
  readonly marks?: readonly TimeMark[];
  /** Stands where the chart would be empty. */
  readonly empty: string;
}

const SECOND_MS = 1_000;
const NO_MARKS: readonly TimeMark[] = [];

/** Values over a time that ends at the right; the mouse on one chart of a page tells the same moment on all. */
export const TimeChart = ({
  label,
  height,
  window: { seconds, zoom, zoomTo },
  steps,
  lines,
  isStacked = false,
  shown,
  onAxis = shown,
  unknown = 'nothing known',
  marks = NO_MARKS,
  empty,
}: TimeChartProps) => {
  const { end_ms, step, lists } = steps;
  const colors = lines.map(({ color }) => color).join();
  const options = useMemo(
    () => optionsFor({ seconds, zoom, colors: colors.split(','), isStacked, onAxis }),
    [seconds, zoom, colors, isStacked, onAxis],
  );
  const data = useMemo(
    () => dataOf(isStacked ? stackedSteps(lists).toReversed() : lists, step),
    [lists, step, isStacked],
  );
  const dashed = useMemo(
    () => marks.map(({ at_ms, color }) => ({ at: (at_ms - end_ms) / SECOND_MS, color })),
    [marks, end_ms],
  );
  if (lists.every((list) => list.every((value) => value === null)))
    return (
      <Text size="sm" mih={height}>
        {empty}
      </Text>
    );
  /** Each step has two points. */
  const readout = (point: number): string => {
    const index = Math.floor(point / 2);
    const count = lists[0]?.length ?? 0;
    const from_ms = end_ms + (index - count) * step * SECOND_MS;
    const happened = marks.filter(({ at_ms }) => at_ms >= from_ms && at_ms < from_ms + step * SECOND_MS);
    return [
      shownMoment(from_ms, step),
      ...toldValues(lines, lists, index, { shown, unknown, isStacked }),
      ...happened.map(({ text }) => text),
    ].join(', ');
  };
  const end_s = Math.floor(end_ms / SECOND_MS);
  return (
    <Chart
      label={label}
      height={height}
      data={data}
      options={options}
      marks={dashed}
      readout={readout}
      onZoom={
        zoomTo === undefined
          ? undefined
          : (from, to) =>
              zoomTo({ from: Math.floor(end_s + from), to: Math.min(Math.ceil(end_s + to), end_s) })
      }
    />
  );
};

const toldValues = (
  lines: readonly TimeLine[],
  lists: readonly StepValues[],
  index: number,
  { shown, unknown, isStacked }: { shown: (value: number) => string; unknown: string; isStacked: boolean },
): readonly string[] => {
  const values = lines.map(({ name }, line) => ({ name, value: lists[line]?.[index] ?? null }));
  const known = values.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
  if (known.length === 0) return [unknown];
  if (lines.length === 1) return known.map(({ value }) => shown(value));
  return (isStacked ? known.filter(({ value }) => value > 0) : known).map(
    ({ name, value }) => `${name} ${shown(value)}`,
  );
};

/** Each step from its start to its end, in seconds before the end: a lone one is seen, too. */
const dataOf = (lists: readonly StepValues[], step: number): uPlot.AlignedData => {
  const count = lists[0]?.length ?? 0;
  const at = Array.from({ length: count }, (_, i) => [(i - count) * step, (i + 1 - count) * step]).flat();
  return [at, ...lists.map((values) => values.flatMap((value) => [value, value]))];
};

interface Look extends Pick<TimeWindow, 'seconds'> {
  readonly zoom: Zoom | null;
  readonly colors: readonly string[];
  readonly isStacked: boolean;
  readonly onAxis: (value: number) => string;
}

const optionsFor =
  ({ seconds, zoom, colors, isStacked, onAxis }: Look) =>
  ({ text, grid }: ChartColors): ChartOptions => ({
    legend: { show: false },
    padding: [10, 12, 0, 0],
    scales: {
      x: { time: false, range: [-seconds, 0] },
      y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      { stroke: text, grid: { show: false }, size: 32, ...(zoom === null ? AGO_AXIS : clockAxis(zoom)) },
      {
        stroke: text,
        grid: { stroke: grid, width: 1 },
        size: 56,
        values: (_, splits) => splits.map(onAxis),
      },
    ],
    // The uppermost area is drawn first; those below cover the rest of it.
    series: [{}, ...(isStacked ? colors.toReversed() : colors).map(isStacked ? areaOf : lineOf)],
  });

const areaOf = (color: string): uPlot.Series => ({
  stroke: color,
  fill: color,
  width: 1,
  points: { show: false },
});

const lineOf = (color: string, index: number): uPlot.Series => ({
  stroke: color,
  width: 1.5,
  points: { show: false },
  ...(index === 0 ? { fill: `${color}33` } : {}),
});

const AGO = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

const agoText = (seconds: number): string => {
  if (seconds === 0) return 'now';
  const [size, unit] = AGO.find(([one]) => seconds % one === 0) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
};

/** Time as `-5 min`; the end is `now`. */
const AGO_AXIS: Partial<uPlot.Axis> = {
  incrs: [60, 300, 900, 3_600, 7_200, 21_600, 43_200, 86_400],
  values: (_, splits) => splits.map(agoText),
};

const clockAxis = ({ to }: Zoom): Partial<uPlot.Axis> => ({
  values: (_, splits) => splits.map((before) => clockTime((to + before) * SECOND_MS)),
});

const DAY_STEP_SECONDS = 60;

/** With its date where the chart spans days. */
const shownMoment = (at_ms: number, step: number): string =>
  step > DAY_STEP_SECONDS ? shownTime(new Date(at_ms).toISOString(), browserZone()) : clockTime(at_ms);
