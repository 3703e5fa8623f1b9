import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type uPlot from 'uplot';
import { call } from '../api/client.js';
import { stepRates } from '../api/rates.js';
import { useAddress } from './address.js';
import { Chart, type ChartColors, type ChartOptions } from './Chart.js';
import { shownRate } from './numbers.js';
import { browserZone, clockTime, shownTime, type TimeMark } from './times.js';

/** What the chart can show: seconds, of a step, and how often the browser asks again. */
const RANGES = {
  '5m': { label: '5 min', words: 'five minutes', seconds: 300, step: 1, every_ms: 1_000 },
  '15m': { label: '15 min', words: '15 minutes', seconds: 900, step: 5, every_ms: 5_000 },
  '1h': { label: '1 h', words: 'hour', seconds: 3_600, step: 10, every_ms: 10_000 },
  '6h': { label: '6 h', words: 'six hours', seconds: 21_600, step: 60, every_ms: 30_000 },
  '3d': { label: '3 d', words: 'three days', seconds: 259_200, step: 600, every_ms: 60_000 },
} as const;
type RangeKey = keyof typeof RANGES;

const isRange = (key: string): key is RangeKey => Object.hasOwn(RANGES, key);

/** Each step from its start to its end, in seconds before the end: a lone one is seen, too. */
const dataOf = (rates: readonly (number | null)[], step: number): uPlot.AlignedData => [
  rates.flatMap((_, i) => [(i - rates.length) * step, (i + 1 - rates.length) * step]),
  rates.flatMap((rate) => [rate, rate]),
];

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

const oneArea = ({ line, fill }: ChartColors): readonly uPlot.Series[] => [
  { stroke: line, fill, width: 1.5, points: { show: false } },
];

/** A chart of rates over seconds before its end; `axis` says how that time is written. */
export const rateOptions =
  (range_s: number, axis: Partial<uPlot.Axis>, areas: (colors: ChartColors) => readonly uPlot.Series[]) =>
  (colors: ChartColors): ChartOptions => ({
    legend: { show: false },
    padding: [10, 12, 0, 0],
    scales: {
      x: { time: false, range: [-range_s, 0] },
      y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      { stroke: colors.text, grid: { show: false }, size: 32, ...axis },
      {
        stroke: colors.text,
        grid: { stroke: colors.grid, width: 1 },
        size: 56,
        values: (_, splits) => splits.map(shownRate),
      },
    ],
    series: [{}, ...areas(colors)],
  });

/** Time as `5 min`; the end is `now`. */
export const AGO_AXIS: Partial<uPlot.Axis> = {
  incrs: [60, 300, 900, 3_600, 7_200, 21_600, 43_200, 86_400],
  values: (_, splits) => splits.map(agoText),
};

const OPTIONS = Object.fromEntries(
  Object.entries(RANGES).map(([key, { seconds }]) => [key, rateOptions(seconds, AGO_AXIS, oneArea)]),
) as Readonly<Record<RangeKey, ReturnType<typeof rateOptions>>>;

const SECOND_MS = 1_000;
/** A shorter part would show less than two steps. */
const LEAST_ZOOM_SECONDS = 4;

/** A part of the past: seconds since 1970. */
interface Zoom {
  readonly from: number;
  readonly to: number;
}

const zoomOf = (text: string): Zoom | null => {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return from > 0 && to >= from + LEAST_ZOOM_SECONDS ? { from, to } : null;
};

/** The part that the address names, and how to choose another; Back returns to the one before. */
const useZoom = (): readonly [Zoom | null, (zoom: Zoom | null) => void] => {
  const [text, setText] = useAddress<string>('zoom', '', true);
  const zoom = useMemo(() => zoomOf(text), [text]);
  return [zoom, (next) => setText(next === null ? '' : `${next.from}-${next.to}`)];
};

const zoomWords = ({ from, to }: Zoom): string =>
  `from ${clockTime(from * SECOND_MS)} to ${clockTime(to * SECOND_MS)}`;

interface RateChartProps {
  /** Null shows the sum of all generators. */
  readonly id: string | null;
  readonly height: number;
  readonly marks?: readonly TimeMark[];
}

const NO_MARKS: readonly TimeMark[] = [];

