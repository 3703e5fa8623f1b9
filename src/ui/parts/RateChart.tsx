import { Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type uPlot from 'uplot';
import { call } from '../api/client.js';
import { stepRates } from '../api/rates.js';
import { useAddress } from './address.js';
import { Chart, type ChartColors, type ChartOptions } from './Chart.js';
import { shownRate } from './numbers.js';

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

const optionsFor =
  (range_s: number) =>
  (colors: ChartColors): ChartOptions => ({
    legend: { show: false },
    cursor: { show: false },
    padding: [10, 12, 0, 0],
    scales: {
      x: { time: false, range: [-range_s, 0] },
      y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      {
        stroke: colors.text,
        grid: { show: false },
        size: 32,
        incrs: [60, 300, 900, 3_600, 7_200, 21_600, 43_200, 86_400],
        values: (_, splits) => splits.map(agoText),
      },
      {
        stroke: colors.text,
        grid: { stroke: colors.grid, width: 1 },
        size: 56,
        values: (_, splits) => splits.map(shownRate),
      },
    ],
    series: [{}, { stroke: colors.line, fill: colors.fill, width: 1.5, points: { show: false } }],
  });

const OPTIONS = Object.fromEntries(
  Object.entries(RANGES).map(([key, { seconds }]) => [key, optionsFor(seconds)]),
) as Readonly<Record<RangeKey, ReturnType<typeof optionsFor>>>;

interface RateChartProps {
  /** Null shows the sum of all generators. */
  readonly id: string | null;
  readonly height: number;
}

/** Events per second as the service has noted them, so that the chart has a past when the page opens. */
export const RateChart = ({ id, height }: RateChartProps) => {
  const [given, setRange] = useAddress<string>('range', '5m');
  const key = isRange(given) ? given : '5m';
  const { seconds, step, words, every_ms } = RANGES[key];
  const series = useQuery({
    queryKey: ['series', id, key],
    queryFn: () => {
      const query = { last: seconds, step };
      return id === null
        ? call('readSeries', { query })
        : call('readGeneratorSeries', { path: { id }, query });
    },
    refetchInterval: every_ms,
    structuralSharing: false,
  });
  const rates = useMemo(() => (series.data === undefined ? null : stepRates(series.data)), [series.data]);
  const data = useMemo(() => dataOf(rates ?? [], step), [rates, step]);
  const known = (rates ?? []).filter((rate) => rate !== null);
  const label = `Events per second of ${id ?? 'all generators'} in the last ${words}: ${shownRate(rates?.at(-1) ?? 0)} now, at most ${shownRate(Math.max(0, ...known))}`;
  const empty = series.isError
    ? `The series cannot be read: ${series.error.message}`
    : rates === null
      ? ''
      : `No events in the last ${words}.`;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="xs">{id === null && 'Events per second'}</Text>
        <SegmentedControl
          size="xs"
          aria-label="Time that the chart of events per second shows"
          data={Object.entries(RANGES).map(([value, { label: text }]) => ({ value, label: text }))}
          value={key}
          onChange={setRange}
        />
      </Group>
      {known.length === 0 ? (
        <Text size="sm" mih={height}>
          {empty}
        </Text>
      ) : (
        <Chart label={label} height={height} data={data} options={OPTIONS[key]} />
      )}
    </>
  );
};
