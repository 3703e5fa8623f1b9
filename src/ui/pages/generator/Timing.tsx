import {
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
  useMantineTheme,
} from '@mantine/core';
import { type ReactNode, useCallback, useMemo } from 'react';
import type uPlot from 'uplot';
import { useAddress } from '../../parts/address.js';
import { Chart, type ChartColors, type ChartOptions } from '../../parts/Chart.js';
import { shownRate, shownShort } from '../../parts/numbers.js';
import { RateChart } from '../../parts/RateChart.js';
import type { TimeMark } from '../../parts/times.js';
import { useTurns } from './data.js';
import {
  type Buckets,
  barsOf,
  boundText,
  type DurationKey,
  figuresOf,
  type HistogramBar,
  type RecentHistory,
  recentBuckets,
} from './recent.js';
import { turnMarks } from './turns.js';

interface TimingProps {
  readonly id: string;
  readonly history: RecentHistory;
  readonly rates: readonly number[];
  readonly isLive: boolean;
}

/** Throughput and the two delays of an event: until it is made, and until it is written. */
export const TimingPanel = ({ id, history, rates, isLive }: TimingProps) => {
  const [span, setSpan] = useAddress<Span>('span', 'minute');
  const marks = useTurnMarks(id);
  const lateness = bucketsOf(history, 'lateness_ms', span);
  const lag = bucketsOf(history, 'delivery_lag_ms', span);
  return (
    <Stack gap="xs">
      <Group justify="flex-end">
        <SegmentedControl
          size="xs"
          aria-label="Time that lateness and delivery lag cover"
          data={[...SPANS]}
          value={span}
          onChange={(value) => setSpan(value)}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Card title="Events per second" figures={`${shownRate(rates.at(-1) ?? 0)} in the last second`}>
          <RateChart id={id} height={HEIGHT} marks={marks} />
        </Card>
        <Card title="Lateness" figures={isLive ? figuresOf(lateness) : 'only in live mode'}>
          {isLive && (
            <Histogram bars={barsOf(lateness)} label={`Lateness of events: ${figuresOf(lateness)}`} />
          )}
        </Card>
        <Card title="Delivery lag" figures={figuresOf(lag)}>
          <Histogram bars={barsOf(lag)} label={`Delivery lag of events: ${figuresOf(lag)}`} />
        </Card>
      </SimpleGrid>
    </Stack>
  );
};

const useTurnMarks = (id: string): readonly TimeMark[] => {
  const { data } = useTurns(id);
  const { colors } = useMantineTheme();
  return useMemo(() => turnMarks(data ?? [], (name) => colors[name]?.[5] ?? name), [data, colors]);
};

type Span = 'minute' | 'start';

const SPANS: readonly { readonly value: Span; readonly label: string }[] = [
  { value: 'minute', label: 'Last minute' },
  { value: 'start', label: 'Since the start' },
];

const bucketsOf = (history: RecentHistory, key: DurationKey, span: Span): Buckets =>
  span === 'minute' ? recentBuckets(history, key) : (history.at(-1)?.stats[key].buckets ?? []);

const Card = ({
  title,
  figures,
  children,
}: {
  readonly title: string;
  readonly figures: string;
  readonly children: ReactNode;
}) => (
  <Paper withBorder p="sm" component="section" aria-label={title}>
    <Title order={2} size="h6">
      {title}
    </Title>
    <Text size="xs" mb="xs" className="figure">
      {figures}
    </Text>
    {children}
  </Paper>
);

const HEIGHT = 150;

const optionsOf = (bars: readonly number[], colors: ChartColors, plot: typeof uPlot): ChartOptions => ({
  legend: { show: false },
  padding: [10, 12, 0, 0],
  scales: {
    x: { time: false, range: [-0.6, bars.length - 0.4] },
    y: { range: (_, __, max) => [0, max * 1.1] },
  },
  axes: [
    {
      stroke: colors.text,
      grid: { show: false },
      size: 32,
      splits: () => bars.map((_, index) => index),
      values: (_, splits) => {
        const step = Math.max(1, Math.ceil(splits.length / 5));
        return splits.map((index) => (index % step === 0 ? boundText(bars[index] ?? 0) : ''));
      },
    },
    {
      stroke: colors.text,
      grid: { stroke: colors.grid, width: 1 },
      size: 56,
      values: (_, splits) => splits.map((count) => (Number.isInteger(count) ? shownShort(count) : '')),
    },
  ],
  series: [
    {},
    {
      stroke: colors.line,
      fill: colors.fill,
      width: 1,
      points: { show: false },
      ...(plot.paths.bars === undefined ? {} : { paths: plot.paths.bars({ size: [0.9, 60] }) }),
    },
  ],
});

/** How many events took how long; each bar is twice as long as the one before. */
const Histogram = ({ bars, label }: { readonly bars: readonly HistogramBar[]; readonly label: string }) => {
  const bounds = bars.map(({ below_us }) => below_us).join();
  const options = useCallback(
    (colors: ChartColors, plot: typeof uPlot) => optionsOf(bounds.split(',').map(Number), colors, plot),
    [bounds],
  );
  const data = useMemo(
    (): uPlot.AlignedData => [bars.map((_, index) => index), bars.map(({ count }) => count)],
    [bars],
  );
  if (bars.length === 0) return <Text size="sm">No events in this time.</Text>;
  return <Chart label={label} height={HEIGHT} data={data} options={options} />;
};