/** Events per second as the service has noted them, so that the chart has a past when the page opens. */
export const RateChart = ({ id, height, marks = NO_MARKS }: RateChartProps) => {
  const [given, setRange] = useAddress<string>('range', '5m');
  const [zoom, setZoom] = useZoom();
  const key = isRange(given) ? given : '5m';
  const { series, words } = useSeries(id, key, zoom);
  const step = series.data?.step ?? 1;
  const rates = useMemo(() => (series.data === undefined ? null : stepRates(series.data)), [series.data]);
  const data = useMemo(() => dataOf(rates ?? [], step), [rates, step]);
  const end_ms = Date.parse(series.data?.from ?? '') + (rates?.length ?? 0) * step * SECOND_MS;
  const lines = useMemo(
    () => marks.map(({ at_ms, color }) => ({ at: (at_ms - end_ms) / SECOND_MS, color })),
    [marks, end_ms],
  );
  const options = useMemo(() => (zoom === null ? OPTIONS[key] : zoomedOptions(zoom)), [zoom, key]);
  const known = (rates ?? []).filter((rate) => rate !== null);
  const highest = `at most ${shownRate(Math.max(0, ...known))}`;
  const figures = zoom === null ? `${shownRate(rates?.at(-1) ?? 0)} now, ${highest}` : highest;
  const label = `Events per second of ${id ?? 'all generators'} ${words}: ${figures}`;
  /** Each step has two points. */
  const readout = (point: number): string => {
    const index = Math.floor(point / 2);
    const from_ms = end_ms + (index - (rates?.length ?? 0)) * step * SECOND_MS;
    const rate = rates?.[index] ?? null;
    const happened = marks.filter(({ at_ms }) => at_ms >= from_ms && at_ms < from_ms + step * SECOND_MS);
    const told = rate === null ? 'not running' : `${shownRate(rate)}/s`;
    return [shownMoment(from_ms, step), told, ...happened.map(({ text }) => text)].join(', ');
  };
  const choose = (from: number, to: number): void => {
    const wanted = {
      from: Math.floor(end_ms / SECOND_MS + from),
      to: Math.min(Math.ceil(end_ms / SECOND_MS + to), Math.floor(end_ms / SECOND_MS)),
    };
    if (wanted.to - wanted.from >= LEAST_ZOOM_SECONDS) setZoom(wanted);
  };
  const empty = series.isError
    ? `The series cannot be read: ${series.error.message}`
    : rates === null
      ? ''
      : `No events ${words}.`;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="xs">{zoom === null ? id === null && 'Events per second' : zoomWords(zoom)}</Text>
        {zoom !== null && (
          <Button size="compact-xs" variant="default" onClick={() => setZoom(null)}>
            Back to now
          </Button>
        )}
        <SegmentedControl
          size="xs"
          aria-label="Time that the chart of events per second shows"
          data={Object.entries(RANGES).map(([value, { label: text }]) => ({ value, label: text }))}
          value={key}
          disabled={zoom !== null}
          onChange={setRange}
        />
      </Group>
      {known.length === 0 ? (
        <Text size="sm" mih={height}>
          {empty}
        </Text>
      ) : (
        <Chart
          label={label}
          height={height}
          data={data}
          options={options}
          marks={lines}
          readout={readout}
          onZoom={choose}
        />
      )}
    </>
  );
};

/** The series of a range that ends now, or of a part of the past; and how to call its time. */
const useSeries = (id: string | null, key: RangeKey, zoom: Zoom | null) => {
  const { seconds, step, words, every_ms } = RANGES[key];
  const query =
    zoom === null
      ? { last: seconds, step }
      : {
          from: new Date(zoom.from * SECOND_MS).toISOString(),
          to: new Date(zoom.to * SECOND_MS).toISOString(),
        };
  const series = useQuery({
    queryKey: ['series', id, zoom ?? key],
    queryFn: () =>
      id === null ? call('readSeries', { query }) : call('readGeneratorSeries', { path: { id }, query }),
    refetchInterval: zoom === null ? every_ms : false,
    structuralSharing: false,
  });
  return { series, words: zoom === null ? `in the last ${words}` : zoomWords(zoom) };
};

const zoomedOptions = ({ from, to }: Zoom) => {
  const values: uPlot.Axis.Values = (_, splits) =>
    splits.map((before) => clockTime((to + before) * SECOND_MS));
  return rateOptions(to - from, { values }, oneArea);
};

const DAY_STEP_SECONDS = 60;

/** With its date where the chart spans days. */
const shownMoment = (at_ms: number, step: number): string =>
  step > DAY_STEP_SECONDS ? shownTime(new Date(at_ms).toISOString(), browserZone()) : clockTime(at_ms);
